import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Attachment } from '../../extension/protocol/attachment.ts';
import { formatCount } from '../../extension/protocol/format-count.ts';
import type { EditorChip } from '../../extension/protocol/panel-messages.ts';
import { type IconName, icon } from '../icons.ts';
import { LONGEST_DRAFT } from '../state/composer-state.ts';

const ICONS: Readonly<Record<Attachment['kind'], IconName>> = {
  file: 'file-code',
  folder: 'folder-opened',
  selection: 'file-code',
  terminal: 'terminal',
  problem: 'warning',
  changes: 'diff',
};

interface ChipActions {
  readonly dropHeld: () => void;
  readonly remove: (attachment: Attachment) => void;
}

/** What goes with the next message, each with a button that takes it out. */
export function composerChips(
  held: string | undefined,
  attachments: readonly Attachment[],
  { dropHeld, remove }: ChipActions,
): TemplateResult | typeof nothing {
  if (held === undefined && attachments.length === 0) return nothing;
  return html`<div class="chips" role="group" aria-label="Attached">
    ${held === undefined ? nothing : heldChip(held, dropHeld)}
    ${repeat(
      attachments,
      ({ id }) => id,
      (attachment) => html`<span class="chip" title=${attachment.path ?? attachment.label}>
        ${icon(ICONS[attachment.kind])}<span class="cut">${attachment.label}</span>
        ${removeButton(attachment.label, () => remove(attachment))}
      </span>`,
    )}
  </div>`;
}

/** What is short waits only for the command in the input, so its words say what it is. */
function heldChip(text: string, drop: () => void): TemplateResult {
  const isLong = text.length > LONGEST_DRAFT;
  return html`<span class="chip" title=${isLong ? nothing : `Not part of the command: ${text}`}>
    <span class="cut">${isLong ? `Long text · ${formatCount(text.length)} characters` : text}</span>
    ${removeButton(isLong ? 'long text' : 'text', drop)}
  </span>`;
}

function removeButton(label: string, remove: () => void): TemplateResult {
  const name = `Remove ${label}`;
  return html`<button class="icon" type="button" aria-label=${name} title=${name} @click=${remove}>
    ${icon('close')}
  </button>`;
}

/** What of the editor would go with a message, and the switch for it. */
export function editorChip(
  chip: EditorChip | undefined,
  include: (included: boolean) => void,
): TemplateResult | typeof nothing {
  if (!chip) return nothing;
  const { label, summary, included } = chip;
  const title = included
    ? `Sent along with your message: ${summary}. Press to leave it out.`
    : 'The open editor is not sent. Press to send it along.';
  return html`<button class="chip open-editor" type="button" aria-label="Include open editor: ${label}"
    aria-pressed=${included} title=${title} @click=${() => include(!included)}>
    ${icon(included ? 'eye' : 'eye-closed')}<span class="cut">${label}</span>
  </button>`;
}

/** What went with a message: files can be opened. */
export function sentChips(
  attachments: readonly Attachment[],
  editor: string | undefined,
  open: (path: string, line: number | undefined) => void,
): TemplateResult | typeof nothing {
  if (attachments.length === 0 && editor === undefined) return nothing;
  return html`<div class="chips" role="group" aria-label="Sent along">
    ${attachments.map((attachment) => sentChip(attachment, open))}
    ${
      editor === undefined
        ? nothing
        : html`<span class="chip" title="What was open in the editor">${icon('eye')}<span class="cut">${editor}</span></span>`
    }
  </div>`;
}

function sentChip(
  { kind, label, path, startLine }: Attachment,
  open: (path: string, line: number | undefined) => void,
): TemplateResult {
  const inside = html`${icon(ICONS[kind])}<span class="cut">${label}</span>`;
  if (path === undefined || kind === 'folder') return html`<span class="chip" title=${path ?? label}>${inside}</span>`;
  return html`<button class="chip" type="button" aria-label="Open ${label}" title=${path}
    @click=${() => open(path, startLine)}>${inside}</button>`;
}
