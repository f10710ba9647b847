import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { emit } from '../events.ts';
import { icon } from '../icons.ts';
import { LightElement } from '../light-element.ts';
import type { Disclosures } from '../state/disclosures.ts';
import type { EntryCell } from '../state/entry-cell.ts';
import type { KeptAnswers } from '../state/kept-answers.ts';
import { openEntries } from '../state/open-entries.ts';
import './approval.ts';
import type { Approval } from './approval.ts';
import { FollowEnd } from './follow-end.ts';
import type { ModelChoiceCard } from './model-choice.ts';
import { sendingView } from './user-view.ts';

/** The scrolling log: entries, the message on its way, the working row, and the way back to the end. */
@customElement('gantry-conversation')
export class Conversation extends LightElement {
  @property({ attribute: false }) cells: readonly EntryCell[] = [];
  @property({ attribute: false }) disclosures!: Disclosures;
  @property({ attribute: false }) answers!: KeptAnswers;
  @property({ attribute: false }) running = false;
  /** Another window has the session: nothing here may change it. */
  @property({ attribute: false }) locked = false;
  /** A snapshot of the conversation is being made. */
  @property({ attribute: false }) compacting = false;
  /** A question in the conversation waits for its answer. */
  @property({ attribute: false }) waiting = false;
  /** When the turn began; undefined when nothing runs. */
  @property({ attribute: false }) workingSince: number | undefined;
  /** A message that was sent and is not in the conversation yet. */
  @property({ attribute: false }) onItsWay: string | undefined;
  /** Shown while there is nothing to read. */
  @property({ attribute: false }) empty: TemplateResult | typeof nothing = nothing;
  /** Behind what was said; no part of the conversation. */
  @property({ attribute: false }) news: TemplateResult | typeof nothing = nothing;
  /** Where the reader was when the view went away. */
  @property({ attribute: false }) restoreTop: number | undefined;
  @state() private away = false;
  @query('.log') private scroller!: HTMLElement;
  @query('.log-content') private content!: HTMLElement;
  private follow: FollowEnd | undefined;

  toEnd(): void {
    this.follow?.toEnd();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.follow?.dispose();
  }

  protected override firstUpdated(): void {
    this.follow = new FollowEnd(this.scroller, this.content, this.scrolled);
  }

  protected override updated(changed: PropertyValues<this>): void {
    this.follow?.setActive(this.cells.length > 0 || this.onItsWay !== undefined);
    // For the stylesheet: every message has a button that goes then, and drawing them all again would be slow.
    this.toggleAttribute('data-fixed', this.running || this.locked);
    if (changed.has('restoreTop') && this.restoreTop !== undefined) this.follow?.restore(this.restoreTop);
  }

  override render(): TemplateResult {
    const open = openEntries(this.cells.map((cell) => cell.entry));
    const entries = repeat(
      this.cells,
      (cell) => cell,
      (cell) =>
        html`<gantry-entry
          .cell=${cell}
          .disclosures=${this.disclosures}
          .answers=${this.answers}
          .current=${open.has(cell.entry.id)}
          .running=${open.has(cell.entry.id) && this.running}
        ></gantry-entry>`,
    );
    return html`
      <div class="log" role="log" aria-label="Conversation" aria-live="off" tabindex="0" @click=${this.clicked}>
        <div class="log-content">
          ${this.empty} ${entries} ${this.onItsWay === undefined ? nothing : sendingView(this.onItsWay)}
          ${this.news}
          ${
            this.workingSince === undefined && !this.waiting
              ? nothing
              : html`<gantry-working-row .since=${this.workingSince} .waiting=${this.waiting}
                  .compacting=${this.compacting} .retrying=${this.cells.at(-1)?.entry.kind === 'retry'}></gantry-working-row>`
          }
        </div>
      </div>
      ${this.away && !this.waiting ? this.jump() : nothing}
    `;
  }

  /** Not while a question waits: nothing is being written then, and it would lie on the buttons of a card. */
  private jump(): TemplateResult {
    return html`<button class="jump" type="button" @click=${this.toEnd}>
      ${icon('arrow-down')}${this.running ? 'Latest · still writing' : 'Latest'}
    </button>`;
  }

  /** Brings a question into view, the first unless one is named, and to the keyboard if that is wanted. */
  toQuestion(requestId: string | undefined, takesFocus: boolean): void {
    const questions = [...this.querySelectorAll<Approval | ModelChoiceCard>('gantry-approval, gantry-model-choice')];
    const question = questions.find((other) => other.requestId === requestId) ?? questions[0];
    if (!question) return;
    const fits = question.clientHeight < this.scroller.clientHeight;
    question.scrollIntoView({ block: fits ? 'center' : 'start' });
    if (takesFocus) question.focusCard();
  }

  private clicked(event: Event): void {
    if ((event.target as Element).closest('[aria-expanded], .opens')) this.follow?.hold();
  }

  private readonly scrolled = (): void => {
    const { follow } = this;
    if (!follow) return;
    this.away = follow.isAway;
    this.toggleAttribute('data-scrolled', follow.isScrolled);
    emit(this, 'gantry-scroll', { top: follow.readerTop });
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-conversation': Conversation;
  }
}
