import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import { visiblePieces } from '../../extension/protocol/words/visible-text.ts';
import { icon } from '../base/icons.ts';
import { isComposing } from '../composer/keys.ts';
import { EntryCell } from '../state/entry-cell.ts';
import { askButton } from './approval-buttons.ts';

/** No plan is longer than 1 MB, and no character than four bytes. */
const LONGEST = 256 * 1024;

/** The plan on a card: as it was proposed, or what the reader makes of it. What is drawn is what an approval covers. */
export class PlanDraft {
  cell: EntryCell;
  isEdited = false;
  /** Undefined unless it is being changed at this moment. */
  typed: string | undefined;
  private text: string;

  constructor(
    private readonly proposed: string,
    edited: string | undefined,
  ) {
    this.text = edited ?? proposed;
    this.cell = planCell(this.text);
    this.isEdited = this.text !== proposed;
  }

  /** What goes with an approval: nothing where the plan is as it was. */
  get answer(): { readonly plan?: string } {
    return this.isEdited ? { plan: this.text } : {};
  }

  begin(): void {
    this.typed = this.text;
  }

  /** Takes what was typed. Without a word there is no plan, so that is the one that was proposed. */
  end(text = this.typed ?? this.text): void {
    this.text = text.trim() === '' ? this.proposed : text;
    this.typed = undefined;
    this.isEdited = this.text !== this.proposed;
    this.cell = planCell(this.text);
  }

  discard(): void {
    this.end(this.proposed);
  }
}

/** As an answer is drawn, with what cannot be seen in it as code. */
function planCell(text: string): EntryCell {
  const visible = visiblePieces(text).map(({ text: piece, hidden }) => (hidden ? `\`${piece}\`` : piece));
  return new EntryCell({ kind: 'answer', id: 'plan', text: visible.join(''), state: 'done' });
}

export function planView({ cell }: PlanDraft): TemplateResult {
  return html`<div class="ask-plan ask-read" role="group" aria-label=${l10n.t('Plan')} tabindex="0">
    <gantry-markdown class="md" .cell=${cell}></gantry-markdown>
  </div>`;
}

export interface PlanEditor {
  readonly text: string;
  type(text: string): void;
  done(): void;
}

export function planEditor({ text, type, done }: PlanEditor): TemplateResult {
  return html`<div class="ask-edit">
    <textarea class="field" dir="auto" aria-label=${l10n.t('Edit plan')} maxlength=${LONGEST} spellcheck="false" .value=${text}
      @input=${(event: Event) => type((event.target as HTMLTextAreaElement).value)}
      @keydown=${(event: KeyboardEvent) => pressed(event, done)}></textarea>
  </div>`;
}

/** Enter is a new line here, also while it is held down. No key approves what is still being changed. */
function pressed(event: KeyboardEvent, done: () => void): void {
  if (isComposing(event) || (event.key !== 'Enter' && event.key !== 'Escape')) return;
  event.stopPropagation();
  if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) return;
  event.preventDefault();
  done();
}

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
