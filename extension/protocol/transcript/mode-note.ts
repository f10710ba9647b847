import * as l10n from '@vscode/l10n';
import type { ApprovalMode } from '../agent/approval-mode.ts';
import type { Entry } from './transcript-entry.ts';

type Note = Extract<Entry, { kind: 'note' }>;

/** From here on more, or less, runs without a question. */
export function modeNote(id: string, mode: ApprovalMode): Note {
  return { kind: 'note', id, icon: 'info', text: modeWords(mode), quiet: true };
}

function modeWords(mode: ApprovalMode): string {
  switch (mode) {
    case 'plan':
      return l10n.t('Plan mode on: nothing is changed before you approve a plan');
    case 'default':
      return l10n.t('Default mode on: edits and commands ask first');
    case 'autoEdit':
      return l10n.t('AutoEdit on: files change without asking');
    case 'yolo':
      return l10n.t('YOLO on: everything runs without asking');
  }
}

export function modelNote(id: string, model: string): Note {
  return { kind: 'note', id, icon: 'info', text: l10n.t('From here on, {0} answers', model), quiet: true };
}
