import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { SessionItem } from '../../extension/protocol/panel/sheets-to-panel.ts';
import { icon } from '../base/icons.ts';
import { detailsOf, type SessionRow, signOf, TAGS } from './session-list.ts';

interface OptionActions {
  open(item: SessionItem): void;
  select(item: SessionItem): void;
}

/** A session in two lines: its title and state, then its time and folder, or the match of the search. */
export function sessionOption(
  { item, hit }: SessionRow,
  isActive: boolean,
  now: number,
  { open, select }: OptionActions,
): TemplateResult {
  const details = detailsOf(item, now);
  const menu = (event: Event): void => {
    event.preventDefault();
    select(item);
  };
  return html`<div class="session ${item.tag ?? ''}" role="option" id=${sessionOptionId(item)} aria-selected=${isActive}
    aria-current=${item.current ? 'true' : nothing} @click=${() => open(item)} @contextmenu=${menu}>
    ${icon(signOf(item), item.tag === 'stopped' ? 'bad' : '')}
    <span class="cut title" title=${item.title}>${item.title}</span>
    ${tagView(item)}
    <span class="cut details" title=${details}>
      ${item.pinned ? html`<span class="sr">${l10n.t('Pinned')} · </span>` : nothing}${
        hit ? html`${hit.before}<mark>${hit.match}</mark>${hit.after}` : details
      }
    </span>
  </div>`;
}

function tagView({ tag }: SessionItem): TemplateResult | typeof nothing {
  if (!tag) return nothing;
  const { words, short, sign } = TAGS[tag];
  return html`<span class="tag ${tag === 'newAnswer' ? 'solid' : ''}">${sign ? icon(sign) : nothing}${
    short ? html`<span class="w-wide">${words()}</span><span class="w-narrow">${short()}</span>` : words()
  }</span>`;
}

export function sessionOptionId({ id }: SessionItem): string {
  return `session-${id}`;
}
