import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { Redactor } from '../../safety/redact-secrets.ts';
import { AuditFile } from './audit-file.ts';

/** A decision, an answer or an execution, or a change of protected files during an execution. */
export type AuditEntry =
  | {
      readonly what: 'decided';
      readonly decision: string;
      readonly why: string;
      /** The place of the rule, as `file:line`. */
      readonly rule?: string;
      /** Finds the rule when its lines have moved. */
      readonly ruleHash?: string;
    }
  | { readonly what: 'answered'; readonly action: string; readonly decision?: string; readonly by: string }
  | {
      readonly what: 'finished';
      readonly state: string;
      readonly durationMs?: number;
      readonly exitCode?: unknown;
      readonly error?: string;
      /** Why the call did not run, if no rule was involved: trust, plan mode, a hook. */
      readonly why?: string;
    }
  | {
      /** Changes while the command ran that nobody approved. */
      readonly what: 'protected_changed';
      readonly files: readonly { readonly path: string; readonly change: string }[];
    }
  | {
      readonly what: 'put_back';
      readonly files: readonly {
        readonly path: string;
        readonly outcome: string;
        readonly reason?: string | undefined;
      }[];
    };

export interface AuditedCall {
  readonly session: string;
  /** The leader's call that this session works for. */
  readonly parent?: { readonly sessionId: string; readonly callId: string };
  readonly callId: string;
  readonly tool: string;
  readonly args: unknown;
}

type StampedEntry = AuditedCall & AuditEntry & { readonly at: string };

/** Records decisions, who made them, and their outcomes: one JSON line each, without secrets. */
export class AuditLog {
  private readonly file: AuditFile | undefined;
  private waiting: StampedEntry[] = [];
  /** Whether all waiting entries are about calls that only read. */
  private isBurst = true;
  private writing: Promise<void> | undefined;
  private later: NodeJS.Immediate | undefined;
  private closed = false;
  private redactor = new Redactor([]);

  constructor(
    private readonly parts: {
      /** If undefined, entries go to the log channel only. */
      readonly file: string | undefined;
      readonly log: Logger;
      readonly clock: Clock;
      /** Values that must not appear in the log. */
      readonly secrets: () => Promise<readonly string[]>;
      /** The size in bytes at which the file is renamed and a new one is started. */
      readonly longestFile?: number;
    },
  ) {
    const { file, clock, longestFile } = parts;
    this.file = file === undefined ? undefined : new AuditFile(file, clock, longestFile);
  }

  /**
   * A call that only reads cannot have moved the file, so a series of them need not check that each time. It changes
   * nothing that would have to be explained after a crash either, so its entries wait for the next turn of the event
   * loop. By then, the next request has usually left.
   */
  add(call: AuditedCall, entry: AuditEntry, onlyReads = false): void {
    const at = new Date(this.parts.clock.now()).toISOString();
    this.waiting.push({ at, ...call, ...entry });
    this.isBurst &&= onlyReads;
    if (onlyReads) this.later ??= setImmediate(() => this.begin());
    else this.begin();
  }

  /** Resolves when everything added so far is in the file. */
  async written(): Promise<void> {
    if (this.waiting.length > 0) this.begin();
    await this.writing;
  }

  /** Resolves when everything is in the file and the file is closed. */
  async close(): Promise<void> {
    this.closed = true;
    await this.written();
    this.file?.close();
  }

  private begin(): void {
    clearImmediate(this.later);
    this.later = undefined;
    this.writing ??= this.write();
  }

  /** Entries that are added while the secrets are looked up share one write. */
  private async write(): Promise<void> {
    try {
      const secrets = await this.parts.secrets();
      if (!isSame(secrets, this.redactor.known)) this.redactor = new Redactor(secrets);
      const { waiting, isBurst } = this;
      [this.waiting, this.isBurst] = [[], true];
      const lines = waiting.map((entry) => lineOf(entry, this.redactor));
      this.append(lines, isBurst);
    } catch (error) {
      this.waiting = [];
      this.parts.log.error('The audit log was not written', error);
    } finally {
      this.writing = undefined;
    }
  }

  private append(lines: readonly string[], isBurst: boolean): void {
    for (const line of lines) this.parts.log.info(`audit ${line}`);
    this.file?.append(lines.map((line) => `${line}\n`).join(''), isBurst);
    if (this.closed) this.file?.close();
  }
}

function isSame(secrets: readonly string[], known: readonly string[]): boolean {
  return secrets.length === known.length && secrets.every((secret, at) => secret === known[at]);
}

function lineOf({ at, ...entry }: StampedEntry, redactor: Redactor): string {
  const redacted = redactor.deep(shortened(entry, LOOKED_AT));
  // The time is Gantry's own and another one in every line, so there is nothing to search.
  return JSON.stringify(Object.assign({ at }, shortened(redacted, LONGEST_TEXT)));
}

/** Enough for any command. The contents of files are in the session's own log. */
const LONGEST_TEXT = 2_000;
/** Longer than the text that is kept, because a secret that is cut in two is no longer recognized. */
const LOOKED_AT = 2 * LONGEST_TEXT;

function shortened(value: unknown, longest: number): unknown {
  if (typeof value === 'string') return value.length <= longest ? value : `${value.slice(0, longest)}…`;
  if (Array.isArray(value)) return value.slice(0, 100).map((inner) => shortened(inner, longest));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner, longest)]));
}
