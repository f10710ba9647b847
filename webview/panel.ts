import { html, nothing, type TemplateResult } from 'lit';
import { customElement, query } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import './composer/composer.ts';
import type { Composer } from './composer/composer.ts';
import './context/context-meter.ts';
import './conversation/approval.ts';
import './conversation/clamped-text.ts';
import './conversation/clock.ts';
import './conversation/conversation.ts';
import type { Conversation } from './conversation/conversation.ts';
import { EntryView } from './conversation/entry-view.ts';
import './conversation/working-row.ts';
import './find/find-bar.ts';
import './markdown/streamed-markdown.ts';
import './rewind/rewind-sheet.ts';
import './sessions/sessions-sheet.ts';
import './shelf/changed-files.ts';
import './shelf/todo-tray.ts';
import './threads/thread-sheet.ts';
import { FocusKeeper } from './base/focus-keeper.ts';
import { LightElement } from './base/light-element.ts';
import { SaveLater } from './base/save-later.ts';
import type { FindBar } from './find/find-bar.ts';
import { FindInConversation, findKey } from './find/find-in-conversation.ts';
import { emptyState } from './frame/empty-state.ts';
import {
  heldBanner,
  placeholder,
  restrictedBanner,
  rewoundLine,
  sessionBar,
  statusRow,
  trustCard,
} from './frame/frame.ts';
import { ThemeColours } from './highlight/theme-colours.ts';
import { approvalPointer } from './shelf/approval-pointer.ts';
import { pendingMessages } from './shelf/pending-messages.ts';
import type { HostPort } from './state/host.ts';
import { PanelModel } from './state/panel-model.ts';
import type { ReadingPlace } from './state/places.ts';

/** A constant, so that its identity does not trigger updates. */
const NO_TERMINALS: readonly string[] = [];

/** The whole panel: connects the model with its elements, and the events of the page with the model. */
@customElement('gantry-panel')
export class Panel extends LightElement {
  @query('gantry-composer') private composerElement!: Composer | null;
  @query('gantry-conversation') private conversation!: Conversation | null;
  private model: PanelModel | undefined;
  private saver: SaveLater | undefined;
  @query('gantry-find') private findBar!: FindBar | null;
  private finding: FindInConversation | undefined;
  private focusKeeper: FocusKeeper | undefined;
  private codeColours: ThemeColours | undefined;
  private restorePlace: ReadingPlace | undefined;
  /** The element that gets the focus again when the sheet is closed. */
  private leftFrom: Element | null = null;

  /** Starts listening before it posts `ready`, because the host posts nothing before that. */
  connect(host: HostPort): void {
    const model = new PanelModel(host, {
      changed: () => this.changed(),
      toSave: () => this.saver?.soon(),
      toSaveLater: () => this.saver?.later(),
      focusInput: () => void this.updateComplete.then(() => this.composerElement?.focusInput()),
      // The card is drawn with the entries, after the panel.
      focusApproval: (id) => requestAnimationFrame(() => this.conversation?.toQuestion(id, true)),
      scrollToEnd: () => this.conversation?.toEnd(),
      returnTo: (left) => this.conversation?.returnTo(left),
      openFind: () => this.openFind(),
      // The entries of the result are drawn with the panel.
      showFound: () => void this.updateComplete.then(() => this.finding?.show()),
      colourCode: (colours) => this.codeColours?.show(colours),
      sheetClosed: (done) => void this.updateComplete.then(() => this.returnFocus(done)),
    });
    this.focusKeeper = new FocusKeeper(this, () => this.composerElement?.focusInput());
    this.finding = new FindInConversation(model.find, () => this.conversation, this);
    this.saver = new SaveLater(() => model.save());
    this.model = model;
    this.restorePlace = model.place;
    window.addEventListener('message', model.onMessage);
    window.addEventListener('keydown', this.findKey);
    this.listen(model);
    this.requestUpdate();
    host.post(model.arrival);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    if (this.model) window.removeEventListener('message', this.model.onMessage);
    window.removeEventListener('keydown', this.findKey);
    this.saver?.dispose();
    this.finding?.end();
    this.focusKeeper?.dispose();
    this.codeColours?.dispose();
  }

