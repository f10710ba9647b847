import { appendFile, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../sessions/durable-files.ts';
import { redactDeep } from '../sessions/export/redact-secrets.ts';
import type { Clock, Logger } from './host.ts';

/** One decision, answer or execution. */
export type AuditEntry =
  | { readonly what: 'decided'; readonly decision: string; readonly why: string; readonly rule?: string }
  | { readonly what: 'answered'; readonly action: string; readonly decision?: string; readonly by: string }
  | {
      readonly what: 'finished';
      readonly state: string;
      readonly durationMs?: number;
      readonly exitCode?: unknown;
      readonly error?: string;
    };

export interface AuditedCall {
  readonly session: string;
  /** The agent that asked, when it is not the main one. */
  readonly agent?: string;
  readonly callId: string;
  readonly tool: string;
  readonly args: unknown;
}

/** What was decided, by whom and with what end: one JSON line each, without secrets. */
export class AuditLog {
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly parts: {
      /** Undefined keeps it in the log channel only. */
      readonly file: string | undefined;
      readonly log: Logger;
      readonly clock: Clock;
      /** Values that must not appear. */
      readonly secrets: () => Promise<readonly string[]>;
    },
  ) {}

  add(call: AuditedCall, entry: AuditEntry): void {
    const at = new Date(this.parts.clock.now()).toISOString();
    this.last = this.last
      .then(() => this.write({ at, ...call, ...entry }))
      .catch((error: unknown) => {
        this.parts.log.error('The audit log was not written', error);
      });
  }

  /** Resolves when everything added so far is in the file. */
  written(): Promise<void> {
    return this.last;
  }

  private async write(entry: AuditedCall & AuditEntry & { readonly at: string }): Promise<void> {
    const { log, file, secrets } = this.parts;
    const args = shortened(entry.args);
    const line = JSON.stringify(redactDeep({ ...entry, args }, await secrets()));
    log.info(`audit ${line}`);
    if (file === undefined) return;
    makeFolder(dirname(file));
    await this.turnOver(file);
    await appendFile(file, `${line}\n`, { mode: 0o600 });
  }

  private async turnOver(file: string): Promise<void> {
    const size = await stat(file).then(
      (stats) => stats.size,
      () => 0,
    );
    if (size > LONGEST_FILE) await rename(file, `${file}.1`);
  }
}

/** Years of ordinary use; the one before it is kept as well. */
const LONGEST_FILE = 20 * 1024 * 1024;
/** Enough for any command; the contents of files are in the session's own log. */
const LONGEST_TEXT = 2_000;

function shortened(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.length <= LONGEST_TEXT ? value : `${value.slice(0, LONGEST_TEXT)}… (${value.length} characters)`;
  }
  if (Array.isArray(value)) return value.slice(0, 100).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner)]));
}
