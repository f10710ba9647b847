import * as l10n from '@vscode/l10n';
import type { ShownAttachment } from '../../extension/protocol/agent/attachment.ts';
import type { Delivery } from '../../extension/protocol/agent/content-part.ts';
import type { ContextShares } from '../../extension/protocol/agent/context-shares.ts';
import { readHostMessage, type ToHost } from '../../extension/protocol/panel/host-messages.ts';
import {
  type EditorChip,
  type PanelState,
  type ReviewEntry,
  type ToPanel,
  toPanelSchema,
} from '../../extension/protocol/panel/panel-messages.ts';
import type { TokenColours } from '../../extension/protocol/panel/token-roles.ts';
import * as composer from './composer-state.ts';
import { Disclosures } from './disclosures.ts';
import { resendOf } from './editing.ts';
import { Find } from './find.ts';
import type { HostPort } from './host.ts';
import { InputModel } from './input-model.ts';
import { KeptAnswers } from './kept-answers.ts';
import { type LeftPlace, Places, type ReadingPlace } from './places.ts';
import { viewToSave } from './saved-view.ts';
import { Sheets } from './sheets.ts';
import { PanelTranscript, type WaitingQuestion } from './transcript.ts';

/** The actions that the model needs from its page. */
export interface PanelView {
  /** Something visible changed. */
  changed(): void;
  /** State that is saved while the view is hidden changed. */
  toSave(): void;
  /** The reading position changed, but no text. */
  toSaveLater(): void;
  focusInput(): void;
  /** Focuses the card of this question, or of the first pending one. */
  focusApproval(requestId: string | undefined): void;
  scrollToEnd(): void;
  /** Restores the reading position that the reader left in this session. */
  returnTo(place: LeftPlace): void;
  openFind(): void;
  /** Shows the host's search result. */
  showFound(): void;
  colourCode(colours: TokenColours): void;
  /** A sheet was closed. `done` is true if its action was carried out. */
  sheetClosed(done: boolean): void;
}

type SentMessage = Extract<ToHost, { type: 'send' | 'runCommand' | 'slash' | 'resend' }>;
type Handlers = { readonly [Type in ToPanel['type']]: (message: Extract<ToPanel, { type: Type }>) => void };

/** The panel without its elements: its state, and the effects of messages and user actions on it. */
export class PanelModel {
  readonly transcript = new PanelTranscript();
  readonly disclosures: Disclosures;
  readonly answers: KeptAnswers;
  readonly find: Find;
  readonly sheets: Sheets;
  state: PanelState | undefined;
  /** The attachments of the next message. The host keeps their contents. */
  attachments: readonly ShownAttachment[] = [];
  editor: EditorChip | undefined;
  composer: composer.ComposerState;
  readonly input: InputModel;
  /** False until the conversation has arrived; an empty transcript means nothing before that. */
  loaded = false;
  announcement = { text: '', count: 0, at: 0 };
  /** Files with pending changes. */
  review: readonly ReviewEntry[] = [];
  /** Questions about edits whose diffs are all open in an editor. */
  inEditor: ReadonlySet<string> = new Set();
  /** The usage of the model's window by kind, from the last request. */
  contextShares: ContextShares = [];
  /** The reading position; undefined at the end. */
  place: ReadingPlace | undefined;
  readonly places: Places;
  /** The reading position in the session that is about to be shown. */
  private comesBackTo: LeftPlace | undefined;
  /** When the running turn, or sending the message, started. */
  workingSince: number | undefined;
  /** The questions whose cards are out of view. */
  private readonly outOfView = new Set<string>();
  /** The card to focus once the conversation has arrived. */
  private approvalWanted: { readonly requestId: string | undefined } | undefined;
  /** Outlives `pending`, because the host may accept a message before it shows it. */
  private echo: composer.UnconfirmedMessage | undefined;
  /** What the user sent while the message before it was on its way. It is sent if the input still says the same then. */
  private next: { readonly text: string; readonly delivery: Delivery } | undefined;
  /** The ref of a message that an earlier page sent: only its answer can have been lost. */
  private readonly earlierRef: number | undefined;

