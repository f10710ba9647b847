import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import type { ToHost } from '../../extension/protocol/panel/host-messages.ts';
import {
  inOwnLanguage,
  type LinkedPiece,
  linkedPieces,
  type RulePlace,
  ruleWords,
} from '../../extension/protocol/words/rule-links.ts';
import { visiblePieces } from '../../extension/protocol/words/visible-text.ts';

/** Text with its hidden characters shown as codes. */
export function shown(text: string): (TemplateResult | string)[] {
  return visiblePieces(text).map(({ text: piece, hidden }) =>
    hidden ? html`<span class="glyph">${piece}</span>` : piece,
  );
}

/** A sentence about a call, with code formatted as code and the named rule as a link. */
export function worded(sentence: string, post: (message: ToHost) => void): (TemplateResult | string)[] {
  return drawn(inOwnLanguage(linkedPieces(sentence)), post);
}

/** The same sentence on one line that never cuts the name of the rule; undefined if no rule is named. */
export function wordedLine(sentence: string, post: (message: ToHost) => void): TemplateResult | undefined {
  const pieces = inOwnLanguage(linkedPieces(sentence));
  const at = pieces.findIndex(({ kind }) => kind === 'rule');
  if (at < 0) return undefined;
  return html`<span class="cut" title=${ruleWords(sentence)}>${drawn(pieces.slice(0, at), post)}</span>
    <span class="rule">${drawn(pieces.slice(at, at + 1), post)}<span class="w-wide">${drawn(pieces.slice(at + 1), post)}</span></span>`;
}

function drawn(pieces: readonly LinkedPiece[], post: (message: ToHost) => void): (TemplateResult | string)[] {
  return pieces.flatMap((piece) => {
    if (piece.kind === 'rule') return [ruleLink(piece, post)];
    return piece.kind === 'code' ? [html`<code>${shown(piece.text)}</code>`] : shown(piece.text);
  });
}

function ruleLink({ text, file, tier, line }: RulePlace, post: (message: ToHost) => void): TemplateResult {
  const open = (event: Event): void => {
    // VS Code follows links in webviews by itself. This link is handled here.
    event.preventDefault();
    post({ type: 'openRule', file, tier, ...(line !== undefined && { line }) });
  };
  return html`<a href="#" title=${l10n.t('Open this rule')} @click=${open} @auxclick=${open}>${text}</a>`;
}

/** A translated sentence with templates in place of {0}, {1} and so on. */
export function filled(sentence: string, ...parts: readonly unknown[]): readonly unknown[] {
  return sentence.split(/\{(\d+)\}/).map((piece, index) => (index % 2 === 0 ? piece : parts[Number(piece)]));
}
