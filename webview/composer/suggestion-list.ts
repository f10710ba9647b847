import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { Suggestion, SuggestionGroup } from '../../extension/protocol/panel/input-to-panel.ts';
import { type IconName, icon } from '../base/icons.ts';
import type { Suggesting } from '../state/suggesting.ts';

const ICONS: Readonly<Record<Suggestion['icon'], IconName | undefined>> = {
  file: 'file-code',
  folder: 'folder-opened',
  symbol: 'symbol-method',
  problem: 'warning',
  terminal: 'terminal',
  changes: 'diff',
  agent: 'hubot',
  resource: 'server',
  // The slash already marks a command.
  command: undefined,
};

export const SUGGESTIONS_ID = 'suggestions';

interface ListActions {
  readonly point: (item: Suggestion) => void;
  readonly take: (item: Suggestion) => void;
}

/** The suggestions for the typed text, or a note that there are none. */
export function listView(
  { groups, active, token, isEmpty }: Suggesting,
  actions: ListActions,
): TemplateResult | typeof nothing {
  const isCommand = token?.about === 'command';
  if (isEmpty && isCommand) {
    // Anything may follow the name of a command.
    return /\s/.test(token.query) ? nothing : noSuggestion(l10n.t('There is no command with this name'));
  }
  if (isEmpty) return noSuggestion(l10n.t('No matches for this name'));
  if (groups.length === 0) return nothing;
  return suggestionList(isCommand ? l10n.t('Commands') : l10n.t('Mentions'), groups, active, actions);
}

/** The list above the input. The input keeps the focus. */
function suggestionList(
  name: string,
  groups: readonly SuggestionGroup[],
  active: Suggestion | undefined,
  actions: ListActions,
): TemplateResult {
  return html`<div class="menu suggestions" role="listbox" id=${SUGGESTIONS_ID} aria-label=${name} @mousedown=${keepFocus}>
    ${groups.map((group, index) => groupView(group, `${SUGGESTIONS_ID}-${index}`, active, actions))}
  </div>`;
}

export function suggestionId(item: Suggestion): string {
  return `option-${item.id}`;
}

/** Shows that nothing matches, in place of the list. */
function noSuggestion(words: string): TemplateResult {
  return html`<div class="menu suggestions"><p class="menu-empty" role="status">${words}</p></div>`;
}

function groupView(
  { title, items }: SuggestionGroup,
  id: string,
  active: Suggestion | undefined,
  actions: ListActions,
): TemplateResult | readonly TemplateResult[] {
  const options = items.map((item) => option(item, item === active, actions));
  if (title === '') return options;
  return html`<div role="group" aria-labelledby=${id}>
    <div class="menu-title" role="presentation" id=${id}>${title}</div>
    ${options}
  </div>`;
}

function option(item: Suggestion, isActive: boolean, { point, take }: ListActions): TemplateResult {
  const { label, marks, hint, detail } = item;
  const sign = ICONS[item.icon];
  return html`<div class="item" role="option" id=${suggestionId(item)} aria-selected=${isActive} title=${`${label} ${detail}`.trim()}
    @pointermove=${() => point(item)} @click=${() => take(item)}>
    ${sign ? icon(sign) : nothing}
    <span class="name">${marked(label, marks)}${hint === undefined ? nothing : html` <span class="hint">${hint}</span>`}</span>
    <span class="detail cut">${detail}</span>
  </div>`;
}

/** Marks the characters that match the typed text. */
function marked(label: string, marks: readonly number[]): readonly (TemplateResult | string)[] {
  const isMarked = new Set(marks);
  const runs: { text: string; marked: boolean }[] = [];
  for (let at = 0; at < label.length; at++) {
    const last = runs.at(-1);
    if (last && last.marked === isMarked.has(at)) last.text += label[at];
    else runs.push({ text: label.charAt(at), marked: isMarked.has(at) });
  }
  return runs.map(({ text, marked }) => (marked ? html`<span class="hl">${text}</span>` : text));
}

/** Pressing the mouse on the list leaves the caret in the input. */
function keepFocus(event: Event): void {
  event.preventDefault();
}
