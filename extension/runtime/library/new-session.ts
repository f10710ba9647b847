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

/** What a session of its own begins with that has what was said before a message, or everything. Files go with it. */
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

/** The records before a message: what a conversation that goes another way from there has in common with this one. */
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

/** A command that runs is the other session's: this one must not end it. */
export function withoutProcess(record: SessionRecord): SessionRecord {
  if (record.type !== 'command_started') return record;
  const { process: _, ...copy } = record;
  return copy;
}

/** The contents of files that the records name. */
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
  /** As they are in the copy: outputs that they speak of are in its own folder. */
  readonly records: readonly SessionRecord[];
  /** Of the files that they speak of. */
  readonly names: readonly string[];
}

/** Logs can be written by anybody: a name leads nowhere else. */
const NAME = /^[\w-][\w.-]{0,250}/;

/** What another session gets of records that name files in the folder of outputs of theirs. */
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

/** Conversations that Gemini CLI recorded in the folder that is open. */
export async function findRecordings({ workspace, environment }: Host): Promise<FoundRecording[]> {
  const [root] = workspace.roots();
  return root === undefined ? [] : findGeminiRecordings(geminiHome(environment, homedir()), root);
}

/** A conversation that Gemini CLI recorded, as our own records. Throws a `ProblemError` when there is none in the file. */
export async function readRecording(path: string, { clock, log }: Host): Promise<ReadRecording> {
  const recording = readGeminiRecording(await readFile(path, 'utf8'));
  if ('problem' in recording) throw badInput(`${path}: ${recording.problem}`, notOpened());
  const records = toRecords(recording, { newId: randomUUID, now: clock.now() });
  if (records.length === 0) throw badInput(l10n.t('There is no conversation in {0}.', path), notOpened());
  for (const { line, reason } of recording.skipped) log.warn(`${path}:${line} was left out: ${reason}`);
  return { sessionId: recording.sessionId, records };
}

const notOpened = (): string => l10n.t('The session was not opened');
