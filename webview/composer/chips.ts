import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Attachment, ShownAttachment } from '../../extension/protocol/agent/attachment.ts';
import type { EditorChip } from '../../extension/protocol/panel/panel-messages.ts';
import { formatCount } from '../../extension/protocol/words/numbers.ts';
import { type IconName, icon } from '../base/icons.ts';
import { LONGEST_DRAFT } from '../state/composer-state.ts';

const ICONS: Readonly<Record<Attachment['kind'], IconName>> = {
  file: 'file-code',
  folder: 'folder-opened',
  selection: 'file-code',
  terminal: 'terminal',
  problem: 'warning',
  changes: 'diff',
  resource: 'server',
  prompt: 'comment-discussion',
  piped: 'terminal',
  image: 'file-media',
  document: 'file-pdf',
};

interface ChipActions {
  readonly dropHeld: () => void;
  readonly remove: (attachment: ShownAttachment, byKey: boolean) => void;
  /** Called when the pointer or the focus enters or leaves a chip. */
  readonly show: (attachment: ShownAttachment | undefined) => void;
}

/** The attachments of the next message, each with a button that removes it. */
export function composerChips(
  held: string | undefined,
  attachments: readonly ShownAttachment[],
  { dropHeld, remove, show }: ChipActions,
): TemplateResult | typeof nothing {
  if (held === undefined && attachments.length === 0) return nothing;
  return html`<div class="chips" role="group" aria-label=${l10n.t('Attached')} @keydown=${moveBetween}>
    ${held === undefined ? nothing : heldChip(held, dropHeld)}
    ${repeat(
      attachments,
      ({ id }) => id,
      (
        attachment,
      ) => html`<span class="chip" data-id=${attachment.id} title=${hasPreview(attachment) ? nothing : (attachment.path ?? attachment.label)}
        @pointerenter=${() => show(attachment)} @pointerleave=${() => show(undefined)}
        @focusin=${() => show(attachment)} @focusout=${() => show(undefined)}>
        ${thumbnail(attachment)}<span class="cut">${attachment.label}</span>
        ${removeButton(l10n.t('Remove {0}', attachment.label), (byKey) => remove(attachment, byKey))}
      </span>`,
    )}
  </div>`;
}

function thumbnail({ kind, picture }: ShownAttachment): TemplateResult {
  return picture === undefined ? icon(ICONS[kind]) : html`<img class="thumbnail" src=${picture} alt="" />`;
}

function hasPreview({ excerpt, picture }: ShownAttachment): boolean {
  return excerpt !== undefined || picture !== undefined;
}

/** The preview above the input while the pointer or the focus is on a chip. */
export function chipPreview(shown: ShownAttachment | undefined): TemplateResult | typeof nothing {
  if (!shown || !hasPreview(shown)) return nothing;
  const { label, path, picture, excerpt } = shown;
  return html`<div class="menu preview" role="tooltip" id="chip-preview">
    <div class="menu-title cut">${path ?? label}</div>
    ${picture === undefined ? html`<pre>${excerpt}</pre>` : html`<img src=${picture} alt="" />`}
  </div>`;
}

/** A short text is held only because the input contains a command, so the chip shows the text itself. */
function heldChip(text: string, drop: () => void): TemplateResult {
  const isLong = text.length > LONGEST_DRAFT;
  return html`<span class="chip" title=${isLong ? nothing : l10n.t('Not part of the command: {0}', text)}>
    <span class="cut">${isLong ? l10n.t('Long text · {0} characters', formatCount(text.length)) : text}</span>
    ${removeButton(isLong ? l10n.t('Remove long text') : l10n.t('Remove text'), drop)}
  </span>`;
}

/** A button that also reacts to Delete and Backspace. */
function removeButton(name: string, remove: (byKey: boolean) => void): TemplateResult {
  const pressed = (event: KeyboardEvent): void => {
    if (event.key !== 'Delete' && event.key !== 'Backspace') return;
    event.preventDefault();
    remove(true);
  };
  // A click that was triggered by a key has no click count.
  return html`<button class="icon" type="button" aria-label=${name} title=${name} @keydown=${pressed}
    @click=${(event: MouseEvent) => remove(event.detail === 0)}>
    ${icon('close')}
  </button>`;
}

/** The left and right arrow keys move between chips. */
function moveBetween(event: KeyboardEvent): void {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by === undefined || !(event.currentTarget instanceof HTMLElement)) return;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('.chip button')];
  const next = buttons[buttons.findIndex((button) => button.matches(':focus')) + by];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/** The editor context that would be sent with a message, and the toggle for it. */
export function editorChip(
  chip: EditorChip | undefined,
  include: (included: boolean) => void,
): TemplateResult | typeof nothing {
  if (!chip) return nothing;
  const { label, summary, included } = chip;
  const title = included
    ? l10n.t('Sent with your message: {0}. Select to exclude it.', summary)
    : l10n.t('The open editor is not sent. Select to include it.');
  return html`<button class="chip open-editor" type="button" aria-label=${l10n.t('Include open editor: {0}', label)}
    aria-pressed=${included} title=${title} @click=${() => include(!included)}>
    ${icon(included ? 'eye' : 'eye-closed')}<span class="cut">${label}</span>
  </button>`;
}

/** The attachments of a sent message. Files can be opened. */
export function sentChips(
  attachments: readonly Attachment[],
  editor: string | undefined,
  open: (path: string, line: number | undefined) => void,
): TemplateResult | typeof nothing {
  if (attachments.length === 0 && editor === undefined) return nothing;
  return html`<div class="chips" role="group" aria-label=${l10n.t('Sent with it')}>
    ${attachments.map((attachment) => sentChip(attachment, open))}
    ${
      editor === undefined
        ? nothing
        : html`<span class="chip" title=${l10n.t('What was open in the editor')}>${icon('eye')}<span class="cut">${editor}</span></span>`
    }
  </div>`;
}

function sentChip(
  { kind, label, path, startLine }: Attachment,
  open: (path: string, line: number | undefined) => void,
): TemplateResult {
  const inside = html`${icon(ICONS[kind])}<span class="cut">${label}</span>`;
  if (path === undefined || kind === 'folder') return html`<span class="chip" title=${path ?? label}>${inside}</span>`;
  return html`<button class="chip" type="button" aria-label=${l10n.t('Open {0}', label)} title=${path}
    @click=${() => open(path, startLine)}>${inside}</button>`;
}
