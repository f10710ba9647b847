import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import { icon } from '../icons.ts';
import { askButton } from './approval-buttons.ts';

/** What can be done with the plan on a card besides answering. */
export interface PlanActs {
  readonly isEditing: boolean;
  readonly isEdited: boolean;
  edit(): void;
  done(): void;
  discard(): void;
}

/** In the place of the answers: what is still being changed can be neither approved nor rejected by mistake. */
export function planEditActs({ done, discard }: PlanActs): TemplateResult {
  return html`<div class="acts">
      ${askButton({ label: l10n.t('Done'), appearance: 'primary', isBusy: false, act: done })}
      ${askButton({ label: l10n.t('Discard changes'), appearance: 'secondary', isBusy: false, act: discard })}
    </div>
    <p class="small muted">${l10n.t('Nothing is approved yet. Done shows your version of the plan.')}</p>`;
}

export function planNote(): TemplateResult {
  return html`<p class="why">${icon('edit')}<span>${l10n.t('Changed by you. Approve uses this text.')}</span></p>`;
}
