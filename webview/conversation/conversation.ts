import * as l10n from '@vscode/l10n';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { ThinkingWay } from '../../extension/protocol/agent/thinking.ts';
import type { SendKey } from '../../extension/protocol/panel/input-to-panel.ts';
import { afterPaint } from '../base/after-paint.ts';
import { emit, postToHost } from '../base/events.ts';
import { icon } from '../base/icons.ts';
import { LightElement } from '../base/light-element.ts';
import type { Disclosures } from '../state/disclosures.ts';
import type { Editing } from '../state/editing.ts';
import type { KeptAnswers } from '../state/kept-answers.ts';
import type { LeftPlace, ReadingPlace } from '../state/places.ts';
import { type AskingEntry, asks, type EntryCell, PanelTranscript } from '../state/transcript.ts';
import './approval.ts';
import type { Approval } from './approval.ts';
import { type Drawn, DrawnEntries, pinnedEntries } from './drawn-entries.ts';
import type { Seen } from './drawn-range.ts';
import type { EntryView } from './entry-view.ts';
import { EntryWalk } from './entry-walk.ts';
import { FollowEnd } from './follow-end.ts';
import './drawn-entries.ts';
import type { ModelChoiceCard } from './model-choice.ts';
import { scrollKey } from './scrolling.ts';
import { sendingView } from './user-view.ts';

/** A place to scroll to as soon as its entries are loaded. */
interface Goal {
  readonly index: number;
  /** Called once the entry is drawn, to place it. */
  arrive(entry: EntryView): void;
}

/** The scrolling log: the entries, the message being sent, the working row, and the button that returns to the end. */
@customElement('gantry-conversation')
export class Conversation extends LightElement {
  @property({ attribute: false }) transcript = new PanelTranscript();
  /** The transcript's cells. A new array triggers an update. */
  @property({ attribute: false }) cells: readonly EntryCell[] = [];
  @property({ attribute: false }) total = 0;
  /** The name for screen readers. */
  @property({ attribute: false }) label = l10n.t('Conversation');
  @property({ attribute: false }) disclosures!: Disclosures;
  @property({ attribute: false }) answers!: KeptAnswers;
  @property({ attribute: false }) running = false;
  /** True if another window has the session open, so nothing here may change it. */
  @property({ attribute: false }) locked = false;
  /** True while a snapshot of the conversation is being created. */
  @property({ attribute: false }) compacting = false;
  /** Facts about the whole conversation. */
  @property({ attribute: false }) facts = this.transcript.facts;
  /** When the turn started; undefined if nothing runs. */
  @property({ attribute: false }) workingSince: number | undefined;
  /** A sent message that is not in the conversation yet. */
  @property({ attribute: false }) onItsWay: string | undefined;
  /** Shown while the conversation is empty. */
  @property({ attribute: false }) empty: TemplateResult | typeof nothing = nothing;
  /** Shown after the entries; not a part of the conversation. */
  @property({ attribute: false }) news: TemplateResult | typeof nothing = nothing;
  /** The user message that is being edited in place. */
  @property({ attribute: false }) editing: Editing | undefined;
  @property({ attribute: false }) sendKey: SendKey = 'enter';
  @property({ attribute: false }) thinking: ThinkingWay = 'collapsed';
  /** Questions about edits whose diffs are open in an editor. */
  @property({ attribute: false }) inEditor: ReadonlySet<string> = new Set();
  /** The call ids of commands whose terminals still exist. */
  @property({ attribute: false }) terminals: readonly string[] = [];
  /** The reading position when the view was hidden. */
  @property({ attribute: false }) restorePlace: ReadingPlace | undefined;
  @state() private away = false;
  @query('.log') private scroller!: HTMLElement;
  @query('.log-content') private content!: HTMLElement;
  private follow: FollowEnd | undefined;
  private readonly drawn = new DrawnEntries();
  private goal: Goal | undefined;
  private endWanted = false;
  private returning: LeftPlace | undefined;
  /** The index around which entries were requested, until they arrive. */
  private asked: number | undefined;
  private lastAsked: number | undefined;
  private lastHold = 0;
  private hadFocus = false;
  /**
   * The height of the scroller. It is cached, because reading it before the page is drawn would force a second layout.
   */
  private viewport = 0;

