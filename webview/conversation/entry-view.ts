import { html, type nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { SendKey } from '../../extension/protocol/input-to-panel.ts';
import { emit, postToHost } from '../events.ts';
import { LightElement } from '../light-element.ts';
import type { Disclosures } from '../state/disclosures.ts';
import type { Editing } from '../state/editing.ts';
import type { EntryCell } from '../state/entry-cell.ts';
import type { KeptAnswers } from '../state/kept-answers.ts';
import { asks } from '../state/transcript.ts';
import { compactedView } from './compacted-view.ts';
import './model-choice.ts';
import { usageView } from './usage-view.ts';
import { editedView, type MessageActs, userView } from './user-view.ts';
import * as views from './views.ts';

/** One entry of the conversation. It watches its own cell, so a change elsewhere costs it nothing. */
@customElement('gantry-entry')
export class EntryView extends LightElement {
  @property({ attribute: false }) cell!: EntryCell;
  @property({ attribute: false }) disclosures!: Disclosures;
  @property({ attribute: false }) answers!: KeptAnswers;
  @property({ attribute: false }) running = false;
  @property({ attribute: false }) current = false;
  /** Of the message that is being changed, in its place. */
  @property({ attribute: false }) editing: Editing | undefined;
  @property({ attribute: false }) sendKey: SendKey = 'enter';
  private unsubscribe: (() => void) | undefined;

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
    this.dataset['kind'] = this.cell.entry.kind;
    this.toggleAttribute('data-asks', asks(this.cell.entry));
    this.toggleAttribute('data-pending', this.cell.entry.kind === 'user' && this.cell.entry.pending !== undefined);
  }

  private watch(): void {
    this.unsubscribe?.();
    this.unsubscribe = this.cell.subscribe((change) => {
      // The words of an answer are drawn by its markdown view alone.
      if (change.op === 'put' || this.cell.entry.kind !== 'answer') this.requestUpdate();
    });
  }

  override render(): TemplateResult | typeof nothing {
    const { entry } = this.cell;
    const context: views.ViewContext = {
      cell: this.cell,
      answers: this.answers,
      open: this.disclosures.isOpen(entry.id),
      running: this.running,
      current: this.current,
      toggle: this.toggle,
      post: (message) => postToHost(this, message),
      openThread: (callId, threadId) => emit(this, 'gantry-sheet', { kind: 'thread', callId, threadId }),
    };
    switch (entry.kind) {
      case 'user':
        return this.editing ? editedView(entry, this.editing, this.sendKey) : userView(entry, this.messageActs);
      case 'answer':
        return views.answerView(entry, context);
      case 'thinking':
        return views.thinkingView(entry, context);
      case 'tool':
        return views.toolView(entry, context);
      case 'problem':
        return views.problemView(entry, context);
      case 'note':
        return views.noteView(entry, context);
      case 'compacted':
        return compactedView(entry, context);
      case 'retry':
        return views.retryView(entry);
      case 'choice':
        return html`<gantry-model-choice .choice=${entry}></gantry-model-choice>`;
      case 'usage':
        return usageView(entry, context);
    }
  }

  /** To the words that are being changed here. */
  focusEditor(): void {
    const editor = this.querySelector('gantry-message-editor');
    void editor?.updateComplete.then(() => editor.focusInput());
  }

  /** Shows all that is folded away in it. */
  async unfold(): Promise<void> {
    const { id } = this.cell.entry;
    if (!this.disclosures.isOpen(id)) this.toggle();
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

  private readonly toggle = (): void => {
    this.disclosures.toggle(this.cell.entry.id);
    this.requestUpdate();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-entry': EntryView;
  }
}
