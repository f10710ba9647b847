import * as l10n from '@vscode/l10n';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { RewindWay } from '../../extension/protocol/panel/sheets-to-host.ts';
import type { RewindPreview } from '../../extension/protocol/panel/sheets-to-panel.ts';
import { emit, postToHost } from '../base/events.ts';
import { icon } from '../base/icons.ts';
import { LightElement } from '../base/light-element.ts';
import { sheetView } from '../base/sheet-view.ts';
import type { RewindState } from '../state/sheets.ts';
import { chosen, type FileActs, rewindFiles } from './rewind-files.ts';
import { grantWords, leavingWords, turnWords } from './rewind-words.ts';

interface Way {
  readonly way: RewindWay;
  readonly name: string;
  readonly detail?: string;
}

const ways = (): readonly Way[] => [
  { way: 'both', name: l10n.t('Conversation and files') },
  { way: 'conversation', name: l10n.t('Conversation only') },
  { way: 'files', name: l10n.t('Files only') },
  {
    way: 'fork',
    name: l10n.t('New session from here'),
    detail: l10n.t('This session and all files stay as they are'),
  },
];

/** A rewind to before a message: the choice of what to rewind, and its effects. */
@customElement('gantry-rewind')
export class RewindSheetView extends LightElement {
  @property({ attribute: false }) rewind!: RewindState;
  @state() private picked: RewindWay | undefined;
  @state() private overwrite: readonly string[] = [];

  override render(): TemplateResult {
    const { preview, refusal } = this.rewind;
    const body = html`<div class="sheet-body rewind">
      ${preview ? this.preview(preview) : nothing}
      ${refusal ? html`<div class="alert warning" role="alert">${icon('warning')}<h2>${refusal.title}</h2><p>${refusal.detail}</p></div>` : nothing}
      ${preview || refusal ? nothing : html`<p class="menu-empty" role="status">${icon('loading', 'spin')}${l10n.t('Checking what would change')}</p>`}
    </div>`;
    return html`<div class="sheet-keys" @keydown=${this.pressed}>${sheetView(l10n.t('Rewind'), nothing, body, this.foot())}</div>`;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get('rewind');
    if (before && before.messageId !== this.rewind.messageId) {
      this.picked = undefined;
      this.overwrite = [];
    }
  }

  protected override updated(changed: PropertyValues<this>): void {
    const isNew = this.rewind.preview !== undefined && changed.has('rewind') && !changed.get('rewind')?.preview;
    if (!isNew) return;
    const first = this.querySelector<HTMLElement>('input[type=radio]:checked');
    // Don't take the focus if the reader has moved it meanwhile.
    if (document.activeElement === document.body || this.contains(document.activeElement)) first?.focus();
  }

  protected override firstUpdated(): void {
    this.querySelector<HTMLElement>('.sheet-head button')?.focus();
  }

  private get way(): RewindWay {
    return this.picked ?? (this.rewind.preview?.filesStay === undefined ? 'both' : 'conversation');
  }

  private preview(preview: RewindPreview): TemplateResult {
    const { way } = this;
    return html`<p class="small muted">${l10n.t('Back to just before')}</p>
      <div class="you">
        <p class="plain cut-lines">${preview.text}</p>
        <p class="small muted">${turnWords(preview)}</p>
      </div>
      <div class="opts" role="radiogroup" aria-label=${l10n.t('What to rewind')}>
        ${ways().map(({ way: each, name, detail }) => this.option(each, name, detail, preview))}
      </div>
      ${way === 'both' || way === 'conversation' ? conversationPart(preview) : nothing}
      ${way === 'fork' ? nothing : this.filesPart(preview)}
      ${way === 'fork' || preview.commands.length === 0 ? nothing : notUndone(preview)}`;
  }

