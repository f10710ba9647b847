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
import type { EntryCell } from '../state/entry-cell.ts';
import type { KeptAnswers } from '../state/kept-answers.ts';
import type { LeftPlace, ReadingPlace } from '../state/places.ts';
import { type AskingEntry, asks, PanelTranscript } from '../state/transcript.ts';
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

/** Where to bring the reader, as soon as the entries of that place are here. */
interface Goal {
  readonly index: number;
  /** Done once the entry is drawn, with where it is to stand. */
  arrive(entry: EntryView): void;
}

/** The scrolling log: entries, the message on its way, the working row, and the way back to the end. */
@customElement('gantry-conversation')
export class Conversation extends LightElement {
  @property({ attribute: false }) transcript = new PanelTranscript();
  /** Of the transcript: another list is another picture. */
  @property({ attribute: false }) cells: readonly EntryCell[] = [];
  @property({ attribute: false }) total = 0;
  /** What a screen reader calls it. */
  @property({ attribute: false }) label = l10n.t('Conversation');
  @property({ attribute: false }) disclosures!: Disclosures;
  @property({ attribute: false }) answers!: KeptAnswers;
  @property({ attribute: false }) running = false;
  /** Another window has the session: nothing here may change it. */
  @property({ attribute: false }) locked = false;
  /** A snapshot of the conversation is being made. */
  @property({ attribute: false }) compacting = false;
  /** What is true of the whole conversation. */
  @property({ attribute: false }) facts = this.transcript.facts;
  /** When the turn began; undefined when nothing runs. */
  @property({ attribute: false }) workingSince: number | undefined;
  /** A message that was sent and is not in the conversation yet. */
  @property({ attribute: false }) onItsWay: string | undefined;
  /** Shown while there is nothing to read. */
  @property({ attribute: false }) empty: TemplateResult | typeof nothing = nothing;
  /** Behind what was said; no part of the conversation. */
  @property({ attribute: false }) news: TemplateResult | typeof nothing = nothing;
  /** A message of the user's that is being changed where it stands. */
  @property({ attribute: false }) editing: Editing | undefined;
  @property({ attribute: false }) sendKey: SendKey = 'enter';
  @property({ attribute: false }) thinking: ThinkingWay = 'collapsed';
  /** Questions about edits whose diffs are open in an editor. */
  @property({ attribute: false }) inEditor: ReadonlySet<string> = new Set();
  /** Commands, by their calls, whose terminals are still there. */
  @property({ attribute: false }) terminals: readonly string[] = [];
  /** Where the reader was when the view went away. */
  @property({ attribute: false }) restorePlace: ReadingPlace | undefined;
  @state() private away = false;
  @query('.log') private scroller!: HTMLElement;
  @query('.log-content') private content!: HTMLElement;
  private follow: FollowEnd | undefined;
  private readonly drawn = new DrawnEntries();
  private goal: Goal | undefined;
  private endWanted = false;
  private returning: LeftPlace | undefined;
  /** Around which entry others were asked for, until they come. */
  private asked: number | undefined;
  private lastAsked: number | undefined;
  private lastHold = 0;
  private hadFocus = false;
  /** How high the scroller is; asking it before the page is drawn would have it laid out twice. */
  private viewport = 0;

  get waiting(): boolean {
    return this.facts.waiting.length > 0;
  }

  /** To the newest entry, wherever the reader is. */
  readonly toEnd = (): void => {
    this.goal = undefined;
    this.endWanted = true;
    this.look();
  };

  /** Brings an entry into view, also one that is not held, then does what is wanted with it. */
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

  /** The conversation that is drawn next begins where the reader was, also when that is not held. */
  returnTo(left: LeftPlace): void {
    this.returning = left;
  }

  private goBackTo({ index, place }: LeftPlace): void {
    this.endWanted = false;
    this.follow?.hold();
    // Another entry may be there by now: it is nearer to what they saw than the end.
    this.goal = { index, arrive: ({ cell }) => this.follow?.moveTo({ id: cell.entry.id, offset: place.offset }) };
  }

  /** The same, and the reader stays where they are if it is drawn. */
  toEntryIfNeeded(index: number, then: (entry: EntryView) => void): void {
    const entry = this.drawn.elementAt(index, this.content);
    if (entry) then(entry);
    else this.toEntry(index, then);
  }

  /** Into the middle, unless it is seen already. */
  bringIntoView({ top, bottom }: DOMRect): void {
    const seen = this.scroller.getBoundingClientRect();
    if (top >= seen.top && bottom <= seen.bottom) return;
    this.follow?.hold();
    this.scroller.scrollTop += (top + bottom) / 2 - (seen.top + seen.bottom) / 2;
  }

  /** The entry that the reader sees first. */
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
    // What had it is no longer held.
    if (this.hadFocus && document.activeElement === document.body) this.scroller.focus({ preventScroll: true });
    // For the stylesheet: every message has a button that goes then, and drawing them all again would be slow.
    this.toggleAttribute('data-fixed', this.running || this.locked);
    const entries = [...this.querySelectorAll('gantry-entry')];
    // They draw themselves after this; only then is known how high they are.
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

  /** All of them or none: where one has to be read first, the reader is led there. */
  private readonly allowEdits = (): void => {
    const ids = new Set(this.edits.map(({ approval }) => approval.requestId));
    const cards = [...this.querySelectorAll('gantry-approval')].filter(({ requestId }) => ids.has(requestId));
    const held = cards.find((card) => !card.canAllow);
    if (held) held.showHeld();
    else for (const card of cards) card.allowOnce();
  };

  /** Not while a question waits: nothing is being written then, and it would lie on the buttons of a card. */
  private jump(): TemplateResult {
    return html`<button class="jump" type="button" @click=${this.toEnd}>
      ${icon('arrow-down')}${this.running ? l10n.t('Latest · still writing') : l10n.t('Latest')}
    </button>`;
  }

  /** Brings a question into view, the first unless one is named, and to the keyboard if that is wanted. */
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

  /** What the reader sees, or will see in a moment. */
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

  /** Cards that wait stay as they are: what was read on them, and where. */
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

  /** Draws what the reader comes to, and asks for what is not held. */
  private look(): void {
    const { total } = this.transcript;
    if (!this.drawn.isEnough(this.seen, this.pinned())) this.requestUpdate();
    else if (this.goal ? this.drawn.isHeld(this.goal.index) : this.canEnd) this.settle();
    if (this.endWanted && !this.canEnd) this.ask(total - 1);
    else if (this.goal && !this.drawn.isHeld(this.goal.index)) this.ask(this.goal.index);
    else this.ask(this.drawn.lacking(this.seen));
  }

  /** One answer after the other, and not again what did not help: of very long entries the host gives but a few. */
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