  get waiting(): boolean {
    return this.facts.waiting.length > 0;
  }

  /** Scrolls to the newest entry. */
  readonly toEnd = (): void => {
    this.goal = undefined;
    this.endWanted = true;
    this.look();
  };

  /** Scrolls to an entry, even one that is not loaded, then calls `then` with it. */
  toEntry(index: number, then: (entry: EntryView) => void = () => undefined): void {
    this.endWanted = false;
    this.follow?.hold();
    this.goal = {
      index,
      arrive: (entry) => {
        const fits = entry.offsetHeight < this.scroller.clientHeight;
        const offset = fits ? (this.scroller.clientHeight - entry.offsetHeight) / 2 : 0;
        this.follow?.moveTo({ id: entry.cell.entry.id, offset });
        then(entry);
      },
    };
    this.look();
  }

  /** The next drawn conversation starts at this reading position, even if that is not loaded. */
  returnTo(left: LeftPlace): void {
    this.returning = left;
  }

  private goBackTo({ index, place }: LeftPlace): void {
    this.endWanted = false;
    this.follow?.hold();
    // Another entry may be at this index by now. It is still nearer to the old position than the end.
    this.goal = { index, arrive: ({ cell }) => this.follow?.moveTo({ id: cell.entry.id, offset: place.offset }) };
  }

  /** Like `toEntry`, but doesn't scroll if the entry is already drawn. */
  toEntryIfNeeded(index: number, then: (entry: EntryView) => void): void {
    const entry = this.drawn.elementAt(index, this.content);
    if (entry) then(entry);
    else this.toEntry(index, then);
  }

  /** Scrolls to the middle, unless the rectangle is already visible. */
  bringIntoView({ top, bottom }: DOMRect): void {
    const seen = this.scroller.getBoundingClientRect();
    if (top >= seen.top && bottom <= seen.bottom) return;
    this.follow?.hold();
    this.scroller.scrollTop += (top + bottom) / 2 - (seen.top + seen.bottom) / 2;
  }

  /** The first visible entry. */
  get firstSeen(): string | undefined {
    return this.follow?.firstSeen?.id;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.follow?.dispose();
  }

  protected override firstUpdated(): void {
    this.follow = new FollowEnd(
      this.scroller,
      this.content,
      this.drawn.layout(this.scroller, this.content),
      this.scrolled,
    );
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (this.drawn.take(this.transcript)) {
      this.goal = undefined;
      this.lastAsked = undefined;
      if (this.returning) this.goBackTo(this.returning);
      this.returning = undefined;
    }
    if (changed.has('restorePlace') && this.restorePlace) this.restore(this.restorePlace);
    if (this.transcript.holds !== this.lastHold) this.asked = undefined;
    this.lastHold = this.transcript.holds;
    this.hadFocus = this.contains(document.activeElement);
    this.drawn.choose(this.seen, this.pinned());
  }

  protected override updated(): void {
    // The focused entry is no longer drawn.
    if (this.hadFocus && document.activeElement === document.body) this.scroller.focus({ preventScroll: true });
    // For the stylesheet: it hides a button of each message, and rendering all messages again would be slow.
    this.toggleAttribute('data-fixed', this.running || this.locked);
    const entries = [...this.querySelectorAll('gantry-entry')];
    // The entries render after this, so their heights are known only then.
    void Promise.all(entries.map((entry) => entry.updateComplete)).then(() => this.settle());
  }

