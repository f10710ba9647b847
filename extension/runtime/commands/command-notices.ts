import { createEvent, type Event } from '@google/adk';
import type { SessionNotice } from '../../sessions/notices.ts';
import type { SessionHistory } from '../../sessions/session-history.ts';
import type { RecordOf } from '../../sessions/session-record.ts';
import { outputSection, stoppedFact } from '../../tools/shell/command-result.ts';
import { commentNote } from '../changes/review-note.ts';
import { lostText } from '../events/command-events.ts';
import { loopNotice } from '../problems/loop-texts.ts';
import { changedFact, putBackNotice } from '../protected/compared-files.ts';

/**
 * Notices for the model, such as the end of a background command. There are none while a call is unanswered: the API
 * accepts none there.
 */
export function noticeEvents({ notices, calls }: SessionHistory): Event[] {
  if (calls.open.length > 0) return [];
  return notices.all.map(({ id, record }) =>
    createEvent({ id, author: 'user', content: { role: 'user', parts: [{ text: noticeText(record) }] } }),
  );
}

function noticeText(record: SessionNotice['record']): string {
  if (record.type === 'commented') return commentNote(record);
  if (record.type === 'loop') return loopNotice(record);
  if (record.type === 'sandbox_allowed') return allowedText(record);
  if (record.type === 'protected_changed') return `[${changedFact(record.command, record.files)}]`;
  if (record.type === 'protected_put_back') return putBackNotice(record);
  const what = record.by === 'user' ? 'A command that the user ran themselves' : 'A background process';
  if (record.type === 'command_ended') {
    if (record.outlived)
      return `[${what} has ended, after Gantry had been closed and opened again: ${record.command}\n${endOf(record)} ${UNSEEN}]`;
    return record.by === 'user' ? typedByUser(record) : endedInBackground(record);
  }
  return `[${what} was running when Gantry was closed: ${record.command}\n${lostText(record.state, record.pid)}]`;
}

const UNSEEN = 'What it wrote is not known.';

function typedByUser(record: RecordOf<'command_ended'>): string {
  return [
    record.outsideOf === undefined
      ? 'The user ran a command themselves, without asking you to do anything about it:'
      : 'The user ran a command outside the sandbox that had failed in it, so you need not run it again:',
    record.command,
    endOf(record),
    outputSection(record.output),
  ].join('\n');
}

function allowedText({ kind, what }: RecordOf<'sandbox_allowed'>): string {
  const opened = kind === 'host' ? `reach ${what}` : `change files in ${what}`;
  return `[The user lets commands in the sandbox ${opened} from now on. What failed because of that can be run again.]`;
}

function endedInBackground(record: RecordOf<'command_ended'>): string {
  return [
    `[The background process ${record.pid ?? ''} has ended: ${record.command}`,
    `${endOf(record)}]`,
    outputSection(record.output),
  ].join('\n');
}

function endOf({ exitCode, signal, failure, stoppedBy }: RecordOf<'command_ended'>): string {
  if (failure !== undefined) return `It could not be started: ${failure}`;
  if (stoppedBy === 'agent') return 'You stopped it.';
  if (stoppedBy) return stoppedFact(stoppedBy);
  if (signal !== null) return `It was ended by ${signal}.`;
  return exitCode === null ? 'How it ended is not known.' : `It ended with exit code ${exitCode}.`;
}
