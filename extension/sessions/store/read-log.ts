import { open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { once } from '../../base/once.ts';
import { LOG_VERSION, type SessionHeader, type SessionRecord } from '../session-record.ts';
import { type LogLine, logLines } from './log-lines.ts';
import { SessionError } from './session-error.ts';

export interface LogDamage {
  /** Starts at 1. */
  readonly line: number;
  readonly reason: string;
}

export interface LogContents {
  /** Derived from the folder's name if the log has no header. */
  readonly header: SessionHeader;
  /** The records without the header. */
  readonly records: readonly SessionRecord[];
  /** Lines whose type only a newer version knows. */
  readonly unknown: readonly string[];
  /** Lines that are lost. The other lines are kept. */
  readonly damage: readonly LogDamage[];
  readonly bytes: number;
}

/** Throws a `SessionError` for a log of a newer version, and Node's error if the file is unreadable. */
export async function readLog(path: string): Promise<LogContents> {
  return logContents(await readWhole(path), path);
}

/** Reads the file at once: `readFile` uses small steps, which takes three times as long for 10 MB. */
async function readWhole(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const bytes = Buffer.allocUnsafe((await file.stat()).size);
    let filled = 0;
    for (let count = -1; filled < bytes.length && count !== 0; filled += count) {
      count = (await file.read(bytes, filled, bytes.length - filled, filled)).bytesRead;
    }
    return bytes.subarray(0, filled);
  } finally {
    await file.close();
  }
}

function logContents(bytes: Buffer, path: string): LogContents {
  let header: SessionHeader | undefined;
  let first = true;
  const records: SessionRecord[] = [];
  const unknown: string[] = [];
  const damage: LogDamage[] = [];
  for (const line of logLines(bytes)) {
    const { parsed, number } = line;
    if (first) refuseNewer(line, path);
    if (parsed.kind === 'unknown') unknown.push(line.text);
    else if (parsed.kind === 'damaged') damage.push({ line: number, reason: parsed.reason });
    else if (parsed.record.type !== 'session') records.push(parsed.record);
    else if (header) damage.push({ line: number, reason: 'it is a second header' });
    else header = parsed.record;
    if (first && !header && parsed.kind !== 'damaged') damage.push({ line: number, reason: 'the header is not there' });
    first = false;
  }
  if (first) damage.push({ line: 1, reason: 'the file is empty' });
  return { header: header ?? lostHeader(path, records), records, unknown, damage, bytes: bytes.length };
}

const versioned = once(() => z.object({ type: z.literal('session'), version: z.number() }));

/** Checks only the version: a newer header may have another shape and must not be taken for a damaged one. */
function refuseNewer({ text, parsed }: LogLine, path: string): void {
  const version =
    parsed.kind === 'record' && parsed.record.type === 'session' ? parsed.record.version : versionOf(text);
  if (version === undefined || version <= LOG_VERSION) return;
  throw new SessionError(
    'newer-version',
    l10n.t(
      '{0} was written by a newer version of Gantry (format {1}; this version supports up to {2}). It was not changed. Update Gantry to open it.',
      path,
      String(version),
      LOG_VERSION,
    ),
  );
}

function versionOf(text: string): number | undefined {
  try {
    return versioned().safeParse(JSON.parse(text)).data?.version;
  } catch {
    return undefined;
  }
}

/** The folder's name is the session's id, which is the only field that must be correct. */
function lostHeader(path: string, [first]: readonly SessionRecord[]): SessionHeader {
  const at = first?.at ?? new Date(0).toISOString();
  return { type: 'session', version: LOG_VERSION, id: basename(dirname(path)), workspace: '', at };
}