  override render(): TemplateResult {
    return html`
      <div class="log" role="log" aria-label=${this.label} aria-live="off" tabindex="0"
        @click=${this.clicked} @keydown=${this.pressed} @gantry-allow-edits=${this.allowEdits}>
        <div class="log-content">
          ${this.empty}
          ${repeat(
            this.drawn.items,
            ({ key }) => key,
            (item) => this.itemView(item),
          )}
          ${this.onItsWay === undefined ? nothing : sendingView(this.onItsWay)}
          ${this.news}
          ${
            this.workingSince === undefined && !this.waiting
              ? nothing
              : html`<gantry-working-row .since=${this.workingSince} .waiting=${this.waiting}
                  .compacting=${this.compacting} .retrying=${this.facts.retrying}></gantry-working-row>`
          }
        </div>
      </div>
      ${this.away && !this.waiting ? this.jump() : nothing}
    `;
  }

  private itemView(item: Drawn): TemplateResult {
    if (!item.cell) return html`<gantry-gap .size=${item.size}></gantry-gap>`;
    const { entry } = item.cell;
    const { edits } = this;
    const isOpen = this.facts.open.includes(entry.id);
    const isEdited = entry.kind === 'user' && entry.messageId === this.editing?.messageId && !this.locked;
    return html`<gantry-entry
      .cell=${item.cell}
      .disclosures=${this.disclosures}
      .answers=${this.answers}
      .current=${isOpen}
      .running=${isOpen && this.running}
      .editing=${isEdited ? this.editing : undefined}
      .sendKey=${this.sendKey}
      .thinking=${this.thinking}
      .inEditor=${asks(entry) && this.inEditor.has(entry.approval.requestId)}
      .hasTerminal=${this.terminals.includes(entry.id)}
      .editsTogether=${edits.length > 1 && edits.at(-1) === entry ? edits.length : undefined}
    ></gantry-entry>`;
  }

  /** Edits that require approval. */
  private get edits(): readonly AskingEntry[] {
    const waiting = this.facts.waiting.map(({ id }) => this.transcript.cell(id)?.entry);
    return waiting.filter((entry) => entry !== undefined && asks(entry)).filter(isEdit);
  }

  /** Allows all edits or none: if one must be read first, it is shown to the reader. */
  private readonly allowEdits = (): void => {
    const ids = new Set(this.edits.map(({ approval }) => approval.requestId));
    const cards = [...this.querySelectorAll('gantry-approval')].filter(({ requestId }) => ids.has(requestId));
    const held = cards.find((card) => !card.canAllow);
    if (held) held.showHeld();
    else for (const card of cards) card.allowOnce();
  };

  /** Hidden while a question is pending: nothing is being written then, and it would cover the buttons of a card. */
  private jump(): TemplateResult {
    return html`<button class="jump" type="button" @click=${this.toEnd}>
      ${icon('arrow-down')}${this.running ? l10n.t('Latest · still writing') : l10n.t('Latest')}
    </button>`;
  }

  /** Scrolls to a question, by default the first, and focuses its card on request. */
  toQuestion(requestId: string | undefined, takesFocus: boolean): void {
    const { questions } = this.transcript;
    const question = questions.find((other) => other.requestId === requestId) ?? questions[0];
    if (!question) return;
    this.toEntry(question.index, (entry) => {
      if (takesFocus)
        entry.querySelector<Approval | ModelChoiceCard>('gantry-approval, gantry-model-choice')?.focusCard();
    });
  }

  private clicked(event: Event): void {
    if ((event.target as Element).closest('[aria-expanded], .opens')) this.follow?.hold();
  }

  private readonly pressed = (event: KeyboardEvent): void => {
    if (this.walk.take(event)) {
      event.preventDefault();
      return;
    }
    const key = scrollKey(event);
    if (!key) return;
    event.preventDefault();
    const isOnEntry = event.target instanceof Element && event.target.closest('gantry-entry') !== null;
    const focus = (entry: EntryView): void => {
      if (isOnEntry) entry.focusEntry();
    };
    if (key === 'start') this.toEntry(0, focus);
    else if (isOnEntry) this.toEntry(this.total - 1, focus);
    else this.toEnd();
  };