  private listen(model: PanelModel): void {
    this.addEventListener('gantry-post', ({ detail }) => model.post(detail));
    this.addEventListener('gantry-announce', ({ detail }) => model.announce(detail));
    this.addEventListener('gantry-send', ({ detail }) => model.send(detail.text, detail.delivery));
    this.addEventListener('gantry-type', ({ detail }) => model.type(detail));
    this.addEventListener('gantry-hold', ({ detail }) => model.hold(detail));
    this.addEventListener('gantry-drop', () => model.dropHeld());
    this.addEventListener('gantry-leave', () => this.composerElement?.focusInput());
    this.addEventListener('gantry-dismiss', () => model.dismissRefusal());
    this.addEventListener('gantry-dismiss-notice', () => model.input.dismissNotice());
    this.addEventListener('gantry-refuse', ({ detail }) => model.refuse(detail));
    this.addEventListener('gantry-ask-view', ({ detail }) => model.questionInView(detail.requestId, detail.inView));
    this.addEventListener('gantry-to-ask', ({ detail }) => this.conversation?.toQuestion(detail.requestId, false));
    this.addEventListener('gantry-sheet', ({ detail }) => {
      this.leftFrom = document.activeElement;
      model.sheets.open(detail);
    });
    this.addEventListener('gantry-sheet-close', () => model.sheets.close());
    this.addEventListener('gantry-sheet-done', () => model.sheets.close(true));
    this.addEventListener('gantry-session-search', ({ detail }) => model.sheets.search(detail));
    this.addEventListener('gantry-rewind', ({ detail }) => model.sheets.goBack(detail));
    this.addEventListener('gantry-edit', ({ detail, target }) => {
      model.sheets.edit(detail.messageId, detail.text);
      if (target instanceof EntryView) void this.drawn(target).then(() => target.focusEditor());
    });
    this.addEventListener('gantry-edit-change', ({ detail }) => model.sheets.changeEdit(detail));
    this.addEventListener('gantry-edit-end', () => this.endEdit(model));
    this.addEventListener('gantry-edit-send', () => model.resend());
    this.addEventListener('gantry-find-open', () => this.openFind());
    this.addEventListener('gantry-find-close', () => this.closeFind());
    this.addEventListener('gantry-find', ({ detail }) => this.look(detail.query, detail.go));
    this.addEventListener('gantry-scroll', ({ detail }) => {
      if (model.loaded) model.scrolledTo(detail.place);
    });
  }

  /** Returns the focus to its previous element, or to the input if that is gone or the sheet's action was done. */
  private returnFocus(done: boolean): void {
    const { leftFrom } = this;
    this.leftFrom = null;
    if (!done && leftFrom instanceof HTMLElement && leftFrom.isConnected && leftFrom !== document.body)
      leftFrom.focus();
    else this.composerElement?.focusInput();
  }

  /** Discards the edit and focuses the edit button of the message. */
  private endEdit(model: PanelModel): void {
    const entry = this.querySelector('gantry-message-editor')?.closest('gantry-entry');
    model.sheets.endEdit();
    void this.drawn(entry).then(() => {
      const button = entry?.querySelector<HTMLElement>('.edit-message');
      if (button) button.focus({ preventScroll: true });
      else this.composerElement?.focusInput();
    });
  }

  /** Waits until the panel, the conversation and the entry are drawn. */
  private async drawn(entry: EntryView | null | undefined): Promise<void> {
    await this.updateComplete;
    await this.conversation?.updateComplete;
    await entry?.updateComplete;
  }

  private openFind(): void {
    const { model } = this;
    if (!model || model.transcript.total === 0 || model.sheets.shown) return;
    this.finding?.begin();
    this.requestUpdate();
    void this.updateComplete.then(() => this.findBar?.focusInput());
    this.look(model.find.query, 'here');
  }

  private closeFind(): void {
    if (!this.finding?.end()) this.composerElement?.focusInput();
    this.requestUpdate();
  }

  private look(query: string, go: 'here' | 'next' | 'previous'): void {
    this.model?.find.ask(query, go, this.conversation?.firstSeen);
    if (query === '') this.finding?.show();
    this.requestUpdate();
  }

  /** Also handles keys while no element has the focus. */
  private readonly findKey = (event: KeyboardEvent): void => {
    const key = findKey(event);
    if (!key || (key !== 'open' && !this.findBar)) return;
    event.preventDefault();
    if (key === 'open') this.openFind();
    else this.findBar?.go(key);
  };