  constructor(
    private readonly host: HostPort,
    private readonly view: PanelView,
    private readonly now: () => number = Date.now,
  ) {
    const saved = host.savedView();
    const { draft, held, lastRef, pending, opened, answers = [], place } = saved;
    this.composer = { draft, held, lastRef, pending };
    this.earlierRef = pending?.ref;
    this.place = place;
    this.places = new Places(saved.places);
    this.input = new InputModel(saved, {
      composer: () => this.composer,
      compose: (state) => this.compose(state),
      announce: (text) => this.announce(text),
      switched: (from, to) => {
        this.places.leave(from, this.place, this.place ? this.transcript.indexOf(this.place.id) : -1);
        this.comesBackTo = this.places.takeBack(to);
        this.next = undefined;
      },
      changed: () => view.changed(),
    });
    this.disclosures = new Disclosures(opened, () => view.toSave());
    this.answers = new KeptAnswers(answers, () => view.toSave());
    this.find = new Find((request) => host.post(request));
    this.sheets = new Sheets(saved.editing, {
      post: (message) => host.post(message),
      changed: () => view.changed(),
      toSave: () => view.toSave(),
      closed: (done) => view.sheetClosed(done),
    });
  }

  /** Who else has the session open, which makes it read-only here. */
  get heldBy(): string | undefined {
    return this.state?.heldBy;
  }

  /** True if the conversation is read-only: another window has it open, or it is an exported copy. */
  get isFixed(): boolean {
    return this.heldBy !== undefined || this.state?.replayOf !== undefined;
  }

  get running(): boolean {
    return this.state?.running ?? false;
  }

  /** True from Send on, so that the user can also stop while the agent is still loading. */
  get busy(): boolean {
    return this.running || this.composer.pending !== undefined;
  }

  /** The text of a sent message that the conversation does not show yet. */
  get onItsWay(): string | undefined {
    return this.echo?.text;
  }

  /** The pending questions, if none of them is in view. */
  get unseenQuestions(): readonly WaitingQuestion[] {
    const { questions } = this.transcript;
    const isUnseen = questions.every(({ id, requestId }) => this.outOfView.has(requestId) || !this.transcript.cell(id));
    return isUnseen && this.heldBy === undefined ? questions : [];
  }

  questionInView(requestId: string, inView: boolean): void {
    if (inView) this.outOfView.delete(requestId);
    else this.outOfView.add(requestId);
    this.view.changed();
  }

  /** What the host needs to know before it shows a conversation here. */
  get arrival(): Extract<ToHost, { type: 'ready' }> {
    const { pending } = this.composer;
    return {
      type: 'ready',
      ...(this.place && { place: this.place.id }),
      ...(pending && {
        sent: { text: pending.text, ...(pending.after !== undefined && { after: pending.after }) },
      }),
    };
  }

  /** Called by the page for each message of the host. */
  readonly onMessage = ({ data }: { readonly data: unknown }): void => {
    const { cells, total } = this.transcript;
    this.receive(data);
    if (this.transcript.cells !== cells || this.transcript.total !== total) this.find.refreshSoon();
  };

  receive(data: unknown): void {
    const message = toPanelSchema.safeParse(data);
    if (!message.success) {
      this.host.post({ type: 'viewError', message: `A message of the wrong shape: ${message.error.message}` });
      return;
    }
    const handlers: Handlers = { ...this.handlers, ...this.input.handlers, ...this.sheets.handlers };
    // The table pairs each type with its own message, which TypeScript cannot see through an index.
    const handle = handlers[message.data.type] as (message: ToPanel) => void;
    handle(message.data);
  }

  post(message: ToHost): void {
    this.host.post(message);
  }

  type(text: string): void {
    this.compose(composer.typed(this.composer, text));
  }

  hold(text: string): void {
    this.compose(composer.holding(this.composer, text));
  }

  dropHeld(): void {
    this.compose(composer.withoutHeld(this.composer));
  }

  send(text: string, delivery: Delivery = 'steer'): void {
    if (this.heldBy !== undefined) return;
    if (this.composer.pending && text === composer.messageOf(this.composer)) this.next = { text, delivery };
    if (composer.canSend(this.composer, text)) this.dispatch(text, (ref) => this.messageFor(text, ref, delivery));
  }