  private option(way: RewindWay, name: string, detail: string | undefined, preview: RewindPreview): TemplateResult {
    const isOff = preview.filesStay !== undefined && (way === 'both' || way === 'files');
    const words = isOff ? preview.filesStay : detail;
    const pick = (): void => {
      this.picked = way;
    };
    return html`<label class="opt">
      <input type="radio" name="rewind-way" value=${way} ?disabled=${isOff} .checked=${this.way === way} @change=${pick} />
      <span>${name}</span>
      ${words === undefined ? nothing : html`<small>${words}</small>`}
    </label>`;
  }

  private filesPart(preview: RewindPreview): TemplateResult {
    const { files } = preview;
    if (this.way === 'conversation' || preview.filesStay !== undefined) {
      return html`<h2 class="sect">${l10n.t('Files')}</h2><p class="small muted">${l10n.t('They stay as they are.')}</p>`;
    }
    if (files.length === 0)
      return html`<h2 class="sect">${l10n.t('Files')}</h2><p class="small muted">${l10n.t('No file has to be restored.')}</p>`;
    return html`<h2 class="sect">
        <span class="grow">${l10n.t('Files')}</span>
        <button class="ghost link" type="button" @click=${this.compareAll}>${l10n.t('Show all as diff')}</button>
      </h2>
      ${rewindFiles(files, this.overwrite, this.fileActs)}`;
  }

  private foot(): TemplateResult {
    const { preview, busy } = this.rewind;
    const isReady = preview !== undefined && !busy;
    const name = this.way === 'fork' ? l10n.t('New session') : l10n.t('Rewind');
    return html`<div class="sheet-foot">
      <vscode-button appearance="primary" aria-disabled=${!isReady} @click=${isReady ? this.goBack : nothing}>${name}</vscode-button>
      <vscode-button appearance="secondary" @click=${this.cancel}>${l10n.t('Cancel')}</vscode-button>
      ${this.way === 'fork' ? nothing : html`<span class="small muted count">${l10n.t('Can be undone')}</span>`}
    </div>`;
  }

  private readonly fileActs: FileActs = {
    compare: (path) => postToHost(this, { type: 'compareRewind', messageId: this.rewind.messageId, path }),
    overwrite: (path, wanted) => {
      this.overwrite = chosen(this.overwrite, path, wanted);
    },
  };

  private readonly compareAll = (): void =>
    postToHost(this, { type: 'compareRewind', messageId: this.rewind.messageId });

  private readonly goBack = (): void =>
    emit(this, 'gantry-rewind', {
      what: this.way,
      overwrite: this.way === 'both' || this.way === 'files' ? this.overwrite : [],
    });

  private readonly cancel = (): void => emit(this, 'gantry-sheet-close', undefined);

  private pressed(event: KeyboardEvent): void {
    if (event.isComposing || event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    this.cancel();
  }
}

function conversationPart(preview: RewindPreview): TemplateResult {
  return html`<h2 class="sect">${l10n.t('Conversation')}</h2>
    <ul class="rewind-files">
      <li class="file">${icon('comment-discussion')}<span>${leavingWords(preview)}</span></li>
      <li class="file">${icon('edit')}<span>${l10n.t('Your message returns to the input')}</span></li>
      ${
        preview.grants.length === 0
          ? nothing
          : html`<li class="file">${icon('shield')}<span>${grantWords(preview)}${preview.grants.map(
              (name, index) => html`${index > 0 ? ', ' : ''}<code>${name}</code>`,
            )}</span></li>`
      }
    </ul>`;
}

function notUndone({ commands }: RewindPreview): TemplateResult {
  return html`<h2 class="sect">${l10n.t('Not undone')}</h2>
    <ul class="rewind-files" aria-label=${l10n.t('Not undone')}>
      ${commands.map(
        (command) =>
          html`<li class="file">${icon('terminal')}<span class="cut mono" title=${command}>${command}</span></li>`,
      )}
    </ul>
    <p class="small muted not-undone">${l10n.t('Commands are not reversed.')}</p>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-rewind': RewindSheetView;
  }
}
