import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type {
  RecordBody,
  RecordOf,
  SessionHeader,
  SessionRecord,
} from '../../../../extension/sessions/session-record.ts';

export const START = Date.parse('2026-03-01T10:00:00.000Z');

/** `minute` minutes after `START`. */
export function at(minute: number): string {
  return new Date(START + minute * 60_000).toISOString();
}

export function header(id: string, more: Partial<SessionHeader> = {}): SessionHeader {
  return { type: 'session', version: 1, id, workspace: '/work/project', at: at(0), ...more };
}

export function record(body: RecordBody, minute = 1): SessionRecord {
  return { ...body, at: at(minute) };
}

/** A message of the user. */
export function sent(id: string, text: string, minute = 1): RecordOf<'sent'> {
  const event = { id, invocationId: 'run', actions: NO_ACTIONS, timestamp: 0, content: userContent(text) };
  return { type: 'sent', streamId: `stream-${id}`, event, at: at(minute) };
}

/** An event with this id, such as a pending message becomes. */
export function event(id: string, text: string, minute = 1): RecordOf<'event'> {
  const { event: delivered } = sent(id, text);
  if (!delivered) throw new Error('it has one');
  return { type: 'event', event: delivered, at: at(minute) };
}

export function delta(text: string, minute = 1): SessionRecord {
  return record({ type: 'delta', parts: [{ text }] }, minute);
}

export function logText(...records: readonly SessionRecord[]): string {
  return records.map((each) => `${JSON.stringify(each)}\n`).join('');
}

export async function writeLog(path: string, content: string | Uint8Array): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

const NO_ACTIONS = { stateDelta: {}, artifactDelta: {}, requestedAuthConfigs: {}, requestedToolConfirmations: {} };

function userContent(text: string): { role: string; parts: { text: string }[] } {
  return { role: 'user', parts: [{ text }] };
}
