import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { Grant } from '../../extension/protocol/agent/approval.ts';
import { decisionButtons } from '../../extension/protocol/agent/decisions.ts';
import type { ToHost } from '../../extension/protocol/panel/host-messages.ts';
import { icon } from '../base/icons.ts';
import { filled, worded } from '../base/shown-text.ts';
import type { Answer, AskedApproval } from './approval-answer.ts';
import { askButton, reasonView } from './approval-buttons.ts';
import { type PlanActs, planEditActs, planNote } from './plan-draft.ts';
import './split-button.ts';
import type { MenuPart } from './split-button.ts';

/** The state and the actions of a card's buttons. */
export interface CardActs {
  readonly approval: AskedApproval;
  readonly isBusy: boolean;
  /** Why the call cannot be approved yet. */
  readonly gate: string | undefined;
  /** The reason of a rejection; undefined unless the reader is writing one. */
  readonly reason: string | undefined;
  /** The id of the grant that a wider approval will cover. */
  readonly grant: string | undefined;
  readonly scope: 'workspace' | 'user';
  /** Set if the card also offers to stop asking about commands in the sandbox. */
  readonly offer: { accept(): void; decline(): void } | undefined;
  /** Set on the card of a plan. */
  readonly plan: PlanActs | undefined;
  /** The narrowest approval. */
  narrowest(): Answer | undefined;
  allow(answer: Answer | undefined): void;
  reject(reason?: string): void;
  askWhy(): void;
  changeReason(reason: string | undefined): void;
  pickGrant(grant: string): void;
  pickScope(scope: 'workspace' | 'user'): void;
  post(message: ToHost): void;
}

/** The answers that the reader can give. */
export function actsView(card: CardActs): TemplateResult {
  const { approval, reason, isBusy } = card;
  if (reason !== undefined) {
    return reasonView({
      reason,
      isBusy,
      change: card.changeReason,
      reject: () => card.reject(reason),
      back: () => card.changeReason(undefined),
    });
  }
  switch (approval.request?.details.type) {
    case 'ask_user':
      return html`<div class="acts">
        ${yes(card, l10n.t('Send answers'), 'primary', card.narrowest)} ${no(card, l10n.t('Skip'), () => card.reject())}
      </div>`;
    case 'plan':
      return card.plan?.isEditing ? planEditActs(card.plan) : planActsView(card);
    default:
      return decisionsView(card);
  }
}

function planActsView(card: CardActs): TemplateResult {
  const { plan, isBusy } = card;
  const edit = plan && askButton({ label: l10n.t('Edit plan'), appearance: 'secondary', isBusy, act: plan.edit });
  return html`${plan?.isEdited ? planNote() : nothing}
    <div class="acts">
      <span class="acts">
        ${yes(card, l10n.t('Approve'), 'primary', card.narrowest)} ${no(card, l10n.t('Reject'), card.askWhy)}
      </span>
      <span class="acts">
        ${yes(card, l10n.t('Approve with AutoEdit'), 'secondary', () => ({ decision: 'once', approvalMode: 'autoEdit' }))}
        ${edit ?? nothing}
      </span>
    </div>
    <p class="small muted">${l10n.t('Approve asks before each edit. With AutoEdit, files change without asking.')}</p>`;
}

/** The narrowest approval and a plain rejection. Wider approvals and a rejection with a reason are in their menus. */
function decisionsView(card: CardActs): TemplateResult {
  const { isBusy, gate } = card;
  const { primary, wider } = decisionButtons(card.approval.decisions);
  const allow = primary && {
    label: primary.label,
    appearance: 'primary' as const,
    isBusy,
    gate,
    act: () => card.allow(card.narrowest()),
  };
  const reject = { label: l10n.t('Reject'), appearance: 'secondary' as const, isBusy, act: () => card.reject() };
  const withReason: MenuPart = { kind: 'act', label: l10n.t('Reject with a reason…'), act: card.askWhy };
  // Without wider approvals, no rule can allow the call.
  const rejections = wider.length > 0 ? [withReason] : [withReason, ruleAct(card)];
  return html`<div class="acts">
      ${
        allow
          ? html`<gantry-split-button .button=${allow} .more=${l10n.t('More ways to allow')}
              .parts=${widerParts(card, wider)}></gantry-split-button>`
          : nothing
      }
      <gantry-split-button .button=${reject} .more=${l10n.t('More ways to reject')} .parts=${rejections}></gantry-split-button>
    </div>
    ${offerView(card)}`;
}

