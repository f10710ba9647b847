import * as l10n from '@vscode/l10n';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import type { ShownAttachment } from '../../extension/protocol/agent/attachment.ts';
import type { Delivery } from '../../extension/protocol/agent/content-part.ts';
import type { Notice, SendKey, Suggestion } from '../../extension/protocol/panel/input-to-panel.ts';
import type { EditorChip } from '../../extension/protocol/panel/panel-messages.ts';
import { announce, emit, postToHost } from '../base/events.ts';
import { icon } from '../base/icons.ts';
import { LightElement } from '../base/light-element.ts';
import { type ComposerState, canSend, commandOf, isDirect, LONGEST_DRAFT, messageOf } from '../state/composer-state.ts';
import { replaced, Suggesting, type Suggestions } from '../state/suggesting.ts';
import { chipPreview, composerChips, editorChip } from './chips.ts';
import { DropTarget } from './drop-target.ts';
import { readPasted } from './dropped-files.ts';
import { composerKey, isComposing } from './keys.ts';
import { noticeView, refusalView } from './notice-view.ts';
import { Recall } from './recall.ts';
import { type SendState, sendButtons } from './send-buttons.ts';
import { listView, SUGGESTIONS_ID, suggestionId } from './suggestion-list.ts';

/** The input with its buttons, attachments and suggestions. Refusals and notices appear above it. */
@customElement('gantry-composer')
export class Composer extends LightElement {
  @property({ attribute: false }) state!: ComposerState;
  @property({ attribute: false }) attachments: readonly ShownAttachment[] = [];
  @property({ attribute: false }) editor: EditorChip | undefined;
  @property({ attribute: false }) suggestions: Suggestions | undefined;
  @property({ attribute: false }) history: readonly string[] = [];
  @property({ attribute: false }) sendKey: SendKey = 'enter';
  @property({ attribute: false }) notice: Notice | undefined;
  /** The last pending message. Arrow Up in an empty input withdraws it. */
  @property({ attribute: false }) lastWaiting: string | undefined;
  @property({ attribute: false }) running = false;
  /** True if another window has the session open. The draft is kept. */
  @property({ attribute: false }) locked = false;
  @property({ attribute: false }) placeholder = '';
  @state() private previewed: ShownAttachment | undefined;
  @query('textarea') private input!: HTMLTextAreaElement;
  private readonly suggesting = new Suggesting((id, { about, query: text }) =>
    postToHost(this, { type: 'suggest', id, about, query: text }),
  );
  private readonly recall = new Recall({
    history: () => this.history,
    lastWaiting: () => this.lastWaiting,
    withdraw: (messageId) => postToHost(this, { type: 'withdraw', messageId }),
    show: (text, caret) => this.write(text, caret),
  });
  private readonly dropTarget = new DropTarget({
    canDrop: () => !this.locked,
    attachUris: (uris) => postToHost(this, { type: 'attachUris', uris: [...uris] }),
    attachFiles: (files) => this.attach(files),
  });

  override connectedCallback(): void {
    super.connectedCallback();
    this.dropTarget.listen();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.dropTarget.dispose();
  }

