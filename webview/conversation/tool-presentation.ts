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
  /** What the step shows when it is opened; empty when there is nothing to open. */
  readonly detail: string;
  /** The subject is code, not words or a file. */
  readonly isCode: boolean;
  /** What a running command wrote last; shown without being asked for. */
  readonly tail: string;
}

export interface StepSummary {
  readonly text: string;
  /** A reason may push the subject aside; a count and the end of a command stay when it is narrow; a note goes first. */
  readonly kind: 'reason' | 'count' | 'exit' | 'note';
}

/** Enough to see that it continues, and never so much that the conversation moves. */
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
  // What it waits for is worth more than that it runs.
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

/** The command ran, which is what was asked for; how it ended is its own affair. */
function hasFailed({ name, status, summary }: ToolEntry): boolean {
  return name === COMMAND && status === 'success' && !/^(?:exit 0|in background)$/.test(summary);
}

/** How a command ended. What the host knows it by is the same in every language. */
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

/** "1–118" or "41-60": the file opens where the reading began. */
function fileOf(entry: ToolEntry): { path: string; line?: number } {
  const first = entry.status === 'success' ? /^(\d+)\s*[–-]/.exec(entry.summary)?.[1] : undefined;
  return first === undefined ? { path: entry.subject } : { path: entry.subject, line: Number(first) };
}

/** The line cuts a long reason with an ellipsis, so a failed step can always be opened. Why it ran stands at the end. */
function detailOf(entry: ToolEntry): string {
  const isSaid = entry.status !== 'error' || entry.detail.includes(entry.summary);
  const parts = [isSaid ? '' : entry.summary, entry.detail];
  const shown = parts.filter((part) => part !== '');
  // A reason alone is not worth opening a step for.
  if (shown.length === 0) return '';
  return [...shown, ...(entry.why ? [entry.why] : [])].join('\n\n');
}
