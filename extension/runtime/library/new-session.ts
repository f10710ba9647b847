import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { sep } from 'node:path';
import * as l10n from '@vscode/l10n';
import { canonicalFolder } from '../../files/real-path.ts';
import { geminiHome } from '../../gemini-config/settings-files.ts';
import type { Host } from '../../ports/host.ts';
import { mapStrings } from '../../safety/map-strings.ts';
import { type FoundRecording, findGeminiRecordings } from '../../sessions/gemini-cli/find-recordings.ts';
import { readGeminiRecording } from '../../sessions/gemini-cli/recording.ts';
import { toRecords } from '../../sessions/gemini-cli/to-records.ts';
import { LOG_VERSION, type SessionHeader, type SessionRecord } from '../../sessions/session-record.ts';
import { badInput } from '../problems/message-limits.ts';
import { shareOutputs } from '../request/saved-outputs.ts';
import type { SessionLibrary } from './session-library.ts';

/** The first line of a new session's log. */
export function newHeader({ workspace, clock }: Host, { parent }: Pick<SessionHeader, 'parent'> = {}): SessionHeader {
  const [root] = workspace.roots();
  return {
    type: 'session',
    at: new Date(clock.now()).toISOString(),
    version: LOG_VERSION,
    id: randomUUID(),
    workspace: root === undefined ? '' : canonicalFolder(root),
    ...(parent && { parent: { ...parent } }),
  };
}

export interface CopiedSession {
  readonly header: SessionHeader;
  readonly records: readonly SessionRecord[];
}

/** Copies the header, records and files of a session, up to a message or completely, for a new session. */
export async function copiedSession(
  library: SessionLibrary | undefined,
  fresh: SessionHeader,
  id: string,
  messageId: string | undefined,
): Promise<CopiedSession> {
  if (!library) {
    const why = l10n.t('Sessions are not stored here, so there is nothing to copy.');
    throw badInput(why, l10n.t('The session was not copied'));
  }
  const { header, records } = await library.read(id);
  const kept = messageId === undefined ? records : recordsBefore(records, messageId);
  const origin = { kind: messageId === undefined ? 'copy' : 'fork', of: id } as const;
  const copy = { ...fresh, workspace: header.workspace, origin };
  await library.blobs(id).linkInto(library.blobs(copy.id), hashesIn(kept));
  const [mine, theirs] = [library.outputs(id), library.outputs(copy.id)];
  const { records: copied, names } = forkedOutputs(kept, mine, theirs);
  await shareOutputs(names, mine, theirs);
  return { header: copy, records: copied };
}

/** The records before a message, which a fork at that message shares with the original. */
function recordsBefore(records: readonly SessionRecord[], messageId: string): readonly SessionRecord[] {
  const at = records.findIndex((record) => messageIdOf(record) === messageId);
  if (at < 0)
    throw badInput(l10n.t('That message is not part of the conversation.'), l10n.t('There is nothing to fork from'));
  return records.slice(0, at);
}

function messageIdOf(record: SessionRecord): string | undefined {
  if (record.type === 'pending') return record.id;
  return record.type === 'sent' || record.type === 'event' ? record.event?.id : undefined;
}

/** Removes the process of a command: it belongs to the original session, and the copy must not stop it. */
export function withoutProcess(record: SessionRecord): SessionRecord {
  if (record.type !== 'command_started') return record;
  const { process: _, ...copy } = record;
  return copy;
}

/** The hashes of the file contents that the records refer to. */
function hashesIn(records: readonly SessionRecord[]): string[] {
  return records.flatMap(versionsIn).filter((hash) => hash !== null);
}

function versionsIn(record: SessionRecord): (string | null)[] {
  if (record.type === 'file_change') return [record.before, record.after];
  if (record.type === 'protected_changed') {
    return record.files.flatMap(({ before, after }) => [before?.hash ?? null, after?.hash ?? null]);
  }
  return record.type === 'reviewed' ? [record.baseline, record.current] : [];
}

interface ForkedOutputs {
  /** The records of the copy, which refer to outputs in the copy's own folder. */
  readonly records: readonly SessionRecord[];
  /** The names of the output files that the records refer to. */
  readonly names: readonly string[];
}

/** Logs can be written by anyone, so a name must not lead out of the folder. */
const NAME = /^[\w-][\w.-]{0,250}/;

/** Changes records that refer to output files of one session so that they refer to those of another. */
export function forkedOutputs(records: readonly SessionRecord[], from: string, to: string): ForkedOutputs {
  const [mine, theirs] = [`${from}${sep}`, `${to}${sep}`];
  const names = new Set<string>();
  const moved = records.map((record) =>
    mapStrings(record, (text) => {
      if (!text.includes(mine)) return text;
      const [before = '', ...behind] = text.split(mine);
      for (const rest of behind) names.add(NAME.exec(rest)?.[0].replace(/\.$/, '') ?? '');
      return [before, ...behind].join(theirs);
    }),
  );
  names.delete('');
  return { records: moved, names: [...names] };
}

interface ReadRecording {
  readonly sessionId: string;
  readonly records: readonly SessionRecord[];
}

/** Conversations that Gemini CLI recorded in the open folder. */
export async function findRecordings({ workspace, environment }: Host): Promise<FoundRecording[]> {
  const [root] = workspace.roots();
  return root === undefined ? [] : findGeminiRecordings(geminiHome(environment, homedir()), root);
}

/** Converts a Gemini CLI recording to records. Throws a `ProblemError` if the file has no conversation. */
export async function readRecording(path: string, { clock, log }: Host): Promise<ReadRecording> {
  const recording = readGeminiRecording(await readFile(path, 'utf8'));
  if ('problem' in recording) throw badInput(`${path}: ${recording.problem}`, notOpened());
  const records = toRecords(recording, { newId: randomUUID, now: clock.now() });
  if (records.length === 0) throw badInput(l10n.t('There is no conversation in {0}.', path), notOpened());
  for (const { line, reason } of recording.skipped) log.warn(`${path}:${line} was ignored: ${reason}`);
  return { sessionId: recording.sessionId, records };
}

const notOpened = (): string => l10n.t('The session was not opened');
