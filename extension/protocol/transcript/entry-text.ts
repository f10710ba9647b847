import * as l10n from '@vscode/l10n';
import { compactedWords, nobodyAnswered } from './notes.ts';
import { protectedText } from './protected-entry.ts';
import type { Entry } from './transcript-entry.ts';

/** A screen reader cannot skip within an announcement. The whole answer is in the conversation. */
const MAX_SPOKEN = 600;

/** The announcement for screen readers when an entry is complete or asks something, as text without Markdown syntax. */
export function spokenText(entry: Entry): string {
  if (entry.kind === 'note') return entry.text;
  if (entry.kind === 'compacted') return `${compactedWords(entry)}.`;
  if (entry.kind === 'protected') return shortened(protectedText(entry));
  if (entry.kind === 'choice') return shortened(l10n.t('Gantry asks: {0}. {1}', entry.title, entry.message));
  if (entry.kind === 'tool' && entry.approval) {
    const { title, message, request } = entry.approval;
    const details = request?.details;
    if (details?.type === 'ask_user') {
      return shortened(l10n.t('Gantry asks: {0}', details.questions.map(({ question }) => question).join(' ')));
    }
    return shortened(l10n.t('Gantry asks: {0}', `${title} ${message}`));
  }
  if (entry.kind === 'tool' && entry.unanswered) {
    return shortened(`${nobodyAnswered(entry.unanswered.minutes)}: ${entry.subject || entry.name}`);
  }
  if (entry.kind === 'tool' && entry.command?.blocked) {
    const { paths, hosts, closedHosts = [] } = entry.command.blocked;
    return shortened(l10n.t('The sandbox blocked {0}', [...paths, ...hosts, ...closedHosts].join(', ')));
  }
  if (entry.kind === 'tool' && entry.command?.state === 'waiting') {
    return shortened(l10n.t('Waiting for input: {0}', entry.subject));
  }
  if (entry.kind !== 'answer') return '';
  const words = entry.text
    .slice(0, MAX_SPOKEN * 4)
    .replace(
      /^ {0,3}(?:`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}(?:`{3,}|~{3,})\s*$|$(?![\s\S]))/gm,
      ` ${l10n.t('Code block.')} `,
    )
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s*(?:#{1,6}|>|[-*+]|\|)\s+/gm, '')
    .replace(/[*_`|]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return `Gantry: ${shortened(words)}`;
}

function shortened(words: string): string {
  return words.length > MAX_SPOKEN ? `${words.slice(0, MAX_SPOKEN)}…` : words;
}

/** The answer of the turn that ends with this entry, as Markdown. */
export function turnAnswer(entries: readonly Entry[], usageId: string): string {
  const end = entries.findIndex(({ id }) => id === usageId);
  const start = entries.findLastIndex(({ kind }, index) => index < end && (kind === 'user' || kind === 'usage'));
  const turn = entries.slice(start + 1, Math.max(end, 0));
  return turn.flatMap((entry) => (entry.kind === 'answer' ? entry.text.trim() : [])).join('\n\n');
}