  /** Sends the edited message in place of the original one. */
  resend(): void {
    const { editing } = this.sheets;
    const message = editing && resendOf(editing, this.composer.lastRef + 1);
    if (!message || this.heldBy !== undefined || !composer.canSend(this.composer, message.text)) return;
    this.sheets.endEdit();
    this.dispatch(message.text, () => message);
    this.view.focusInput();
  }

  private dispatch(text: string, messageFor: (ref: number) => SentMessage): void {
    this.compose(composer.sending(this.composer, text, this.transcript.lastLasting));
    const { lastRef: ref, pending } = this.composer;
    const message = messageFor(ref);
    this.input.remember(text);
    // A command is shown by its card, not as a message.
    this.echo = message.type === 'send' || message.type === 'resend' ? pending : undefined;
    if (readHostMessage(message).success) this.host.post(message);
    else this.answer(ref, composer.tooLarge());
    this.view.scrollToEnd();
  }

  private messageFor(text: string, ref: number, delivery: Delivery): SentMessage {
    if (composer.isSlash(text)) return { type: 'slash', ref, text };
    const command = composer.commandOf(text);
    if (command !== undefined) return { type: 'runCommand', ref, command };
    return { type: 'send', ref, text, ...(this.running && { delivery }) };
  }

  /** Shows why something was not done. Nothing was lost. */
  refuse(refusal: composer.SendRefusal): void {
    this.compose({ ...this.composer, refusal });
  }

  /** The last pending message, which can be withdrawn. */
  get lastWaiting(): string | undefined {
    return this.transcript.facts.pending.at(-1)?.messageId;
  }

  dismissRefusal(): void {
    this.compose(composer.dismissed(this.composer));
  }

  scrolledTo(place: ReadingPlace | undefined): void {
    this.place = place;
    this.view.toSaveLater();
  }

  announce(text: string): void {
    this.announcement = { text, count: this.announcement.count + 1, at: this.now() };
    this.view.changed();
  }

  /**
   * A rewind changes entries and state in separate messages, in either order. A rewind of files changes only the state.
   */
  private announceRewind(text: string): void {
    const { announcement } = this;
    if (announcement.text !== text || this.now() - announcement.at > SAME_REWIND_MS) this.announce(text);
  }

  /** Returns the length of the saved state. */
  save(): number {
    return this.host.saveView(viewToSave(this));
  }

