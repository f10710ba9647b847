import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import type { Attachment } from '../../extension/protocol/attachment.ts';
import { isCompressCommand } from '../../extension/protocol/compaction.ts';
import type { EditorChip } from '../../extension/protocol/panel-messages.ts';
import { announce, emit, postToHost } from '../events.ts';
import { icon } from '../icons.ts';
import { LightElement } from '../light-element.ts';
import {
  type ComposerState,
  canSend,
  type Delivery,
  isDirect,
  LONGEST_DRAFT,
  messageOf,
  type Refusal,
} from '../state/composer-state.ts';
import { composerChips, editorChip } from './chips.ts';
import { composerKey } from './keys.ts';

/** The input with Send and Stop, what goes with the message, and above it why the last message was refused. */
@customElement('gantry-composer')
export class Composer extends LightElement {
  @property({ attribute: false }) state!: ComposerState;
  @property({ attribute: false }) attachments: readonly Attachment[] = [];
  @property({ attribute: false }) editor: EditorChip | undefined;
  @property({ attribute: false }) running = false;
  /** Another window has the session. What was written stays. */
  @property({ attribute: false }) locked = false;
  @property({ attribute: false }) placeholder = '';
  @query('textarea') private input!: HTMLTextAreaElement;

  focusInput(): void {
    this.input.focus();
  }

  override render(): TemplateResult {
    return html`${this.state.refusal ? this.refusal(this.state.refusal) : nothing}
      <div class="composer ${this.isCommand ? 'is-command' : ''}" @click=${this.focusFromFrame}>
        ${composerChips(this.state.held, this.attachments, { dropHeld: this.drop, remove: this.detach })}
        <textarea
          aria-label="Message"
          rows="1"
          spellcheck=${!this.isCommand}
          aria-describedby=${this.isCommand ? 'as-command' : nothing}
          placeholder=${this.placeholder}
          ?disabled=${this.locked}
          .value=${live(this.state.draft)}
          @input=${this.typed}
          @beforeinput=${this.aboutToInsert}
          @keydown=${this.pressed}
        ></textarea>
        <div class="composer-bar">
          <span class="grow chips">${this.isCommand ? directHint(this.compresses) : editorChip(this.editor, this.include)}</span>${this.buttons()}
        </div>
      </div>`;
  }

  private refusal({ title, detail }: Refusal): TemplateResult {
    return html`<div class="alert error refusal" role="alert">
      ${icon('error')}
      <h2>${title}</h2>
      <p>${detail}</p>
      <button class="icon dismiss" type="button" aria-label="Dismiss" title="Dismiss" @click=${this.dismiss}>
        ${icon('close')}
      </button>
    </div>`;
  }

  /** What is written will be done, not said. */
  private get isCommand(): boolean {
    return isDirect(messageOf(this.state));
  }

  private get compresses(): boolean {
    return isCompressCommand(messageOf(this.state));
  }

  private buttons(): TemplateResult {
    if (!this.running) return this.sendButton();
    if (this.isCommand) return html`${this.stopButton()} ${this.sendButton()}`;
    if (messageOf(this.state).trim() === '') return this.stopButton();
    return html`<button class="ghost" type="button" aria-label="Queue for after this turn"
        title="Queue for after this turn (Alt+Enter)" aria-disabled=${!this.ready} @click=${this.queue}>Queue</button>
      ${this.stopButton()} ${this.sendButton()}`;
  }

  private get ready(): boolean {
    return !this.locked && canSend(this.state, messageOf(this.state));
  }

  private sendButton(): TemplateResult {
    return html`<button class="icon send" type="button" aria-label="Send" title=${this.sendHint()}
      aria-disabled=${!this.ready} @click=${this.send}>${icon('arrow-up')}</button>`;
  }

  private sendHint(): string {
    if (this.locked) return 'Send: this session can only be read here';
    if (this.state.pending) return 'Send: the message before is on its way';
    if (this.compresses) return 'Compress the conversation (Enter)';
    if (this.isCommand) return this.ready ? 'Run this command (Enter)' : 'Run: write a command first';
    if (!this.ready) return 'Send: write a message first';
    return this.running ? 'Send now and steer this turn (Enter), or queue it for after (Alt+Enter)' : 'Send (Enter)';
  }

  private stopButton(): TemplateResult {
    return html`<button class="icon stop" type="button" aria-label="Stop" title="Stop (Escape)"
      @click=${this.stop}>${icon('debug-stop')}</button>`;
  }

  private typed(): void {
    const { value } = this.input;
    // Out of the field before the browser lays it out.
    if (value.length > LONGEST_DRAFT) this.input.value = '';
    emit(this, 'gantry-type', value);
  }

  /** Paste, drop and dictation all come through here, before the field has to lay the text out. */
  private aboutToInsert(event: InputEvent): void {
    const text = event.data ?? '';
    if (text.length <= LONGEST_DRAFT) return;
    event.preventDefault();
    emit(this, 'gantry-hold', text);
  }

  private readonly drop = (): void => {
    emit(this, 'gantry-drop', undefined);
    this.focusInput();
  };

  private readonly detach = ({ id, label }: Attachment): void => {
    postToHost(this, { type: 'removeAttachment', id });
    announce(this, `Removed ${label}`);
    this.focusInput();
  };

  private readonly include = (included: boolean): void => postToHost(this, { type: 'includeEditor', included });

  private pressed(event: KeyboardEvent): void {
    const action = composerKey(event, this.running);
    if (action === 'none') {
      this.removeLast(event);
      return;
    }
    event.preventDefault();
    if (action === 'send') this.send();
    if (action === 'queue') this.queue();
    if (action === 'stop') this.stop();
  }

  /** Backspace with nothing before the cursor. Not while the key is held down: then it was meant for the words. */
  private removeLast({ key, repeat }: KeyboardEvent): void {
    const last = this.attachments.at(-1);
    const atStart = this.input.selectionStart === 0 && this.input.selectionEnd === 0;
    if (key === 'Backspace' && !repeat && atStart && last && !this.locked) this.detach(last);
  }

  private send(): void {
    this.sendAs('steer');
  }

  private queue(): void {
    this.sendAs('queue');
  }

  private sendAs(delivery: Delivery): void {
    emit(this, 'gantry-send', { text: messageOf(this.state), delivery });
    this.focusInput();
  }

  private stop(): void {
    postToHost(this, { type: 'stop' });
    this.focusInput();
  }

  private dismiss(): void {
    emit(this, 'gantry-dismiss', undefined);
    this.focusInput();
  }

  /** The whole frame looks like the input, so it takes the click as the input. */
  private focusFromFrame(event: Event): void {
    if (!(event.target as Element).closest('button, textarea')) this.focusInput();
  }
}

function directHint(compresses: boolean): TemplateResult {
  const [sign, words] = compresses
    ? (['fold', 'Compress the conversation'] as const)
    : (['terminal', 'Run a command'] as const);
  return html`<span class="as-command" id="as-command">${icon(sign)}<span class="cut">${words}</span></span>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-composer': Composer;
  }
}
