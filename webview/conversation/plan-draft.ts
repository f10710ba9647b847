import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import { visiblePieces } from '../../extension/protocol/words/visible-text.ts';
import { icon } from '../base/icons.ts';
import { isComposing } from '../composer/keys.ts';
import { EntryCell } from '../state/transcript.ts';
import { askButton } from './approval-buttons.ts';

/** No plan is longer than 1 MB, and no character is longer than four bytes. */
const LONGEST = 256 * 1024;

/** The plan on a card, as proposed or as changed by the reader. An approval covers exactly what is drawn. */
export class PlanDraft {
  cell: EntryCell;
  isEdited = false;
  /** Undefined unless the plan is being edited. */
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

  /** The part of an approval that has the changed plan; empty if the plan was not changed. */
  get answer(): { readonly plan?: string } {
    return this.isEdited ? { plan: this.text } : {};
  }

  begin(): void {
    this.typed = this.text;
  }

  /** Accepts the typed text. If it is blank, the proposed plan is restored. */
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

/** Drawn like an answer, with hidden characters as code. */
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

/** Enter inserts a line break here, even while it is held down. No key approves a plan that is being edited. */
function pressed(event: KeyboardEvent, done: () => void): void {
  if (isComposing(event) || (event.key !== 'Enter' && event.key !== 'Escape')) return;
  event.stopPropagation();
  if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) return;
  event.preventDefault();
  done();
}

/** The actions for the plan on a card, besides the answers. */
export interface PlanActs {
  readonly isEditing: boolean;
  readonly isEdited: boolean;
  edit(): void;
  done(): void;
  discard(): void;
}

/** Replaces the answers, so that a plan that is being edited can't be approved or rejected by mistake. */
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
