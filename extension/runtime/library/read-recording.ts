import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import { geminiHome } from '../../gemini-config/settings-files.ts';
import type { Host } from '../../ports/host.ts';
import { type FoundRecording, findGeminiRecordings } from '../../sessions/gemini-cli/find-recordings.ts';
import { readGeminiRecording } from '../../sessions/gemini-cli/recording.ts';
import { toRecords } from '../../sessions/gemini-cli/to-records.ts';
import type { SessionRecord } from '../../sessions/session-record.ts';
import { badInput } from '../problems/message-limits.ts';

export interface ReadRecording {
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
