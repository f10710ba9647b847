import { html, type nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { ThinkingWay } from '../../extension/protocol/agent/thinking.ts';
import type { SendKey } from '../../extension/protocol/panel/input-to-panel.ts';
import { emit, postToHost } from '../base/events.ts';
import { LightElement } from '../base/light-element.ts';
import type { Disclosures } from '../state/disclosures.ts';
import type { Editing } from '../state/editing.ts';
import type { KeptAnswers } from '../state/kept-answers.ts';
import { asks, type EntryCell } from '../state/transcript.ts';
import { compactedView } from './compacted-view.ts';
import './model-choice.ts';
import { protectedView } from './protected-view.ts';
import { thinkingView } from './thinking-view.ts';
import { usageView } from './usage-view.ts';
import { editedView, type MessageActs, userView } from './user-view.ts';
import * as views from './views.ts';

/** One entry of the conversation. It subscribes to its own cell, so changes to other entries cost it nothing. */
@customElement('gantry-entry')
export class EntryView extends LightElement {
  @property({ attribute: false }) cell!: EntryCell;
  @property({ attribute: false }) disclosures!: Disclosures;
  @property({ attribute: false }) answers!: KeptAnswers;
  @property({ attribute: false }) running = false;
  @property({ attribute: false }) current = false;
  /** Set if this message is being edited in place. */
  @property({ attribute: false }) editing: Editing | undefined;
  @property({ attribute: false }) sendKey: SendKey = 'enter';
  @property({ attribute: false }) thinking: ThinkingWay = 'collapsed';
  /** True if the diff of the edit is open in an editor. */
  @property({ attribute: false }) inEditor = false;
  /** On the last of several pending edits, their number. */
  @property({ attribute: false }) editsTogether: number | undefined;
  /** For a command, true if its terminal still exists. */
  @property({ attribute: false }) hasTerminal = false;
  private unsubscribe: (() => void) | undefined;
  private hadFocus = false;

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.watch();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.unsubscribe?.();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('cell')) this.watch();
    this.hadFocus = this.contains(document.activeElement);
    this.dataset['kind'] = this.cell.entry.kind;
    this.toggleAttribute('data-asks', asks(this.cell.entry));
    this.toggleAttribute('data-unseen', this.isUnseen);
  }

  /** True if the entry is not displayed here. */
  private get isUnseen(): boolean {
    const { entry } = this.cell;
    if (entry.kind === 'thinking') return this.thinking === 'hidden' && !this.isOpen;
    return entry.kind === 'user' && entry.pending !== undefined;
  }

  private get isOpen(): boolean {
    return this.disclosures.isOpen(this.cell.entry.id, this.isOpenAtFirst);
  }

  private get isOpenAtFirst(): boolean {
    const { entry } = this.cell;
    if (entry.kind === 'thinking') return this.thinking === 'expanded';
    // While a subagent works, its steps are shown, as the output of a command is.
    return entry.kind === 'tool' && entry.agent !== undefined && entry.status === 'running';
  }

  /** The update may have removed the focused element. */
  protected override updated(): void {
    if (this.hadFocus && document.activeElement === document.body) this.focusEntry();
  }

  private watch(): void {
    this.unsubscribe?.();
    this.unsubscribe = this.cell.subscribe((change) => {
      // Text that is appended to an answer is drawn by its Markdown view alone.
      if (change.op === 'put' || this.cell.entry.kind !== 'answer') this.requestUpdate();
    });
  }

  override render(): TemplateResult | typeof nothing {
    const { entry } = this.cell;
    const context: views.ViewContext = {
      cell: this.cell,
      answers: this.answers,
      inEditor: this.inEditor,
      hasTerminal: this.hasTerminal,
      editsTogether: this.editsTogether,
      allowEdits: () => emit(this, 'gantry-allow-edits', undefined),
      open: this.isOpen,
      running: this.running,
      current: this.current,
      toggle: this.toggle,
      post: (message) => postToHost(this, message),
      openThread: this.openThread,
    };
    switch (entry.kind) {
      case 'user':
        return this.editing ? editedView(entry, this.editing, this.sendKey) : userView(entry, this.messageActs);
      case 'answer':
        return views.answerView(entry, context);
      case 'thinking':
        return thinkingView(entry, this.thinking, context);
      case 'tool':
        return views.toolView(entry, context);
      case 'problem':
        return views.problemView(entry, context);
      case 'note':
        return views.noteView(entry, context);
      case 'compacted':
        return compactedView(entry, context);
      case 'protected':
        return protectedView(entry, context.post);
      case 'retry':
        return views.retryView(entry);
      case 'choice':
        return html`<gantry-model-choice .choice=${entry}></gantry-model-choice>`;
      case 'usage':
        return usageView(entry, context);
    }
  }

  /** The element that represents the entry's focus; undefined if the entry is not displayed. */
  get focusTarget(): HTMLElement | undefined {
    return this.isUnseen ? undefined : (this.querySelector<HTMLElement>(FOCUS_TARGETS) ?? undefined);
  }

  focusEntry(): void {
    const target = this.focusTarget;
    if (!target) return;
    if (!target.hasAttribute('tabindex')) target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }

  /** Expands or collapses the entry, if possible. */
  disclose(open: boolean): void {
    if (asks(this.cell.entry)) return;
    const button = this.querySelector<HTMLElement>('[aria-expanded]');
    if (button?.getAttribute('aria-expanded') === String(!open)) button.click();
  }

  /** Activates the entry's main control: its file link, otherwise its expand button, otherwise its first button. */
  activate(): void {
    if (asks(this.cell.entry)) this.querySelector('gantry-approval')?.focusCard();
    else this.querySelector<HTMLElement>('a.obj, [aria-expanded], .alert vscode-button')?.click();
  }

  /** Focuses the editor of the message. */
  focusEditor(): void {
    const editor = this.querySelector('gantry-message-editor');
    void editor?.updateComplete.then(() => editor.focusInput());
  }

  /** Also draws blocks that are far from the reading position. */
  drawAll(): void {
    for (const words of this.querySelectorAll('gantry-markdown')) words.drawAll();
  }

  /** Expands everything that is collapsed in the entry. */
  async unfold(): Promise<void> {
    if (!this.isOpen) this.toggle();
    await this.updateComplete;
    const cut = [...this.querySelectorAll('gantry-clamped-text'), ...this.querySelectorAll('gantry-results')];
    await Promise.all(cut.map((part) => part.updateComplete));
    for (const part of cut) part.showAll();
    await Promise.all(cut.map((part) => part.updateComplete));
  }

  private readonly messageActs: MessageActs = {
    post: (message) => postToHost(this, message),
    rewind: (messageId) => emit(this, 'gantry-sheet', { kind: 'rewind', messageId }),
    edit: (messageId, text) => emit(this, 'gantry-edit', { messageId, text }),
  };

  /** Opens the thread and expands the entry, so that it is expanded when the reader returns. */
  private readonly openThread: views.ViewContext['openThread'] = (callId, threadId) => {
    const { id } = this.cell.entry;
    if (!this.disclosures.isOpen(id)) this.disclosures.toggle(id);
    emit(this, 'gantry-sheet', { kind: 'thread', callId, threadId });
  };

  private readonly toggle = (): void => {
    this.disclosures.toggle(this.cell.entry.id, this.isOpenAtFirst);
    this.requestUpdate();
  };
}

const FOCUS_TARGETS = 'article, [role=group], .alert, .note, .usage';

declare global {
  interface HTMLElementTagNameMap {
    'gantry-entry': EntryView;
  }
}
