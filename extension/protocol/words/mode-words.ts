import * as l10n from '@vscode/l10n';
import type { ApprovalMode } from '../agent/approval-mode.ts';

export function modeTitle(mode: ApprovalMode): string {
  return {
    plan: l10n.t('Plan'),
    default: l10n.t('Ask'),
    autoEdit: l10n.t('Edit'),
    yolo: l10n.t('Run everything'),
  }[mode];
}

/** What runs without asking in a mode, as one or two sentences. */
export function aboutMode(mode: ApprovalMode): string {
  switch (mode) {
    case 'default':
      return l10n.t('Gantry reads and searches. It asks before changes, commands and web pages.');
    case 'autoEdit':
      return l10n.t('Gantry edits files and fetches web pages. Commands require approval.');
    case 'plan':
      return l10n.t('Gantry reads, asks and writes a plan. It changes nothing.');
    case 'yolo':
      return l10n.t('Gantry asks only for protected files and for risky or unclear commands.');
  }
}