  private readonly walk = new EntryWalk({
    scroller: () => this.scroller,
    total: () => this.total,
    indexOf: (entry) => this.drawn.indexOf(entry),
    reach: (index, then) => this.toEntryIfNeeded(index, then),
    hold: () => this.follow?.hold(),
  });

  private restore({ id, offset }: ReadingPlace): void {
    const index = this.transcript.indexOf(id);
    if (index < 0) return;
    this.follow?.hold();
    this.goal = { index, arrive: () => this.follow?.moveTo({ id, offset }) };
  }

  /** The part of the list that the reader sees, or will see in a moment. */
  private get seen(): Seen {
    const height = this.viewport || window.innerHeight;
    const { heights } = this.drawn;
    if (this.goal && this.drawn.isHeld(this.goal.index)) {
      return { top: heights.before(this.goal.index) - height / 2, height };
    }
    if (!this.follow || this.follow.isFollowing || this.canEnd) return { top: heights.total - height, height };
    return { top: this.scroller.scrollTop, height };
  }

  private get canEnd(): boolean {
    return this.endWanted && this.transcript.end === this.transcript.total;
  }

  /** Pending cards stay drawn, so that they keep their scroll positions and what was already read. */
  private pinned(): readonly number[] {
    const entries = pinnedEntries(this).map((entry) => this.drawn.indexOf(entry));
    return [...entries, ...this.facts.waiting.map(({ index }) => index)];
  }

  private settle(): void {
    if (!this.isConnected) return;
    if (this.drawn.isAtFirst) void afterPaint().then(this.drawAround);
    const isMoved = this.drawn.measure(this.content);
    const { goal } = this;
    if (goal && isMoved) {
      this.requestUpdate();
      return;
    }
    const entry = goal && this.drawn.elementAt(goal.index, this.content);
    if (goal && entry) {
      this.goal = undefined;
      goal.arrive(entry);
    }
    const isActive = this.total > 0 || this.onItsWay !== undefined;
    if (this.canEnd) {
      this.endWanted = false;
      this.follow?.toEnd(isActive);
    } else {
      this.follow?.settle(isActive);
    }
  }

  private readonly drawAround = (): void => {
    this.drawn.drawAround();
    this.requestUpdate();
  };

  /** Draws the entries that the reader scrolls to, and requests those that are not loaded. */
  private look(): void {
    const { total } = this.transcript;
    if (!this.drawn.isEnough(this.seen, this.pinned())) this.requestUpdate();
    else if (this.goal ? this.drawn.isHeld(this.goal.index) : this.canEnd) this.settle();
    if (this.endWanted && !this.canEnd) this.ask(total - 1);
    else if (this.goal && !this.drawn.isHeld(this.goal.index)) this.ask(this.goal.index);
    else this.ask(this.drawn.lacking(this.seen));
  }

  /** Sends one request at a time, and doesn't repeat a useless one: of very long entries, the host sends only a few. */
  private ask(around: number | undefined): void {
    if (around === undefined || this.asked !== undefined || around === this.lastAsked) return;
    this.asked = around;
    this.lastAsked = around;
    postToHost(this, { type: 'window', around });
  }

  private readonly scrolled = (): void => {
    const { follow } = this;
    if (!follow) return;
    this.drawn.measure(this.content);
    this.viewport = this.scroller.clientHeight;
    this.away = follow.isAway || this.transcript.end < this.transcript.total;
    this.toggleAttribute('data-scrolled', follow.isScrolled);
    emit(this, 'gantry-scroll', { place: follow.place });
    this.look();
  };
}

function isEdit({ approval }: AskingEntry): boolean {
  return approval.request?.details.type === 'edit' && approval.decisions.includes('once');
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-conversation': Conversation;
  }
}
