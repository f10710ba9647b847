import * as l10n from '@vscode/l10n';
import { nobodyAnswered } from '../../extension/protocol/transcript/notes.ts';
import type { Entry } from '../../extension/protocol/transcript/transcript-entry.ts';
import type { IconName } from '../base/icons.ts';
import { type ToolWords, wordsFor } from './tool-words.ts';

type ToolEntry = Extract<Entry, { kind: 'tool' }>;

export function toolIcon(name: string): IconName {
  return wordsFor(name).icon;
}

export interface StepLine {
  readonly icon: IconName;
  readonly tone: '' | 'bad' | 'spin' | 'warn';
  readonly verb: string;
  readonly summary: StepSummary;
  readonly file: { readonly path: string; readonly line?: number } | undefined;
  /** The content of the expanded step; empty if there is nothing to expand. */
  readonly detail: string;
  /** True if the subject is code, and not text or a file. */
  readonly isCode: boolean;
  /** The last output of a running command, shown without expanding the step. */
  readonly tail: string;
}

export interface StepSummary {
  readonly text: string;
  /** In a narrow panel, a note is hidden first; a count and an exit status stay; a reason may displace the subject. */
  readonly kind: 'reason' | 'count' | 'exit' | 'note';
}

/** Enough lines to see progress, and few enough that the conversation does not move. */
const TAIL_LINES = 6;

export function stepLine(entry: ToolEntry): StepLine {
  const words = wordsFor(entry.name);
  const isCommand = entry.name === COMMAND;
  return {
    ...sign(entry, words.icon),
    verb: verbOf(entry, words),
    summary: summaryOf(entry),
    isCode: isCommand,
    tail: isCommand && entry.status === 'running' ? lastLines(entry.detail) : '',
    file: words.opensFile && entry.subject !== '' ? fileOf(entry) : undefined,
    detail: detailOf(entry),
  };
}

function verbOf({ status, rejected, unanswered, command }: ToolEntry, words: ToolWords): string {
  if (unanswered !== undefined) return l10n.t('Not done');
  if (rejected !== undefined) return l10n.t('Rejected');
  if (command?.state === 'lost') return l10n.t('Lost');
  // That the command waits for input matters more than that it runs.
  if (command?.state === 'waiting') return '';
  if (command?.typed !== undefined && status === 'success') return l10n.t('You ran');
  return words.verb(status);
}

function sign(entry: ToolEntry, icon: IconName): Pick<StepLine, 'icon' | 'tone'> {
  if (entry.command?.state === 'waiting') return { icon: 'keyboard', tone: 'warn' };
  if (entry.command?.state === 'background') return { icon: 'server-process', tone: '' };
  if (entry.command?.state === 'lost') return { icon: 'debug-disconnect', tone: '' };
  switch (entry.status) {
    case 'running':
      return { icon: 'loading', tone: 'spin' };
    case 'error':
      return { icon: 'error', tone: 'bad' };
    case 'cancelled':
      return { icon: 'circle-slash', tone: '' };
    case 'success':
      return hasFailed(entry) ? { icon: 'error', tone: 'bad' } : { icon, tone: '' };
  }
}

const COMMAND = 'run_shell_command';

/** Whether a command failed. The call itself succeeds if the command ran, whatever its exit code. */
function hasFailed({ name, status, summary }: ToolEntry): boolean {
  return name === COMMAND && status === 'success' && !/^(?:exit 0|in background)$/.test(summary);
}

/** The translated exit status. The host sends it in English. */
export function exitWords(summary: string): string {
  const code = /^exit (\d+)$/.exec(summary)?.[1];
  if (code !== undefined) return l10n.t('exit {0}', code);
  return summary === 'in background' ? l10n.t('in background') : summary;
}

function summaryOf(entry: ToolEntry): StepSummary {
  const { name, status, summary: text, rejected, unanswered } = entry;
  if (unanswered !== undefined) return { text: nobodyAnswered(unanswered.minutes), kind: 'reason' };
  if (rejected !== undefined) return { text: rejected === '' ? '' : `“${rejected}”`, kind: 'reason' };
  if (status === 'error') return { text, kind: 'reason' };
  if (name === COMMAND) return { text: exitWords(text), kind: 'exit' };
  return { text, kind: /^\+\d+ −\d+( · .*)?$/.test(text) ? 'count' : 'note' };
}

function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
}

/** Opens the file at the first line that was read, from a summary such as "1–118" or "41-60". */
function fileOf(entry: ToolEntry): { path: string; line?: number } {
  const first = entry.status === 'success' ? /^(\d+)\s*[–-]/.exec(entry.summary)?.[1] : undefined;
  return first === undefined ? { path: entry.subject } : { path: entry.subject, line: Number(first) };
}

/** A failed step can always be expanded, because its line cuts a long reason. The decision of the rules comes last. */
function detailOf(entry: ToolEntry): string {
  const isSaid = entry.status !== 'error' || entry.detail.includes(entry.summary);
  const parts = [isSaid ? '' : entry.summary, entry.detail];
  const shown = parts.filter((part) => part !== '');
  // The decision of the rules alone is not worth expanding a step.
  if (shown.length === 0) return '';
  return [...shown, ...(entry.why ? [entry.why] : [])].join('\n\n');
}
