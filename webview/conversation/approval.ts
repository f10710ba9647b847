import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import type { ApprovalDetails } from '../../extension/protocol/approval.ts';
import { decisionButtons } from '../../extension/protocol/decisions.ts';
import type { ToHost } from '../../extension/protocol/host-messages.ts';
import { visiblePieces } from '../../extension/protocol/visible-text.ts';
import { announce, emit, postToHost } from '../events.ts';
import { type IconName, icon } from '../icons.ts';
import { LightElement } from '../light-element.ts';
import type { EntryCell } from '../state/entry-cell.ts';
import { type Answer, narrowestYes, type Question } from './approval-answer.ts';
import { askButton, reasonView, TO_THE_END } from './approval-buttons.ts';
import { detailsView, planCell, planView, wordsOf } from './approval-details.ts';
import { grantsView } from './approval-grants.ts';
import { approvalKey } from './approval-keys.ts';
import { InView } from './in-view.ts';
import { ReadToEnd } from './read-to-end.ts';
import { shown, worded } from './shown-text.ts';
import './question.ts';
import type { Questions } from './question.ts';

/** A second press or click meant for what stood here before must not answer what nobody has read. */
const SETTLE_MS = 300;

/** A question that waits for a yes or a no. It never takes focus by itself, and shows all of what would be allowed. */
@customElement('gantry-approval')
export class Approval extends LightElement {
  @property({ attribute: false }) approval!: Question;
  @property({ attribute: false }) sign: IconName = 'tools';
  @state() private answered = false;
  @state() private settling = true;
  /** Something of it lies outside its box and was not scrolled into it yet. */
  @state() private unread = false;
  /** Of the grants: what a wider yes is to cover. */
  @state() private grant: string | undefined;
  @state() private scope: 'workspace' | 'user' = 'workspace';
  /** Why not; undefined unless the reader wants to say it. */
  @state() private reason: string | undefined;
  @state() private answeredQuestions = 0;
  @query('gantry-questions') private questions!: Questions | null;
  @query('.ask') private card!: HTMLElement | null;
  private plan: EntryCell | undefined;
  private timer: number | undefined;
  /** Tab was pressed before there was a button to go to. */
  private firstWanted = false;
  private readonly reading = new ReadToEnd(() => this.checkRead());
  private readonly view = new InView(this, (inView) =>
    emit(this, 'gantry-ask-view', { requestId: this.approval.requestId, inView }),
  );

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.settling) this.settleLater();
    this.view.start();
    // It may have been taken out and put back, and stopped watching its boxes.
    if (this.hasUpdated) this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearTimeout(this.timer);
    this.view.stop();
    this.reading.stop();
  }

  /** Lands on the card and on none of its buttons. */
  focusCard(): void {
    this.card?.focus({ preventScroll: true });
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('approval')) return;
    this.answered = false;
    if (changed.get('approval')?.requestId === this.approval.requestId) return;
    const details = this.approval.request?.details;
    this.plan = details?.type === 'plan' ? planCell(details.text) : undefined;
    this.grant = undefined;
    this.reason = undefined;
    this.answeredQuestions = 0;
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
    // The buttons of the toolkit take focus a frame after they can be pressed.
    await new Promise(requestAnimationFrame);
    if (this.firstWanted && document.activeElement === this.card) this.toFirst();
    this.firstWanted = false;
  }

  override render(): TemplateResult {
    const { title, message, request } = this.approval;
    const details = request?.details;
    const isHiding = visiblePieces(wordsOf(details, message)).some(({ hidden }) => hidden);
    return html`<div class="ask" role="group" aria-label=${title} tabindex="-1" ?data-settling=${this.settling}
      @keydown=${this.pressed}>
      <div class="ask-head">${icon(this.sign)}<h2>${shown(title)}</h2>${this.countView()}${this.diffButton()}</div>
      ${this.whatView(details, message)}
      <div class="ask-foot">
        ${isHiding ? HIDDEN_NOTE : nothing} ${this.unread ? UNREAD_NOTE : nothing}
        ${request?.why ? this.whyView(request.why) : nothing} ${this.actsView()}
      </div>
    </div>`;
  }

  private whatView(details: ApprovalDetails | undefined, message: string): TemplateResult | typeof nothing {
    if (details?.type === 'ask_user') {
      return html`<gantry-questions .questions=${details.questions} .name=${this.approval.requestId}
        @gantry-answered=${(event: CustomEvent<number>) => this.count(event.detail)}></gantry-questions>`;
    }
    return this.plan ? planView(this.plan) : detailsView(details, message, this.post);
  }

  private whyView(why: string): TemplateResult {
    return html`<p class="why quiet">${icon('law')}<span>${worded(why, this.post)}</span></p>`;
  }

  private readonly post = (message: ToHost): void => postToHost(this, message);

  private countView(): TemplateResult | typeof nothing {
    const details = this.approval.request?.details;
    if (details?.type !== 'ask_user' || details.questions.length < 2) return nothing;
    return html`<span class="muted small">${this.answeredQuestions} of ${details.questions.length} answered</span>`;
  }

  /** The editor's own diff has all of it, and lets the reader change it. Looking is no answer: it need not settle. */
  private diffButton(): TemplateResult | typeof nothing {
    if (this.approval.request?.details.type !== 'edit') return nothing;
    const { requestId } = this.approval;
    return html`<button class="ghost link" type="button" @click=${() => this.post({ type: 'openDiff', requestId })}>Open diff</button>`;
  }

  private actsView(): TemplateResult {
    const { reason, isBusy } = this;
    if (reason !== undefined) {
      return reasonView({
        reason,
        isBusy,
        change: (text) => {
          this.reason = text;
        },
        reject: () => this.answer(reason.trim() === '' ? {} : { reason }),
        back: () => {
          this.reason = undefined;
        },
      });
    }
    switch (this.approval.request?.details.type) {
      case 'ask_user':
        return html`<div class="acts">
          ${this.yes('Send answers', 'primary', () => this.narrowest)}
          ${this.no('Skip', () => this.answer({}))}
        </div>`;
      case 'plan':
        return html`<div class="acts">
            ${this.yes('Approve', 'primary', () => this.narrowest)} ${this.no('Reject', () => this.askWhy())}
            ${this.yes('Approve with AutoEdit', 'secondary', () => ({ decision: 'once', approvalMode: 'autoEdit' }))}
          </div>
          <p class="small muted">Approve asks before each edit. With AutoEdit files change without a question.</p>`;
      default:
        return this.decisionsView();
    }
  }

  private decisionsView(): TemplateResult {
    const { primary, wider } = decisionButtons(this.approval.decisions);
    return html`<div class="acts">
        <span class="acts">
          ${primary ? this.yes(primary.label, 'primary', () => this.narrowest) : nothing}
          ${this.no('Reject', () => this.answer({}))}
        </span>
        <button class="ghost link" type="button" ?disabled=${this.isBusy} @click=${() => this.askWhy()}>Reject with a reason…</button>
      </div>
      ${wider.length === 0 ? nothing : this.widerView(wider)}`;
  }

  private widerView(wider: ReturnType<typeof decisionButtons>['wider']): TemplateResult {
    const grants = this.approval.request?.grants ?? [];
    const chosen = (grants.find(({ id }) => id === this.grant) ?? grants[0])?.id;
    const widen = (decision: string): Answer => ({
      decision,
      ...(chosen !== undefined && { grant: chosen }),
      ...(decision === 'always' && { scope: this.scope }),
    });
    return html`<div class="acts">
        ${wider.map(({ label, decision }) => this.yes(label, 'secondary', () => widen(decision)))}
      </div>
      ${grantsView({
        grants,
        chosen,
        scope: this.scope,
        name: this.approval.requestId,
        pick: (grant) => {
          this.grant = grant;
        },
        pickScope: (scope) => {
          this.scope = scope;
        },
        post: this.post,
      })}`;
  }

  private yes(label: string, appearance: 'primary' | 'secondary', answer: () => Answer | undefined): TemplateResult {
    const { isBusy, unread: isGated } = this;
    return askButton({ label, appearance, isBusy, isGated, act: () => this.allow(answer()) });
  }

  private no(label: string, act: () => void): TemplateResult {
    return askButton({ label, appearance: 'secondary', isBusy: this.isBusy, act });
  }

  private get narrowest(): Answer | undefined {
    return narrowestYes(this.approval, this.questions?.answers ?? {});
  }

  private get isBusy(): boolean {
    return this.answered || this.settling;
  }

  private count(answered: number): void {
    this.answeredQuestions = answered;
  }

  private askWhy(): void {
    if (this.isBusy) return;
    this.reason = '';
    void this.updateComplete.then(() => this.querySelector<HTMLInputElement>('.ask-foot .field')?.focus());
  }

  private readonly pressed = (event: KeyboardEvent): void => {
    const target = event.target as HTMLElement;
    const inText = target instanceof HTMLInputElement && target.type === 'text';
    const key = approvalKey(event, { inText, onCard: target === this.card });
    if (key === 'other') return;
    event.preventDefault();
    event.stopPropagation();
    if (key === 'next') this.toFirst();
    // While the reader says why not, no key says yes.
    if (key === 'allow' && this.reason === undefined) this.allow(this.narrowest, 'keyboard');
    if (key === 'reject') this.answer({}, 'keyboard');
  };

  /** What has to be read comes before what can be pressed, and of that the narrowest yes. */
  private toFirst(): void {
    // Buttons take no focus before they can be pressed.
    this.firstWanted = this.settling;
    const first = this.reading.unread ?? this.querySelector<HTMLElement>(FIRST);
    first?.focus();
  }

  private allow(answer: Answer | undefined, by?: 'keyboard'): void {
    const { unread } = this.reading;
    if (unread && !this.isBusy) {
      unread.focus();
      announce(this, TO_THE_END);
    } else if (answer) {
      this.answer(answer, by);
    }
  }

  private answer(answer: Answer, by?: 'keyboard'): void {
    if (this.isBusy) return;
    this.answered = true;
    // The pressed button goes with the question; the reader stays at this step.
    this.closest('article')?.focus({ preventScroll: true });
    postToHost(this, { type: 'answer', requestId: this.approval.requestId, ...answer, ...(by && { by }) });
  }
}

/** The first thing to fill in or to press. */
const FIRST = 'gantry-questions input, .acts vscode-button';

const HIDDEN_NOTE = html`<p class="why">
  ${icon('warning')}<span>Holds characters that cannot be seen. They are shown by their codes.</span>
</p>`;

const UNREAD_NOTE = html`<p class="why">${icon('arrow-down')}<span>${TO_THE_END}</span></p>`;

declare global {
  interface HTMLElementTagNameMap {
    'gantry-approval': Approval;
  }
}