  focusInput(): void {
    this.input.focus();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('suggestions')) this.suggesting.take(this.suggestions);
    if (changed.has('attachments') && !this.attachments.some(({ id }) => id === this.previewed?.id)) {
      this.previewed = undefined;
    }
  }

  override render(): TemplateResult {
    const { refusal } = this.state;
    const { active, isOpen } = this.suggesting;
    return html`${this.notice ? noticeView(this.notice, this.dismissNotice) : nothing}
      ${refusal ? refusalView(refusal, this.dismiss) : nothing}
      <div class="composer-place">
        ${isOpen ? listView(this.suggesting, this.listActions) : chipPreview(this.previewed)}
        <div class="composer ${this.isCommand ? 'is-command' : ''}" @click=${this.focusFromFrame}>
          ${composerChips(this.state.held, this.attachments, { dropHeld: this.drop, remove: this.detach, show: this.preview })}
          <textarea
            aria-label=${l10n.t('Message')}
            rows="1"
            spellcheck=${!this.isCommand}
            aria-autocomplete="list"
            aria-controls=${isOpen && active ? SUGGESTIONS_ID : nothing}
            aria-activedescendant=${isOpen && active ? suggestionId(active) : nothing}
            aria-describedby=${this.isCommand && this.commandHint !== undefined ? 'as-command' : nothing}
            placeholder=${this.placeholder}
            ?disabled=${this.locked}
            .value=${live(this.state.draft)}
            @input=${this.typed}
            @beforeinput=${this.aboutToInsert}
            @paste=${this.dropTarget.pasted}
            @keydown=${this.pressed}
            @keyup=${this.caretMoved}
            @pointerup=${this.caretMoved}
            @compositionend=${this.caretMoved}
            @focus=${{ handleEvent: this.focused, once: true }}
            @blur=${this.left}
          ></textarea>
          <div class="composer-bar">
            <button class="icon" type="button" aria-label=${l10n.t('Add context')} title=${l10n.t('Add context (@)')}
              aria-disabled=${this.locked} @click=${this.beginMention}>${icon('add')}</button>
            <span class="grow chips">${this.isCommand ? commandHint(this.commandHint) : editorChip(this.editor, this.include)}</span>${sendButtons(this.sendState, this.sendActions)}
          </div>
        </div>
      </div>`;
  }

  /** True if the input contains a command instead of a message. */
  private get isCommand(): boolean {
    return isDirect(messageOf(this.state));
  }

  /** Undefined until the name of the command is complete. */
  private get commandHint(): string | undefined {
    return commandOf(messageOf(this.state)) === undefined ? this.suggesting.about : l10n.t('Run a command');
  }

  private readonly listActions = {
    point: (item: Suggestion): void => {
      this.suggesting.active = item;
      this.requestUpdate();
    },
    take: (item: Suggestion): void => this.take(item, true),
  };

  private readonly sendActions = {
    send: (): void => this.sendAs('steer'),
    queue: (): void => this.sendAs('queue'),
    stop: (): void => {
      postToHost(this, { type: 'stop' });
      this.focusInput();
    },
  };

  private get sendState(): SendState {
    const { running, locked, isCommand, sendKey } = this;
    const message = messageOf(this.state);
    return {
      running,
      locked,
      isCommand,
      sendKey,
      isPending: this.state.pending !== undefined,
      isBlank: message.trim() === '',
      canSend: !locked && canSend(this.state, message),
    };
  }

  private typed({ isComposing: isUnfinished }: InputEvent): void {
    const { value } = this.input;
    // Clear the field before the browser lays out the long text.
    if (value.length > LONGEST_DRAFT) this.input.value = '';
    this.recall.reset();
    emit(this, 'gantry-type', value);
    if (!isUnfinished) this.caretMoved();
  }

  /** Does nothing while an input method is composing, because its text is not final. */
  private caretMoved(event?: Event): void {
    if (event instanceof KeyboardEvent && isComposing(event)) return;
    const { selectionStart, selectionEnd, value } = this.input;
    const isTyping = selectionStart === selectionEnd && !this.recall.isAway;
    this.suggesting.follow(value, isTyping ? selectionStart : undefined);
    this.requestUpdate();
  }

  private readonly focused = (): void => postToHost(this, { type: 'inputFocused' });

  private left(): void {
    this.suggesting.follow('', undefined);
    this.requestUpdate();
  }

  /** Handles paste, drop and dictation before the field lays out the text. */
  private aboutToInsert(event: InputEvent): void {
    const text = event.data ?? '';
    if (text.length <= LONGEST_DRAFT) return;
    event.preventDefault();
    emit(this, 'gantry-hold', text);
  }

  private async attach(files: readonly File[]): Promise<void> {
    for (const file of files) {
      const read = await readPasted(file);
      if ('type' in read) postToHost(this, read);
      else emit(this, 'gantry-refuse', read);
    }
    this.focusInput();
  }

  private readonly beginMention = (): void => {
    if (this.locked) return;
    const { value, selectionStart, selectionEnd } = this.input;
    const insert = selectionStart === 0 || /\s/.test(value.charAt(selectionStart - 1)) ? '@' : ' @';
    this.write(value.slice(0, selectionStart) + insert + value.slice(selectionEnd), selectionStart + insert.length);
    this.focusInput();
  };

  private write(text: string, caret: number): void {
    this.input.value = text;
    this.input.setSelectionRange(caret, caret);
    emit(this, 'gantry-type', text);
    this.caretMoved();
  }

  /** With `runs`, a command without arguments runs at once. */
  private take(item: Suggestion, runs: boolean): void {
    const { token } = this.suggesting;
    if (!token) return;
    const { text, caret } = replaced(this.input.value, token, item.insert);
    this.write(text, caret);
    if (item.icon !== 'command') postToHost(this, { type: 'mention', id: item.id });
    else if (runs && item.hint === undefined) this.sendAs('steer', text);
    this.focusInput();
  }

  private readonly drop = (): void => {
    emit(this, 'gantry-drop', undefined);
    this.focusInput();
  };

  private readonly preview = (attachment: ShownAttachment | undefined): void => {
    this.previewed = attachment;
  };

  private readonly detach = ({ id, label }: ShownAttachment, byKey: boolean): void => {
    const at = this.attachments.findIndex((attachment) => attachment.id === id);
    const next = this.attachments[at + 1] ?? this.attachments[at - 1];
    const neighbour = next && this.querySelector<HTMLElement>(`.chip[data-id="${CSS.escape(next.id)}"] button`);
    postToHost(this, { type: 'removeAttachment', id });
    announce(this, l10n.t('Removed {0}', label));
    if (byKey && neighbour) neighbour.focus();
    else this.focusInput();
  };

  private readonly include = (included: boolean): void => postToHost(this, { type: 'includeEditor', included });

  private pressed(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    if (this.pressedInList(event) || (!this.locked && this.recall.pressed(event, this.input))) {
      event.preventDefault();
      return;
    }
    const action = composerKey(event, this.running, this.sendKey);
    if (action === 'none') {
      this.removeLast(event);
      return;
    }
    event.preventDefault();
    this.sendActions[action]();
  }

  private pressedInList({ key, shiftKey, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
    const { suggesting } = this;
    const { active } = suggesting;
    if (!suggesting.isOpen || shiftKey || ctrlKey || altKey || metaKey) return false;
    if (key === 'Escape' && (active || suggesting.isEmpty)) suggesting.close();
    else if (!active) return false;
    else if (key === 'ArrowDown') suggesting.move(1);
    else if (key === 'ArrowUp') suggesting.move(-1);
    else if ((key === 'Enter' || key === 'Tab') && suggesting.chosen) this.take(suggesting.chosen, key === 'Enter');
    else return false;
    this.requestUpdate();
    void this.updateComplete.then(() =>
      this.querySelector('.item[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }),
    );
    return true;
  }

  /**
   * Backspace at the start of the input removes the last attachment, unless the key is repeating from deleting text.
   */
  private removeLast({ key, repeat }: KeyboardEvent): void {
    const last = this.attachments.at(-1);
    const atStart = this.input.selectionStart === 0 && this.input.selectionEnd === 0;
    if (key === 'Backspace' && !repeat && atStart && last && !this.locked) this.detach(last, false);
  }

  private sendAs(delivery: Delivery, text = messageOf(this.state)): void {
    this.recall.reset();
    emit(this, 'gantry-send', { text, delivery });
    this.suggesting.follow('', undefined);
    this.focusInput();
  }

  private readonly dismiss = (): void => {
    emit(this, 'gantry-dismiss', undefined);
    this.focusInput();
  };

  private readonly dismissNotice = (): void => {
    emit(this, 'gantry-dismiss-notice', undefined);
    this.focusInput();
  };

  /** The whole frame looks like the input, so clicking it focuses the input. */
  private focusFromFrame(event: Event): void {
    if (!(event.target as Element).closest('button, textarea')) this.focusInput();
  }
}

function commandHint(words: string | undefined): TemplateResult | typeof nothing {
  if (words === undefined) return nothing;
  return html`<span class="as-command" id="as-command">${icon('terminal')}<span class="cut" title=${words}>${words}</span></span>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-composer': Composer;
  }
}
