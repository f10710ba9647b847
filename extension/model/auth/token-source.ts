import { orThrowAborted } from '../../base/abort.ts';
import type { Clock } from '../../ports/clock.ts';
import { ProblemError } from '../../protocol/agent/problem.ts';

export interface AccessToken {
  readonly value: string;
  /** In the time of this machine's clock. */
  readonly expiresAt: number;
  /** The project that is billed, from the credentials file. */
  readonly quotaProject?: string;
}

/** Tokens for requests. Failures are `ProblemError`s; an abort rejects with the signal's reason. */
export interface TokenSource {
  current(signal: AbortSignal): Promise<AccessToken>;
  /** Returns a new token after the service rejected `refused`, or the same token if there is no other. */
  renewed(refused: AccessToken, signal: AbortSignal): Promise<AccessToken>;
  /** Values that must not leave this machine. */
  secrets(): readonly string[];
}

export interface TokenOrigin {
  /** Reads the token from storage outside of this process. If absent, the token is kept in memory only. */
  kept?(): Promise<AccessToken | undefined>;
  obtain(): Promise<AccessToken>;
}

/** Google's own libraries renew five minutes early too: clocks differ, and a long answer must not outlive its token. */
const EARLY_MS = 5 * 60_000;

/** Shares one token: concurrent callers that need a new token wait for the same request. */
export class SharedTokens implements TokenSource {
  private last: AccessToken | undefined;
  private obtaining: Promise<AccessToken> | undefined;

  constructor(
    private readonly origin: TokenOrigin,
    private readonly clock: Clock,
  ) {}

  async current(signal: AbortSignal): Promise<AccessToken> {
    const token = await this.known();
    if (token && this.lastsLonger(token, EARLY_MS)) return token;
    try {
      return await orThrowAborted(this.obtain(), signal);
    } catch (error) {
      // Renewal is early, so the old token is still valid while renewal fails.
      if (token && isPassing(error) && this.lastsLonger(token, 0)) return token;
      throw error;
    }
  }

  async renewed(refused: AccessToken, signal: AbortSignal): Promise<AccessToken> {
    const token = await this.known();
    // Another caller's token was rejected before and has already been renewed.
    if (token && token.value !== refused.value && this.lastsLonger(token, EARLY_MS)) return token;
    return orThrowAborted(this.obtain(), signal);
  }

  secrets(): readonly string[] {
    return this.last ? [this.last.value] : [];
  }

  private async known(): Promise<AccessToken | undefined> {
    if (this.origin.kept) this.last = await this.origin.kept();
    return this.last;
  }

  private lastsLonger({ expiresAt }: AccessToken, ms: number): boolean {
    return expiresAt - ms > this.clock.now();
  }

  private obtain(): Promise<AccessToken> {
    this.obtaining ??= this.origin
      .obtain()
      .then((token) => {
        this.last = token;
        return token;
      })
      .finally(() => {
        this.obtaining = undefined;
      });
    return this.obtaining;
  }
}

function isPassing(error: unknown): boolean {
  return ProblemError.is(error, 'unreachable') || ProblemError.is(error, 'server');
}
