import { appendFile, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { InOrder } from '../../base/in-order.ts';
import { makeFolder } from '../../files/durable-files.ts';
import { errorCode } from '../../files/error-code.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { redactDeep } from '../../safety/redact-secrets.ts';

/** A decision, an answer or an execution, or a change of protected files during an execution. */
export type AuditEntry =
  | { readonly what: 'decided'; readonly decision: string; readonly why: string; readonly rule?: string }
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

/** Records decisions, who made them, and their outcomes: one JSON line each, without secrets. */
export class AuditLog {
  private readonly writing = new InOrder();
  /** The number of characters that may be written before the size of the file is checked again. */
  private unchecked = 0;

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
  ) {}

  add(call: AuditedCall, entry: AuditEntry): void {
    const at = new Date(this.parts.clock.now()).toISOString();
    this.writing
      .run(() => this.write({ at, ...call, ...entry }))
      .catch((error: unknown) => this.parts.log.error('The audit log was not written', error));
  }

  /** Resolves when everything added so far is in the file. */
  written(): Promise<void> {
    return this.writing.idle();
  }

  private async write(entry: AuditedCall & AuditEntry & { readonly at: string }): Promise<void> {
    const { log, file, secrets } = this.parts;
    const redacted = redactDeep(shortened(entry, LOOKED_AT), await secrets());
    const line = JSON.stringify(shortened(redacted, LONGEST_TEXT));
    log.info(`audit ${line}`);
    if (file === undefined) return;
    if (this.unchecked <= 0) await this.turnOver(file);
    this.unchecked -= line.length;
    await appended(file, `${line}\n`);
  }

  /** Starts a new file if necessary. Other windows write to the same file, so its actual size is checked. */
  private async turnOver(file: string): Promise<void> {
    const longest = this.parts.longestFile ?? LONGEST_FILE;
    const size = await stat(file).then(
      (stats) => stats.size,
      () => 0,
    );
    if (size > longest) await rename(file, `${file}.1`);
    this.unchecked = longest * BETWEEN_CHECKS;
  }
}

/** Appends a line. Creates the folder if it is missing: at the first line, or if somebody deleted it. */
async function appended(file: string, line: string): Promise<void> {
  const options = { mode: 0o600 };
  try {
    await appendFile(file, line, options);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    makeFolder(dirname(file));
    await appendFile(file, line, options);
  }
}

/** Enough for years of ordinary use. The previous file is kept as well. */
const LONGEST_FILE = 20 * 1024 * 1024;
/** As a share of the maximum file size. */
const BETWEEN_CHECKS = 0.01;
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
