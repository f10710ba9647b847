import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { ThinkingWay } from '../../extension/protocol/agent/thinking.ts';
import type { ToHost } from '../../extension/protocol/panel/host-messages.ts';
import { emit, postToHost } from '../base/events.ts';
import { icon } from '../base/icons.ts';
import { LightElement } from '../base/light-element.ts';
import { sheetView } from '../base/sheet-view.ts';
import { shown } from '../base/shown-text.ts';
import { progressView, subtitle, tokensText } from '../conversation/agent-view.ts';
import type { Disclosures } from '../state/disclosures.ts';
import type { KeptAnswers } from '../state/kept-answers.ts';
import type { OpenThread } from '../state/sheets.ts';
import type { EntryCell } from '../state/transcript.ts';

/** The whole thread of a subagent, in place of the conversation of its leader. */
@customElement('gantry-thread')
export class ThreadSheet extends LightElement {
  @property({ attribute: false }) thread!: OpenThread;
  /** The thread's cells. A new array triggers an update. */
  @property({ attribute: false }) cells: OpenThread['transcript']['cells'] = [];
  @property({ attribute: false }) facts: OpenThread['transcript']['facts'] | undefined;
  /** The cell of the subagent's call in the conversation; undefined if the panel has not loaded it. */
  @property({ attribute: false }) cell: EntryCell | undefined;
  @property({ attribute: false }) disclosures!: Disclosures;
  @property({ attribute: false }) answers!: KeptAnswers;
  @property({ attribute: false }) thinking: ThinkingWay = 'collapsed';
  /** The call ids of commands whose terminals still exist. */
  @property({ attribute: false }) terminals: readonly string[] = [];
  private watched: EntryCell | undefined;
  private unsubscribe: () => void = () => undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.unsubscribe();
    this.watched = undefined;
  }

  protected override willUpdate(): void {
    if (this.cell === this.watched) return;
    this.unsubscribe();
    this.watched = this.cell;
    this.unsubscribe = this.cell?.subscribe(() => this.requestUpdate()) ?? (() => undefined);
  }

  protected override firstUpdated(): void {
    this.querySelector<HTMLElement>('.sheet-head button')?.focus();
  }

  override render(): TemplateResult {
    return html`<div class="sheet-keys" @keydown=${this.pressed} @gantry-scroll=${stopHere}
      @gantry-ask-view=${stopHere} @gantry-post=${this.posted}>
      ${sheetView(l10n.t('Thread'), nothing, this.body(), this.foot())}
    </div>`;
  }

  private body(): TemplateResult {
    const { transcript, loaded } = this.thread;
    return html`<div class="thread">
      ${this.head()}
      ${
        loaded
          ? html`<gantry-conversation .transcript=${transcript} .cells=${transcript.cells} .total=${transcript.total}
              .facts=${transcript.facts} .disclosures=${this.disclosures} .answers=${this.answers} .locked=${true}
              .thinking=${this.thinking} .terminals=${this.terminals} .label=${l10n.t('Thread')}
              .empty=${transcript.total === 0 ? html`<p class="menu-empty">${l10n.t('Nothing has been done yet.')}</p>` : nothing}
            ></gantry-conversation>`
          : html`<p class="menu-empty" role="status">${icon('loading', 'spin')}${l10n.t('Loading the thread')}</p>`
      }
    </div>`;
  }

  private head(): TemplateResult | typeof nothing {
    const entry = this.cell?.entry;
    if (entry?.kind !== 'tool' || !entry.agent) return nothing;
    const { agent, status, subject, name } = entry;
    return html`<div class="thread-head">
      <h2>${shown(subject || name)}</h2>
      <p class="small muted">${subtitle(entry, agent)}</p>
      ${status === 'running' && agent.maxTurns !== undefined ? progressView(agent.turns, agent.maxTurns) : nothing}
    </div>`;
  }

  private foot(): TemplateResult | typeof nothing {
    const entry = this.cell?.entry;
    if (entry?.kind !== 'tool' || !entry.agent) return nothing;
    const stop = (): void => postToHost(this, { type: 'stopAgent', callId: entry.id });
    const open = (): void => {
      postToHost(this, { type: 'resume', id: this.thread.threadId });
      emit(this, 'gantry-sheet-done', undefined);
    };
    return html`<div class="sheet-foot">
      ${
        entry.status === 'running'
          ? html`<vscode-button appearance="secondary" @click=${stop}>${l10n.t('Stop')}</vscode-button>`
          : nothing
      }
      <vscode-button appearance="secondary" @click=${open}>${l10n.t('Open as session')}</vscode-button>
      <span class="small muted count">${tokensText(entry.agent)}</span>
    </div>`;
  }

  /** Redirects requests for entries and actions on commands to the thread. */
  private readonly posted = (event: CustomEvent<ToHost>): void => {
    const message = ofThread(event.detail, this.thread.threadId);
    if (!message) return;
    event.stopPropagation();
    postToHost(this, message);
  };

  private readonly pressed = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    event.stopPropagation();
    emit(this, 'gantry-sheet-close', undefined);
  };
}

/** Adapts a message from inside the thread; undefined if it needs no change. */
function ofThread(message: ToHost, threadId: string): ToHost | undefined {
  switch (message.type) {
    case 'window':
      return { type: 'threadWindow', around: message.around };
    case 'openTerminal':
    case 'moveToBackground':
    case 'stopCommand':
    case 'allowBlocked':
    case 'runOutside':
      return { ...message, threadId };
    default:
      return undefined;
  }
}

/** Stops events of the thread's conversation that would change the state of the main one. */
function stopHere(event: Event): void {
  event.stopPropagation();
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-thread': ThreadSheet;
  }
}
