import { html, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { postToHost } from '../events.ts';
import { LightElement } from '../light-element.ts';
import type { Disclosures } from '../state/disclosures.ts';
import type { EntryCell } from '../state/entry-cell.ts';
import type { KeptAnswers } from '../state/kept-answers.ts';
import { asks } from '../state/transcript.ts';
import { compactedView } from './compacted-view.ts';
import './model-choice.ts';
import { usageView } from './usage-view.ts';
import { userView } from './user-view.ts';
import * as views from './views.ts';

/** One entry of the conversation. It watches its own cell, so a change elsewhere costs it nothing. */
@customElement('gantry-entry')
export class EntryView extends LightElement {
  @property({ attribute: false }) cell!: EntryCell;
  @property({ attribute: false }) disclosures!: Disclosures;
  @property({ attribute: false }) answers!: KeptAnswers;
  @property({ attribute: false }) running = false;
  @property({ attribute: false }) current = false;
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
  }

  private watch(): void {
    this.unsubscribe?.();
    this.unsubscribe = this.cell.subscribe((change) => {
      // The words of an answer are drawn by its markdown view alone.
      if (change.op === 'put' || this.cell.entry.kind !== 'answer') this.requestUpdate();
    });
  }

  override render(): TemplateResult {
    const { entry } = this.cell;
    const context: views.ViewContext = {
      cell: this.cell,
      answers: this.answers,
      open: this.disclosures.isOpen(entry.id),
      running: this.running,
      current: this.current,
      toggle: this.toggle,
      post: (message) => postToHost(this, message),
    };
    switch (entry.kind) {
      case 'user':
        return userView(entry, context.post);
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
