import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import type { ApprovalDetails } from '../../extension/protocol/approval.ts';
import type { ToHost } from '../../extension/protocol/panel-messages.ts';
import type { Entry } from '../../extension/protocol/transcript-entry.ts';
import { postToHost } from '../events.ts';
import { type IconName, icon } from '../icons.ts';
import { LightElement } from '../light-element.ts';
import type { EntryCell } from '../state/entry-cell.ts';
import { detailsView, planCell, wordsOf } from './approval-details.ts';
import { decisionButtons, visiblePieces } from './approval-presentation.ts';
import { shown, worded } from './shown-text.ts';
import './question.ts';
import type { Questions } from './question.ts';

type Question = NonNullable<Extract<Entry, { kind: 'tool' }>['approval']>;
type Answer = Omit<Extract<ToHost, { type: 'answer' }>, 'type' | 'requestId'>;

/** A second press or click meant for what stood here before must not answer what nobody has read. */
const SETTLE_MS = 300;

/** A question that waits for a yes or a no. It never takes focus, and shows all of what would be allowed. */
@customElement('gantry-approval')
export class Approval extends LightElement {
  @property({ attribute: false }) approval!: Question;
  @property({ attribute: false }) sign: IconName = 'tools';
  @state() private answered = false;
  @state() private settling = true;
  /** Of the grants: what a wider yes is to cover. */
  @state() private grant: string | undefined;
  @state() private scope: 'workspace' | 'user' = 'workspace';
  /** Why not; undefined unless the reader wants to say it. */
  @state() private reason: string | undefined;
  @state() private answeredQuestions = 0;
  @query('gantry-questions') private questions!: Questions | null;
  private plan: EntryCell | undefined;
  private timer: number | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.settling) this.settleLater();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearTimeout(this.timer);
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
    this.settling = true;
    this.settleLater();
  }

  private settleLater(): void {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      this.settling = false;
    }, SETTLE_MS);
  }

  override render(): TemplateResult {
    const { title, message, request } = this.approval;
    const details = request?.details;
    const isHiding = visiblePieces(wordsOf(details, message)).some(({ hidden }) => hidden);
    return html`<div class="ask" ?data-settling=${this.settling}>
      <div class="ask-head">${icon(this.sign)}<h2>${shown(title)}</h2>${this.countView()}${this.diffButton()}</div>
      ${this.whatView(details, message)}
      <div class="ask-foot">
        ${isHiding ? HIDDEN_NOTE : nothing} ${request?.why ? this.whyView(request.why) : nothing} ${this.actsView()}
      </div>
    </div>`;
  }

  private whatView(details: ApprovalDetails | undefined, message: string): TemplateResult | typeof nothing {
    if (details?.type === 'ask_user') {
      return html`<gantry-questions .questions=${details.questions} .name=${this.approval.requestId}
        @gantry-answered=${(event: CustomEvent<number>) => this.count(event.detail)}></gantry-questions>`;
    }
    if (this.plan)
      return html`<div class="ask-plan"><gantry-markdown class="md" .cell=${this.plan}></gantry-markdown></div>`;
    return detailsView(details, message, this.post);
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
    if (this.reason !== undefined) return this.reasonView(this.reason);
    switch (this.approval.request?.details.type) {
      case 'ask_user':
        return html`<div class="acts">
          ${this.button('Send answers', 'primary', () => this.answer({ decision: 'once', answers: this.questions?.answers ?? {} }))}
          ${this.button('Skip', 'secondary', () => this.answer({}))}
        </div>`;
      case 'plan':
        return html`<div class="acts">
            ${this.button('Approve', 'primary', () => this.answer({ decision: 'once', approvalMode: 'default' }))}
            ${this.button('Reject', 'secondary', () => this.askWhy())}
            ${this.button('Approve with AutoEdit', 'secondary', () => this.answer({ decision: 'once', approvalMode: 'autoEdit' }))}
          </div>
          <p class="small muted">Approve asks before each edit. With AutoEdit files change without a question.</p>`;
      default:
        return this.decisionsView();
    }
  }

  private decisionsView(): TemplateResult {
    const { decisions, request } = this.approval;
    const { primary, wider } = decisionButtons(decisions);
    const grants = request?.grants ?? [];
    const chosen = grants.find(({ id }) => id === this.grant) ?? grants[0];
    const widen = (decision: string): Answer => ({
      decision,
      ...(chosen && { grant: chosen.id }),
      ...(decision === 'always' && { scope: this.scope }),
    });
    return html`<div class="acts">
        <span class="acts">
          ${primary ? this.button(primary.label, 'primary', () => this.answer({ decision: primary.decision })) : nothing}
          ${this.button('Reject', 'secondary', () => this.answer({}))}
        </span>
        <button class="ghost link" type="button" ?disabled=${this.isBusy} @click=${() => this.askWhy()}>Reject with a reason…</button>
      </div>
      ${
        wider.length === 0
          ? nothing
          : html`<div class="acts">
                ${wider.map(({ label, decision }) => this.button(label, 'secondary', () => this.answer(widen(decision))))}
              </div>
              ${this.grantsView(grants, chosen?.id)}`
      }`;
  }

  /** What a wider yes covers is said before it is given. */
  private grantsView(grants: NonNullable<Question['request']>['grants'], chosen: string | undefined): TemplateResult {
    const [only] = grants;
    return html`<div class="grants">
      ${
        grants.length > 1
          ? html`<fieldset>
              <legend class="small muted">For the session or always</legend>
              ${grants.map(
                ({ id, covers }) => html`<label class="opt">
                  <input type="radio" name="grant-${this.approval.requestId}" .checked=${id === chosen}
                    @change=${() => {
                      this.grant = id;
                    }} />
                  <span class="small">${worded(covers, this.post)}</span>
                </label>`,
              )}
            </fieldset>`
          : html`<p class="small muted">For the session or always: ${worded(only?.covers ?? '', this.post)}</p>`
      }
      <label class="small muted scope">
        “Always” holds in
        <select class="field slim" @change=${(event: Event) => this.pickScope((event.target as HTMLSelectElement).value)}>
          <option value="workspace" ?selected=${this.scope === 'workspace'}>this folder</option>
          <option value="user" ?selected=${this.scope === 'user'}>every folder</option>
        </select>
      </label>
    </div>`;
  }

  private reasonView(reason: string): TemplateResult {
    const reject = (): void => this.answer(reason.trim() === '' ? {} : { reason });
    return html`<input class="field" type="text" aria-label="Why not" placeholder="What to do instead" .value=${reason}
        @input=${(event: Event) => {
          this.reason = (event.target as HTMLInputElement).value;
        }}
        @keydown=${(event: KeyboardEvent) => {
          if (event.key === 'Enter' && !event.isComposing) reject();
        }} />
      <div class="acts">
        ${this.button('Reject', 'primary', reject)}
        ${this.button('Back', 'secondary', () => {
          this.reason = undefined;
        })}
      </div>`;
  }

  private button(label: string, appearance: 'primary' | 'secondary', act: () => void): TemplateResult {
    return html`<vscode-button appearance=${appearance} ?disabled=${this.isBusy} @click=${act}>${label}</vscode-button>`;
  }

  private get isBusy(): boolean {
    return this.answered || this.settling;
  }

  private count(answered: number): void {
    this.answeredQuestions = answered;
  }

  private pickScope(value: string): void {
    this.scope = value === 'user' ? 'user' : 'workspace';
  }

  private askWhy(): void {
    if (this.isBusy) return;
    this.reason = '';
    void this.updateComplete.then(() => this.querySelector<HTMLInputElement>('.ask-foot .field')?.focus());
  }

  /** Without a decision it is a no. */
  private answer(answer: Answer): void {
    if (this.isBusy) return;
    this.answered = true;
    // The pressed button goes with the question; the reader stays at this step.
    this.closest('article')?.focus({ preventScroll: true });
    postToHost(this, { type: 'answer', requestId: this.approval.requestId, ...answer });
  }
}

const HIDDEN_NOTE = html`<p class="why">
  ${icon('warning')}<span>Holds characters that cannot be seen. They are shown by their codes.</span>
</p>`;

declare global {
  interface HTMLElementTagNameMap {
    'gantry-approval': Approval;
  }
}