  private readonly handlers: Omit<Handlers, keyof InputModel['handlers'] | keyof Sheets['handlers']> = {
    contextShares: ({ shares }) => {
      this.contextShares = shares;
      this.view.changed();
    },
    state: ({ state }) => {
      if (this.state && !this.state.canUndoRewind && state.canUndoRewind) this.announceRewind(l10n.t('Rewound.'));
      if (state.trustNews && !this.state?.trustNews)
        this.announce(`${l10n.t('Folder trusted.')} ${state.trustNews.lines.join(' ')}`);
      if (this.state && this.state.running !== state.running) this.sheets.refresh();
      this.state = state;
      this.keepTime();
      this.view.changed();
    },
    transcript: ({ facts, spoken, wasSaid = false, ...window }) => {
      this.contextShares = [];
      this.transcript.reset(window, facts);
      if (this.sheets.shown === 'rewind' || this.sheets.shown === 'thread') this.sheets.close(true);
      const isEarlier = this.composer.pending?.ref === this.earlierRef;
      if (this.loaded || isEarlier) this.echo = undefined;
      if (spoken !== undefined) this.announce(spoken);
      if (this.loaded) {
        if (this.comesBackTo) this.view.returnTo(this.comesBackTo);
        else this.view.scrollToEnd();
        this.comesBackTo = undefined;
      } else {
        this.loaded = true;
        this.sheets.askAboutEdit();
        if (isEarlier) this.compose(composer.afterReload(this.composer, wasSaid));
      }
      this.outOfView.clear();
      this.takeBack();
      if (this.approvalWanted) this.focusApproval(this.approvalWanted.requestId);
      this.view.changed();
    },
    found: (found) => {
      if (!this.find.take(found)) return;
      this.view.changed();
      if (!this.find.isRefresh) this.view.showFound();
    },
    openFind: () => {
      this.sheets.close(true);
      this.view.openFind();
    },
    ping: ({ count }) => this.host.post({ type: 'pong', count }),
    window: (window) => {
      this.transcript.hold(window);
      this.view.changed();
    },
    changes: ({ changes, facts, spoken, rewind, said = [] }) => {
      const { questions } = this.transcript;
      const isReshaped = this.transcript.apply(changes, facts);
      if (facts) this.takeBack();
      if (facts) this.forgetAnswered(questions);
      if (spoken !== undefined) this.announce(spoken);
      if (rewind) this.announceRewind(rewind === 'made' ? l10n.t('Rewound.') : l10n.t('Rewind undone.'));
      const isShown = this.echo !== undefined && said.includes(this.echo.text);
      if (isShown) this.echo = undefined;
      if (isReshaped || isShown) this.view.changed();
    },
    sent: ({ ref, refused }) => this.answer(ref, refused),
    insertText: ({ text }) => {
      this.compose(composer.inserted(this.composer, text));
      this.sheets.close(true);
      this.view.focusInput();
    },
    focusInput: () => {
      this.sheets.close(true);
      this.view.focusInput();
    },
    attachments: ({ attachments }) => {
      this.announceAdded(attachments);
      this.attachments = attachments;
      this.view.changed();
    },
    editor: ({ chip }) => {
      this.editor = chip;
      this.view.changed();
    },
    review: ({ items }) => {
      this.review = items;
      this.inEditor = openedQuestions(items);
      this.view.changed();
    },
    focusApproval: ({ requestId }) => this.focusApproval(requestId),
    tokenColours: ({ colours }) => this.view.colourCode(colours),
  };

  /** Text typed on a card that timed out was never sent, so it moves to the input. */
  private takeBack(): void {
    for (const requestId of this.transcript.facts.unanswered) {
      const words = this.answers.take(requestId);
      if (words !== '') this.compose(composer.inserted(this.composer, words));
    }
  }

  private forgetAnswered(earlier: readonly WaitingQuestion[]): void {
    const waiting = new Set(this.transcript.questions.map(({ requestId }) => requestId));
    for (const { requestId } of earlier) if (!waiting.has(requestId)) this.answers.forget(requestId);
  }

  private announceAdded(attachments: readonly ShownAttachment[]): void {
    const added = attachments.filter(({ id }) => !this.attachments.some((known) => known.id === id));
    if (this.loaded && added.length > 0)
      this.announce(l10n.t('Attached {0}', added.map(({ label }) => label).join(', ')));
  }

  private focusApproval(requestId: string | undefined): void {
    this.sheets.close(true);
    this.approvalWanted = this.loaded ? undefined : { requestId };
    if (this.transcript.waiting) this.view.focusApproval(requestId);
    else if (this.loaded) this.view.focusInput();
  }

  private answer(ref: number, refused: composer.SendRefusal | undefined): void {
    if (refused && this.echo?.ref === ref) this.echo = undefined;
    this.compose(composer.answered(this.composer, ref, refused));
    if (this.composer.pending) return;
    const { next } = this;
    this.next = undefined;
    if (!refused && next?.text === composer.messageOf(this.composer)) this.send(next.text, next.delivery);
  }

  private compose(state: composer.ComposerState): void {
    this.composer = state;
    this.keepTime();
    this.view.toSave();
    this.view.changed();
  }

  private keepTime(): void {
    if (!this.busy) this.workingSince = undefined;
    else this.workingSince = (this.running ? this.state?.startedAt : undefined) ?? this.workingSince ?? this.now();
  }
}

/** Entries are collected for a frame before they are posted; the state is not. */
const SAME_REWIND_MS = 1000;

function openedQuestions(items: readonly ReviewEntry[]): ReadonlySet<string> {
  const opened = new Set(
    items.flatMap(({ requestId, isOpen }) => (isOpen && requestId !== undefined ? requestId : [])),
  );
  for (const { requestId, isOpen } of items) if (!isOpen && requestId !== undefined) opened.delete(requestId);
  return opened;
}
