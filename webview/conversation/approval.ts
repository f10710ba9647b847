import * as l10n from '@vscode/l10n';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import type { ApprovalDetails } from '../../extension/protocol/agent/approval.ts';
import type { ToHost } from '../../extension/protocol/panel/host-messages.ts';
import { announce, emit, postToHost } from '../base/events.ts';
import { type IconName, icon } from '../base/icons.ts';
import { LightElement } from '../base/light-element.ts';
import { shown } from '../base/shown-text.ts';
import type { KeptAnswers } from '../state/kept-answers.ts';
import { actsView, type CardActs } from './approval-acts.ts';
import { type Answer, type AskedApproval, approvalKey, gateOf, narrowestYes } from './approval-answer.ts';
import { detailsView, notesView } from './approval-details.ts';
import { InView } from './in-view.ts';
import { type PlanActs, PlanDraft, planEditor, planView } from './plan-draft.ts';
import { ReadToEnd } from './read-to-end.ts';
import './question.ts';
import { answersOf, isAnswered, type Reply } from './question-answers.ts';

/** Ignores presses and clicks on a new card that were meant for something shown here before. */
const SETTLE_MS = 300;

/**
 * A question that requires an answer. It never takes the focus by itself, and shows everything that would be allowed.
 */
@customElement('gantry-approval')
export class Approval extends LightElement {
  @property({ attribute: false }) approval!: AskedApproval;
  @property({ attribute: false }) sign: IconName = 'tools';
  /** Keeps the reader's input when the page is destroyed. */
  @property({ attribute: false }) kept!: KeptAnswers;
  /** True if the diff of the edit is open in an editor. */
  @property({ attribute: false }) inEditor = false;
  @state() private answered = false;
  @state() private settling = true;
  /** True if some content was not scrolled into view yet. */
  @state() private unread = false;
  /** The id of the grant that a wider approval will cover. */
  @state() private grant: string | undefined;
  @state() private scope: 'workspace' | 'user' = 'workspace';
  /** The reason of a rejection; undefined unless the reader is writing one. */
  @state() private reason: string | undefined;
  /** True if the reader declined the offer to stop asking about commands in the sandbox. */
  @state() private declined = false;
  /** The reader's replies to the model's questions. */
  @state() private replies: readonly Reply[] = [];
  @query('.ask') private card!: HTMLElement | null;
  private plan: PlanDraft | undefined;
  private timer: number | undefined;
  /** True if Tab was pressed before there was a button to focus. */
  private firstWanted = false;
  private readonly reading = new ReadToEnd(() => this.checkRead());
  private readonly view = new InView(this, (inView) =>
    emit(this, 'gantry-ask-view', { requestId: this.approval.requestId, inView }),
  );

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.settling) this.settleLater();
    this.view.start();
    // The element may have been removed and inserted again, and then no longer observes its boxes.
    if (this.hasUpdated) this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearTimeout(this.timer);
    this.view.stop();
    this.reading.stop();
  }

  get requestId(): string {
    return this.approval.requestId;
  }

  /** Focuses the card itself and none of its buttons. */
  focusCard(): void {
    this.card?.focus({ preventScroll: true });
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('approval')) return;
    this.answered = false;
    if (changed.get('approval')?.requestId === this.approval.requestId) return;
    const details = this.approval.request?.details;
    const { reason, replies = [], plan, declined = false } = this.kept.of(this.approval.requestId);
    this.plan = details?.type === 'plan' ? new PlanDraft(details.text, plan) : undefined;
    this.grant = undefined;
    this.reason = reason;
    this.declined = declined;
    this.replies = replies;
    this.reading.forget();
    this.settling = true;
    this.settleLater();
  }

  protected override updated(): void {
    this.reading.follow([...this.querySelectorAll<HTMLElement>('.ask-read')]);
    this.checkRead();
  }

  private checkRead(): void {
    this.unread = this.reading.unread !== undefined;
  }

  private settleLater(): void {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.settled(), SETTLE_MS);
  }

  private async settled(): Promise<void> {
    this.settling = false;
    await this.updateComplete;
    // The toolkit's buttons can be focused only one frame after they are enabled.
    await new Promise(requestAnimationFrame);
    if (this.firstWanted && document.activeElement === this.card) this.toFirst();
    this.firstWanted = false;
  }

  override render(): TemplateResult {
    const { title, message, request } = this.approval;
    const details = request?.details;
    const gate = gateOf(details, { isUnread: this.unread, isInEditor: this.inEditor });
    return html`<div class="ask" role="group" aria-label=${this.label} tabindex="-1" ?data-settling=${this.settling}
      @keydown=${this.pressed}>
      <div class="ask-head">${icon(this.sign)}<h2>${shown(title)}</h2>${this.agentView()}${this.countView()}${this.editorButton()}</div>
      ${this.whatView(details, message)}
      <div class="ask-foot">
        ${notesView(this.approval, gate, this.post)} ${actsView(this.acts(gate))}
      </div>
    </div>`;
  }

  private whatView(details: ApprovalDetails | undefined, message: string): TemplateResult | typeof nothing {
    if (details?.type === 'ask_user') {
      return html`<gantry-questions .questions=${details.questions} .replies=${this.replies}
        .name=${this.approval.requestId} @gantry-replies=${this.replied}></gantry-questions>`;
    }
    return this.plan ? this.planView(this.plan) : detailsView(details, message, this.post);
  }

  private planView(plan: PlanDraft): TemplateResult {
    if (plan.typed === undefined) return planView(plan);
    const type = (text: string): void => {
      plan.typed = text;
      this.kept.keep({ requestId: this.approval.requestId, plan: text });
    };
    return planEditor({ text: plan.typed, type, done: () => this.endEdit(plan, () => plan.end()) });
  }

  private beginEdit(plan: PlanDraft): void {
    plan.begin();
    this.requestUpdate();
    void this.updateComplete.then(() => this.querySelector<HTMLElement>('.ask-edit textarea')?.focus());
  }

  /** Ends editing and focuses the plan. */
  private endEdit(plan: PlanDraft, end: () => void): void {
    end();
    this.kept.keep({ requestId: this.approval.requestId, plan: plan.answer.plan });
    this.requestUpdate();
    void this.updateComplete.then(() => this.querySelector<HTMLElement>('.ask-plan')?.focus({ preventScroll: true }));
  }

  private planActs(plan: PlanDraft): PlanActs {
    return {
      isEditing: plan.typed !== undefined,
      isEdited: plan.isEdited,
      edit: () => this.beginEdit(plan),
      done: () => this.endEdit(plan, () => plan.end()),
      discard: () => this.endEdit(plan, () => plan.discard()),
    };
  }

  private readonly post = (message: ToHost): void => postToHost(this, message);

  private get label(): string {
    const { title, request } = this.approval;
    return request?.agent === undefined ? title : l10n.t('{0} Asked by the agent {1}', title, request.agent);
  }

  private agentView(): TemplateResult | typeof nothing {
    const { agent } = this.approval.request ?? {};
    return agent === undefined ? nothing : html`<span class="muted small cut">${l10n.t('Agent {0}', agent)}</span>`;
  }

  private countView(): TemplateResult | typeof nothing {
    const details = this.approval.request?.details;
    if (details?.type !== 'ask_user' || details.questions.length < 2) return nothing;
    const { questions } = details;
    const answered = questions.filter((question, index) => isAnswered(question, this.replies[index])).length;
    return html`<span class="muted small">${l10n.t('{0} of {1} answered', answered, questions.length)}</span>`;
  }

  /** Opens the editor, which shows everything and allows changes. It gives no answer, so it works immediately. */
  private editorButton(): TemplateResult | typeof nothing {
    const { requestId, request } = this.approval;
    if (request?.details.type === 'plan')
      return html`<button class="ghost link" type="button" @click=${() => this.post({ type: 'openPlan', requestId })}>${l10n.t('Open plan')}</button>`;
    if (request?.details.type !== 'edit') return nothing;
    return html`<button class="ghost link" type="button" @click=${() => this.post({ type: 'openDiff', requestId })}>${l10n.t('Open diff')}</button>`;
  }

  private acts(gate: string | undefined): CardActs {
    const { approval, isBusy, reason, grant, scope, post } = this;
    return {
      approval,
      isBusy,
      gate,
      reason,
      grant,
      scope,
      post,
      plan: this.plan && this.planActs(this.plan),
      offer: this.offer,
      narrowest: () => this.narrowest,
      allow: (answer) => this.allow(answer),
      reject: (why = '') => this.answer(why.trim() === '' ? {} : { reason: why }),
      askWhy: () => this.askWhy(),
      changeReason: (text) => this.changeReason(text),
      pickGrant: (id) => {
        this.grant = id;
      },
      pickScope: (where) => {
        this.scope = where;
      },
    };
  }

  private get offer(): CardActs['offer'] {
    const { requestId, request } = this.approval;
    if (!request?.offersAutoAllow || this.declined) return undefined;
    return {
      accept: () => this.onceRead(() => this.give({ type: 'answerOffer', requestId, accepted: true })),
      decline: () => {
        this.declined = true;
        this.kept.keep({ requestId, declined: true });
        this.post({ type: 'answerOffer', requestId, accepted: false });
        this.focusCard();
        announce(this, l10n.t('Commands still require approval.'));
      },
    };
  }

  private get narrowest(): Answer | undefined {
    const details = this.approval.request?.details;
    return narrowestYes(this.approval, details?.type === 'ask_user' ? answersOf(details.questions, this.replies) : {});
  }

  private get isBusy(): boolean {
    return this.answered || this.settling;
  }

  private readonly replied = ({ detail }: CustomEvent<readonly Reply[]>): void => {
    this.replies = detail;
    this.kept.keep({ requestId: this.approval.requestId, replies: detail });
  };

  private changeReason(reason: string | undefined): void {
    this.reason = reason;
    this.kept.keep({ requestId: this.approval.requestId, reason });
  }

  private askWhy(): void {
    if (this.isBusy) return;
    this.changeReason('');
    void this.updateComplete.then(() => this.querySelector<HTMLInputElement>('.ask-foot .field')?.focus());
  }

  private readonly pressed = (event: KeyboardEvent): void => {
    const target = event.target as HTMLElement;
    const inText =
      target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type === 'text');
    const key = approvalKey(event, { inText, onCard: target === this.card });
    if (key === 'other') return;
    event.preventDefault();
    event.stopPropagation();
    if (key === 'next') this.toFirst();
    // While the reader writes the reason of a rejection, no key approves.
    if (key === 'allow' && this.reason === undefined) this.allow(this.narrowest, 'keyboard');
    if (key === 'reject') this.answer({}, 'keyboard');
  };

  /** Focuses unread content first, otherwise the first field or button. */
  private toFirst(): void {
    // Disabled buttons can't be focused.
    this.firstWanted = this.settling;
    const first = this.reading.unread ?? this.querySelector<HTMLElement>(FIRST);
    first?.focus();
  }

  /** True if nothing must be read before approval, and the reader is not writing the reason of a rejection. */
  get canAllow(): boolean {
    return !this.isBusy && this.gate === undefined && this.reason === undefined;
  }

  allowOnce(): void {
    this.allow(this.narrowest);
  }

  /** Focuses what must be read or finished first. */
  showHeld(): void {
    if (this.isBusy) return;
    if (this.gate === undefined) this.focusCard();
    else this.showGate(this.gate);
  }

  private allow(answer: Answer | undefined, by?: 'keyboard'): void {
    this.onceRead(() => answer && this.answer(answer, by));
  }

  /** Runs the action only if all content has been seen. */
  private onceRead(act: () => void): void {
    const { gate } = this;
    if (gate === undefined || this.isBusy) act();
    else this.showGate(gate);
  }

  private get gate(): string | undefined {
    return gateOf(this.approval.request?.details, {
      isUnread: this.reading.unread !== undefined,
      isInEditor: this.inEditor,
    });
  }

  private showGate(gate: string): void {
    (this.reading.unread ?? this.querySelector<HTMLElement>('.ask-head button'))?.focus();
    announce(this, gate);
  }

  private answer(answer: Answer, by?: 'keyboard'): void {
    const plan = answer.decision === undefined ? {} : this.plan?.answer;
    this.give({ type: 'answer', requestId: this.approval.requestId, ...answer, ...plan, ...(by && { by }) });
  }

  private give(message: ToHost): void {
    if (this.isBusy) return;
    this.answered = true;
    // The pressed button disappears with the question, so the focus moves to the step.
    this.closest('article')?.focus({ preventScroll: true });
    this.post(message);
  }
}

/** The first field or button. */
const FIRST = 'gantry-questions input, .acts vscode-button';

declare global {
  interface HTMLElementTagNameMap {
    'gantry-approval': Approval;
  }
}