  private changed(): void {
    const { model } = this;
    // Before its first message, the host may not be able to answer.
    if (model?.state || model?.loaded)
      this.codeColours ??= new ThemeColours((theme) => model.post({ type: 'tokenColours', theme }));
    this.requestUpdate();
  }

  override render(): TemplateResult | typeof nothing {
    const { model } = this;
    if (!model) return nothing;
    const { state, transcript, onItsWay } = model;
    const isEmpty = model.loaded && transcript.total === 0 && onItsWay === undefined;
    const { sheets } = model;
    return html`<div class="under" ?inert=${sheets.shown !== undefined}>
      ${state ? sessionBar(state) : nothing} ${state?.readOnly ? restrictedBanner() : nothing}
      ${model.heldBy === undefined ? nothing : heldBanner(model.heldBy)}
      ${model.find.isOpen ? html`<gantry-find .words=${model.find.query} .found=${model.find.found}></gantry-find>` : nothing}
      <main>
        <gantry-conversation
          .transcript=${transcript}
          .cells=${transcript.cells}
          .total=${transcript.total}
          .facts=${transcript.facts}
          .disclosures=${model.disclosures}
          .answers=${model.answers}
          .running=${model.running}
          .locked=${model.isFixed}
          .compacting=${state?.compacting ?? false}
          .workingSince=${model.workingSince}
          .onItsWay=${onItsWay}
          .empty=${isEmpty && state ? emptyState(state) : nothing}
          .news=${state?.trustNews ? trustCard(state.trustNews) : nothing}
          .restorePlace=${model.loaded ? this.restorePlace : undefined}
          .editing=${sheets.editing}
          .sendKey=${model.input.sendKey}
          .thinking=${state?.thinking ?? 'collapsed'}
          .inEditor=${model.inEditor}
          .terminals=${state?.terminals ?? NO_TERMINALS}
        ></gantry-conversation>
        ${state?.replayOf === undefined ? this.dock(model) : nothing}
      </main></div>
      ${this.sheet(model)}
      <div class="sr" role="status">${keyed(model.announcement.count, html`<p>${model.announcement.text}</p>`)}</div>
    `;
  }

  private sheet({ state, sheets, transcript, disclosures, answers }: PanelModel): TemplateResult | typeof nothing {
    const { shown, sessions, hits, rewind, thread } = sheets;
    if (shown === 'sessions') return html`<gantry-sessions .sessions=${sessions} .hits=${hits}></gantry-sessions>`;
    if (shown === 'thread' && thread) {
      return html`<gantry-thread .thread=${thread} .cell=${transcript.cell(thread.callId)} .disclosures=${disclosures}
        .answers=${answers} .terminals=${state?.terminals ?? NO_TERMINALS} .thinking=${state?.thinking ?? 'collapsed'} .cells=${thread.transcript.cells} .facts=${thread.transcript.facts}></gantry-thread>`;
    }
    return shown === 'rewind' && rewind ? html`<gantry-rewind .rewind=${rewind}></gantry-rewind>` : nothing;
  }

  /** The input and the elements around it. */
  private dock(model: PanelModel): TemplateResult {
    const { state, transcript } = model;
    return html`<div class="dock">
      ${state?.canUndoRewind ? rewoundLine() : nothing}
      <div class="shelf">
        ${approvalPointer(model.unseenQuestions)}
        <gantry-changed-files .items=${model.review} .disclosures=${model.disclosures}></gantry-changed-files>
        <gantry-todo-tray .items=${state?.todos ?? []} .disclosures=${model.disclosures}></gantry-todo-tray>
        ${pendingMessages(transcript.facts.pending, model.heldBy !== undefined)}
      </div>
      <gantry-composer
        .state=${model.composer}
        .attachments=${model.attachments}
        .editor=${model.editor}
        .suggestions=${model.input.suggestions}
        .history=${model.input.history}
        .sendKey=${model.input.sendKey}
        .notice=${model.input.notice}
        .lastWaiting=${model.lastWaiting}
        .running=${model.busy}
        .locked=${model.heldBy !== undefined}
        .placeholder=${placeholder(state)}
      ></gantry-composer>
      ${state ? statusRow(state, model.contextShares) : nothing}
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-panel': Panel;
  }
}
