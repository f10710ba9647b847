import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { emit, postToHost } from '../events.ts';
import { formatCount } from '../format.ts';
import { icon } from '../icons.ts';
import { LightElement } from '../light-element.ts';
import {
  type ComposerState,
  canSend,
  commandOf,
  type Delivery,
  LONGEST_DRAFT,
  messageOf,
  type Refusal,
} from '../state/composer-state.ts';
import { composerKey } from './keys.ts';

/** The input with Send and Stop, and above it why the last message was refused. */
@customElement('gantry-composer')
export class Composer extends LightElement {
  @property({ attribute: false }) state!: ComposerState;
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
        ${this.state.held === undefined ? nothing : this.heldText(this.state.held)}
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
        <div class="composer-bar"><span class="grow">${this.isCommand ? commandHint() : nothing}</span>${this.buttons()}</div>
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

  private heldText(text: string): TemplateResult {
    return html`<div class="chips">
      <span class="chip">
        <span class="cut">Long text · ${formatCount(text.length)} characters</span>
        <button class="icon" type="button" aria-label="Remove long text" title="Remove long text" @click=${this.drop}>
          ${icon('close')}
        </button>
      </span>
    </div>`;
  }

  /** What is written will be run, not said. */
  private get isCommand(): boolean {
    return commandOf(messageOf(this.state)) !== undefined;
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

  private drop(): void {
    emit(this, 'gantry-drop', undefined);
    this.focusInput();
  }

  private pressed(event: KeyboardEvent): void {
    const action = composerKey(event, this.running);
    if (action === 'none') return;
    event.preventDefault();
    if (action === 'send') this.send();
    if (action === 'queue') this.queue();
    if (action === 'stop') this.stop();
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

function commandHint(): TemplateResult {
  return html`<span class="as-command" id="as-command">${icon('terminal')}<span class="cut">Run a command</span></span>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-composer': Composer;
  }
}
