import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import type { SendKey } from '../../extension/protocol/panel/input-to-panel.ts';
import type { RewindPreview } from '../../extension/protocol/panel/sheets-to-panel.ts';
import { emit, postToHost } from '../base/events.ts';
import { icon } from '../base/icons.ts';
import { LightElement } from '../base/light-element.ts';
import { composerKey, isComposing, sendKeyWords } from '../composer/keys.ts';
import { chosen, type FileActs, rewindFiles } from '../rewind/rewind-files.ts';
import { putBackWords } from '../rewind/rewind-words.ts';
import { LONGEST_DRAFT } from '../state/composer-state.ts';
import type { Editing } from '../state/editing.ts';

/** Edits a message in place: an input, and the effects on files if it is sent. */
@customElement('gantry-message-editor')
export class MessageEditor extends LightElement {
  @property({ attribute: false }) editing!: Editing;
  @property({ attribute: false }) sendKey: SendKey = 'enter';
  @query('textarea') private input!: HTMLTextAreaElement;

  /** Focuses the input with the caret at the end. */
  focusInput(): void {
    this.input.focus();
    const { length } = this.input.value;
    this.input.setSelectionRange(length, length);
  }

  override render(): TemplateResult {
    const { text, preview, refusal } = this.editing;
    return html`<div class="composer">
        <textarea aria-label=${l10n.t('Edit message')} aria-describedby="edit-hint" rows="1" maxlength=${LONGEST_DRAFT}
          .value=${live(text)} @input=${this.typed} @keydown=${this.pressed}></textarea>
        <div class="composer-bar">
          <span class="grow small muted" id="edit-hint">${l10n.t('Everything after it is removed from the conversation')}</span>
          <button class="ghost" type="button" title=${l10n.t('Keep the message as it was (Escape)')}
            @click=${this.cancel}>${l10n.t('Cancel')}</button>
          <button class="icon send" type="button" aria-label=${l10n.t('Send again')} title=${this.sendHint}
            aria-disabled=${!this.canSend} @click=${this.send}>${icon('arrow-up')}</button>
        </div>
      </div>
      ${refusal ? html`<p class="edit-refusal small" role="alert">${icon('warning', 'warn')}<span><b>${refusal.title}.</b> ${refusal.detail}</span></p>` : nothing}
      ${preview ? this.files(preview) : nothing}`;
  }

  private get canSend(): boolean {
    const { text, preview } = this.editing;
    return text.trim() !== '' && preview !== undefined;
  }

  private get sendHint(): string {
    const { text, preview, refusal } = this.editing;
    if (text.trim() === '') return l10n.t('Send again: write a message first');
    if (refusal) return l10n.t('Send again: {0}', refusal.detail);
    return preview
      ? l10n.t('Send again ({0})', sendKeyWords(this.sendKey))
      : l10n.t('Send again: checking what would change');
  }

  /** Asks about files together with the text. If no file has changed since, there is nothing to ask. */
  private files(preview: RewindPreview): TemplateResult | typeof nothing {
    const { files, filesStay } = preview;
    if (files.length === 0) return nothing;
    if (filesStay !== undefined) return html`<p class="small muted">${filesStay}</p>`;
    const { what, overwrite } = this.editing;
    return html`<div class="edit-files">
      <div class="opts" role="radiogroup" aria-label=${l10n.t('Files changed since')}>
        ${this.option('both', putBackWords(preview))}
        ${this.option('conversation', l10n.t('Keep files as they are'))}
      </div>
      ${what === 'both' ? rewindFiles(files, overwrite, this.fileActs) : nothing}
      ${preview.commands.length === 0 ? nothing : html`<p class="small muted">${l10n.t('Commands are not reversed.')}</p>`}
    </div>`;
  }

  private option(what: Editing['what'], words: string): TemplateResult {
    const pick = (): void => emit(this, 'gantry-edit-change', { what });
    return html`<label class="opt">
      <input type="radio" name="edit-files" value=${what} .checked=${this.editing.what === what} @change=${pick} />
      <span class="small">${words}</span>
    </label>`;
  }

  private readonly fileActs: FileActs = {
    compare: (path) => postToHost(this, { type: 'compareRewind', messageId: this.editing.messageId, path }),
    overwrite: (path, wanted) =>
      emit(this, 'gantry-edit-change', { overwrite: chosen(this.editing.overwrite, path, wanted) }),
  };

  private typed(): void {
    emit(this, 'gantry-edit-change', { text: this.input.value });
  }

  private readonly send = (): void => {
    if (this.canSend) emit(this, 'gantry-edit-send', undefined);
  };

  private readonly cancel = (): void => emit(this, 'gantry-edit-end', undefined);

  private pressed(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    const isSend = composerKey(event, false, this.sendKey) === 'send';
    if (event.key === 'Escape') this.cancel();
    else if (isSend) this.send();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-message-editor': MessageEditor;
  }
}
