import { html, nothing, type TemplateResult } from 'lit';
import { customElement, query } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import './composer/composer.ts';
import type { Composer } from './composer/composer.ts';
import './context-meter.ts';
import './conversation/approval.ts';
import './conversation/clamped-text.ts';
import './conversation/clock.ts';
import './conversation/conversation.ts';
import type { Conversation } from './conversation/conversation.ts';
import './conversation/entry-view.ts';
import './conversation/working-row.ts';
import './markdown/streamed-markdown.ts';
import './sessions/sessions-menu.ts';
import './shelf/changed-files.ts';
import './shelf/todo-tray.ts';
import { emptyState } from './empty-state.ts';
import { heldBanner, placeholder, restrictedBanner, rewoundLine, sessionBar, statusRow } from './frame.ts';
import { ThemeColours } from './highlight/theme-colours.ts';
import type { HostPort } from './host.ts';
import { LightElement } from './light-element.ts';
import { SaveLater } from './save-later.ts';
import { approvalPointer } from './shelf/approval-pointer.ts';
import { PanelModel } from './state/panel-model.ts';
import { trustCard } from './trust-card.ts';

/** The whole panel: joins the model to its elements, and the page's events to the model. */
@customElement('gantry-panel')
export class Panel extends LightElement {
  @query('gantry-composer') private composerElement!: Composer | null;
  @query('gantry-conversation') private conversation!: Conversation | null;
  private model: PanelModel | undefined;
  private saver: SaveLater | undefined;
  private codeColours: ThemeColours | undefined;
  private restoreTop: number | undefined;

  /** Starts listening, then says so: the host posts nothing before `ready`. */
  connect(host: HostPort): void {
    const model = new PanelModel(host, {
      changed: () => this.requestUpdate(),
      toSave: () => this.saver?.schedule(),
      focusInput: () => void this.updateComplete.then(() => this.composerElement?.focusInput()),
      // The card is drawn with the entries, after the panel.
      focusApproval: (id) => requestAnimationFrame(() => this.conversation?.toQuestion(id, true)),
      scrollToEnd: () => this.conversation?.toEnd(),
      colourCode: (colours) => this.codeColours?.show(colours),
    });
    this.saver = new SaveLater(() => model.save());
    this.model = model;
    this.restoreTop = model.scrollTop;
    window.addEventListener('message', this.receive);
    this.listen(model);
    this.requestUpdate();
    host.post({ type: 'ready' });
    this.codeColours = new ThemeColours((theme) => host.post({ type: 'tokenColours', theme }));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener('message', this.receive);
    this.saver?.dispose();
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
    this.addEventListener('gantry-ask-view', ({ detail }) => model.questionInView(detail.requestId, detail.inView));
    this.addEventListener('gantry-to-ask', ({ detail }) => this.conversation?.toQuestion(detail.requestId, false));
    this.addEventListener('gantry-scroll', ({ detail }) => {
      if (model.loaded) model.scrolledTo(detail.top);
    });
  }

  private readonly receive = (event: MessageEvent<unknown>): void => this.model?.receive(event.data);

  override render(): TemplateResult | typeof nothing {
    const { model } = this;
    if (!model) return nothing;
    const { state, transcript, onItsWay } = model;
    const isEmpty = model.loaded && transcript.cells.length === 0 && onItsWay === undefined;
    return html`
      ${state ? sessionBar(state.title, model.sessions) : nothing} ${state?.readOnly ? restrictedBanner() : nothing}
      ${model.heldBy === undefined ? nothing : heldBanner(model.heldBy)}
      <main>
        <gantry-conversation
          .cells=${transcript.cells}
          .disclosures=${model.disclosures}
          .answers=${model.answers}
          .running=${model.running}
          .locked=${model.heldBy !== undefined}
          .waiting=${transcript.waiting}
          .compacting=${state?.compacting ?? false}
          .workingSince=${model.workingSince}
          .onItsWay=${onItsWay}
          .empty=${isEmpty && state ? emptyState(state) : nothing}
          .news=${state?.trustNews ? trustCard(state.trustNews) : nothing}
          .restoreTop=${model.loaded ? this.restoreTop : undefined}
        ></gantry-conversation>
        <div class="dock">
          ${state?.canUndoRewind ? rewoundLine() : nothing}
          <div class="shelf">
            ${approvalPointer(model.unseenQuestions)}
            <gantry-changed-files .items=${model.review} .disclosures=${model.disclosures}></gantry-changed-files>
            <gantry-todo-tray .items=${state?.todos ?? []} .disclosures=${model.disclosures}></gantry-todo-tray>
          </div>
          <gantry-composer
            .state=${model.composer}
            .attachments=${model.attachments}
            .editor=${model.editor}
            .running=${model.busy}
            .locked=${model.heldBy !== undefined}
            .placeholder=${placeholder(state)}
          ></gantry-composer>
          ${state ? statusRow(state) : nothing}
        </div>
      </main>
      <div class="sr" role="status">${keyed(model.announcement.count, html`<p>${model.announcement.text}</p>`)}</div>
    `;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-panel': Panel;
  }
}