/** The offer appears below the buttons because it affects all later commands. */
function offerView({ offer, isBusy, gate }: CardActs): TemplateResult | typeof nothing {
  if (!offer) return nothing;
  const words = l10n.t(
    'Run commands in the sandbox without asking from now on? Commands that need to leave the sandbox or could destroy the open folders still require approval. You can change this in the setting {0}.',
  );
  return html`<div class="offer" role="group" aria-label=${l10n.t('Fewer approvals')}>
    <p class="why quiet">${icon('shield')}<span>${filled(words, html`<code>gantry.sandbox.autoAllow</code>`)}</span></p>
    <div class="acts">
      ${askButton({ label: l10n.t('Yes, and run this'), appearance: 'secondary', isBusy, gate, act: offer.accept })}
      <button class="ghost link" type="button" ?disabled=${isBusy} @click=${offer.decline}>${l10n.t('No thanks')}</button>
    </div>
  </div>`;
}

/** The menu tells what a wider approval covers. */
function widerParts(card: CardActs, wider: ReturnType<typeof decisionButtons>['wider']): readonly MenuPart[] {
  const { approval, scope, gate, post } = card;
  const grants = approval.request?.grants ?? [];
  const chosen = grants.find(({ id }) => id === card.grant) ?? grants[0];
  const covers = chosen && html`${worded(chosen.covers, post)}`;
  const acts = wider.map(({ label, decision }): MenuPart => {
    const answer: Answer = {
      decision,
      ...(chosen && { grant: chosen.id }),
      ...(decision === 'always' && { scope }),
    };
    const where = decision === 'always' ? html`${covers ? html`${covers} · ` : nothing}${scopeWords(scope)}` : covers;
    return { kind: 'act', label, note: where, gate, act: () => card.allow(answer) };
  });
  if (acts.length === 0) return [];
  return [
    ...acts,
    ruleAct(card),
    ...(grants.length > 1 ? [grantChoice(grants, chosen?.id, card)] : []),
    ...(wider.some(({ decision }) => decision === 'always') ? [scopeChoice(card)] : []),
  ];
}

/** Opens a rule about the call in an editor. It gives no answer. */
function ruleAct({ approval: { requestId }, post }: CardActs): MenuPart {
  return { kind: 'act', label: l10n.t('Write a rule for this…'), act: () => post({ type: 'writeRule', requestId }) };
}

function grantChoice(grants: readonly Grant[], chosen: string | undefined, { pickGrant, post }: CardActs): MenuPart {
  return {
    kind: 'choice',
    label: l10n.t('For the session or always'),
    options: grants.map(({ id, covers }) => ({ id, words: worded(covers, post) })),
    chosen,
    pick: pickGrant,
  };
}

function scopeChoice({ scope, pickScope }: CardActs): MenuPart {
  return {
    kind: 'choice',
    label: l10n.t('"Always" applies'),
    options: SCOPES.map((id) => ({ id, words: scopeWords(id) })),
    chosen: scope,
    pick: (id) => pickScope(id === 'user' ? 'user' : 'workspace'),
  };
}

const SCOPES = ['workspace', 'user'] as const;

function scopeWords(scope: (typeof SCOPES)[number]): string {
  return scope === 'workspace' ? l10n.t('in this folder') : l10n.t('in every folder');
}

function yes(
  { isBusy, gate, allow }: CardActs,
  label: string,
  appearance: 'primary' | 'secondary',
  answer: () => Answer | undefined,
): TemplateResult {
  return askButton({ label, appearance, isBusy, gate, act: () => allow(answer()) });
}

function no({ isBusy }: CardActs, label: string, act: () => void): TemplateResult {
  return askButton({ label, appearance: 'secondary', isBusy, act });
}
