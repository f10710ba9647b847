import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import type { ToHost } from '../../extension/protocol/host-messages.ts';
import { visiblePieces } from '../../extension/protocol/visible-text.ts';
import { type RulePlace, type WordPiece, wordPieces } from './worded-text.ts';

/** Text whose hidden characters are shown by their codes. */
export function shown(text: string): (TemplateResult | string)[] {
  return visiblePieces(text).map(({ text: piece, hidden }) =>
    hidden ? html`<span class="glyph">${piece}</span>` : piece,
  );
}

/** A sentence about a call: code as code, and the rule it names as a link to it. */
export function worded(sentence: string, post: (message: ToHost) => void): (TemplateResult | string)[] {
  return inOwnLanguage(wordPieces(sentence)).flatMap((piece) => {
    if (piece.kind === 'rule') return [ruleLink(piece, post)];
    return piece.kind === 'code' ? [html`<code>${shown(piece.text)}</code>`] : shown(piece.text);
  });
}

/** The host says where a rule stands as the model is told it; here is what stands around its name. */
function inOwnLanguage(pieces: readonly WordPiece[]): readonly WordPiece[] {
  const [before = '', between = '', after = ''] = l10n.t('Rule {0} ({1})').split(/\{\d\}/);
  return pieces.map((piece, index): WordPiece => {
    if (piece.kind !== 'text') return piece;
    const last = pieces[index - 1];
    const begins = last?.kind === 'rule' ? ` (${last.tier})` : '';
    const text =
      piece.text.startsWith(begins) && last?.kind === 'rule'
        ? between + tierWord(last.tier) + after + piece.text.slice(begins.length)
        : piece.text;
    return { kind: 'text', text: pieces[index + 1]?.kind === 'rule' ? text.replace(/Rule $/, () => before) : text };
  });
}

function tierWord(tier: string): string {
  switch (tier) {
    case 'shipped':
      return l10n.t('shipped');
    case 'extension':
      return l10n.t('extension');
    case 'workspace':
      return l10n.t('workspace');
    case 'user':
      return l10n.t('user');
    case 'administrator':
      return l10n.t('administrator');
    default:
      return tier;
  }
}

function ruleLink({ text, file, tier, line }: RulePlace, post: (message: ToHost) => void): TemplateResult {
  const open = (event: Event): void => {
    // VS Code follows links in webviews by itself; this one is ours.
    event.preventDefault();
    post({ type: 'openRule', file, tier, ...(line !== undefined && { line }) });
  };
  return html`<a href="#" title=${l10n.t('Open this rule')} @click=${open} @auxclick=${open}>${text}</a>`;
}
