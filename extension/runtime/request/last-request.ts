import type { GenerateContentResponseUsageMetadata } from '@google/genai';
import type { GenerateRequest } from '../../model/content-generator.ts';
import type { Clock } from '../../ports/clock.ts';

export interface SentRequest extends Pick<GenerateRequest, 'model' | 'contents' | 'config'> {
  /** When it was sent, in ms since the epoch. */
  readonly at: number;
  /** What the API counted, as far as it has answered. */
  readonly usage: GenerateContentResponseUsageMetadata | undefined;
}

/** The last request that a session sent to its model. It is kept by reference and costs nothing until it is shown. */
export class LastRequest {
  private last: SentRequest | undefined;

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** Undefined if nothing was sent since the session was opened. */
  get sent(): SentRequest | undefined {
    return this.last;
  }

  take({ model, contents, config }: GenerateRequest): void {
    this.last = { model, contents, config, at: this.clock.now(), usage: undefined };
  }

  counted(usage: GenerateContentResponseUsageMetadata): void {
    if (this.last) this.last = { ...this.last, usage };
  }
}
