import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { SessionItem } from '../../extension/protocol/panel/sheets-to-panel.ts';
import { type IconName, icon } from '../base/icons.ts';

export interface SessionActs {
  open(): void;
  pin(): void;
  rename(): void;
  fork(): void;
  export(): void;
  delete(): void;
}

/** The actions for the selected session. */
export function sessionToolbar(item: SessionItem | undefined, count: number, acts: SessionActs): TemplateResult {
  const words = count === 1 ? l10n.t('1 session') : l10n.t('{0} sessions', count);
  return html`<div class="sheet-foot">
    ${item ? toolbar(item, acts) : nothing}
    <span class="small muted count ${item ? 'w-wide' : ''}">${words}</span>
  </div>`;
}

/** A session that another window has open can be read, copied and exported. An unreadable one can only be deleted. */
function toolbar(item: SessionItem, acts: SessionActs): TemplateResult {
  const isBroken = item.problem !== undefined;
  const held = item.tag === 'otherWindow' ? l10n.t('another window has it open') : undefined;
  const broken = isBroken ? l10n.t('it cannot be read') : undefined;
  const why = broken ?? held;
  return html`<div class="toolbar" role="toolbar" aria-label=${item.title} @keydown=${moveAlong}>
    <vscode-button appearance="primary" aria-disabled=${isBroken} title=${isBroken ? l10n.t("Open: the session can't be read") : l10n.t('Open (Enter)')}
      @click=${isBroken ? nothing : acts.open}>${l10n.t('Open')}</vscode-button>
    ${button(item.pinned ? l10n.t('Unpin') : l10n.t('Pin'), item.pinned ? 'pinned' : 'pin', '', why, acts.pin)}
    ${button(l10n.t('Rename'), 'rename', l10n.t('F2'), why, acts.rename)}
    ${button(l10n.t('Fork'), 'repo-forked', '', broken, acts.fork)}
    ${button(l10n.t('Export'), 'export', '', broken, acts.export)}
    ${button(l10n.t('Delete'), 'trash', l10n.t({ message: 'Delete', comment: 'the key' }), held, acts.delete)}
  </div>`;
}

function button(name: string, sign: IconName, key: string, why: string | undefined, act: () => void): TemplateResult {
  const hint = key === '' ? name : `${name} (${key})`;
  return html`<button class="icon" type="button" aria-label=${name} aria-disabled=${why !== undefined}
    title=${why === undefined ? hint : `${name}: ${why}`} @click=${why === undefined ? act : nothing}>${icon(sign)}</button>`;
}

/** The arrow keys move along the toolbar. */
function moveAlong(event: KeyboardEvent): void {
  const { key, currentTarget } = event;
  if ((key !== 'ArrowLeft' && key !== 'ArrowRight') || !(currentTarget instanceof HTMLElement)) return;
  const buttons = [...currentTarget.querySelectorAll<HTMLElement>('vscode-button, button')];
  const at = buttons.findIndex((one) => one.matches(':focus, :focus-within'));
  const isForward = (key === 'ArrowRight') === (getComputedStyle(currentTarget).direction === 'ltr');
  buttons[(at + (isForward ? 1 : -1) + buttons.length) % buttons.length]?.focus();
  event.preventDefault();
}
