import * as l10n from '@vscode/l10n';
import {
  type ApprovedCall,
  type Proposal,
  type ProposedEdit,
  refusedCall,
  type Tool,
  type ToolContext,
  type ToolResult,
  toolError,
} from '../ports/tool.ts';
import type { ApprovalDetails } from '../protocol/agent/approval.ts';
import { parsedArguments } from '../tools/call-arguments.ts';
import { editDetails } from '../tools/files/proposal-details.ts';
import { BY_TIMEOUT } from './answer-limit.ts';
import { approvalQuestion, readAnswer } from './approval-question.ts';
import {
  type AskedCall,
  AskedCalls,
  BY_RENEWAL,
  type OpenCall,
  type ProposedAgain,
  sameEdits,
  unfit,
} from './asked-calls.ts';
import type { ConfirmationBroker, GivenAnswer, Question } from './confirmation-broker.ts';
import type { OfferedGrant, PolicyPort, SecretsInCall, SecretsPort, ToolHooks } from './review-ports.ts';
import type { Reviewed, Ruling, ToolArgs, ToolCall } from './tool-call.ts';
import { badArguments, cancelled } from './tool-call.ts';
import { unanswered } from './unanswered.ts';

export interface ReviewParts {
  readonly policy: PolicyPort;
  readonly hooks: ToolHooks;
  readonly secrets: SecretsPort;
  readonly broker: ConfirmationBroker;
  /** Whether a user can be asked. */
  readonly interactive: boolean;
  /** The agent that asks, if it isn't the main one. */
  readonly asker?: string | undefined;
  /** One line about the call. */
  readonly describe: (call: ToolCall) => string;
  /** The context of `Tool.propose`. */
  readonly contextOf: (call: ToolCall, signal: AbortSignal) => ToolContext;
  /** Called after a grant: more calls may run now, so pending ones are checked again. */
  readonly granted: () => void;
  readonly audit: AuditReview;
}

/** Records every decision and answer. */
export interface AuditReview {
  decided(call: ToolCall, ruling: Ruling): void;
  answered(call: ToolCall, answer: GivenAnswer): void;
}

/** Decides about one call before it runs: hooks, rules, and a person if approval is required. */
export class CallReview {
  readonly asked: AskedCalls;

  constructor(private readonly parts: ReviewParts) {
    this.asked = new AskedCalls(parts.broker);
  }

  async review(call: ToolCall, tool: Tool, signal: AbortSignal, beforeAsking: () => Promise<void>): Promise<Reviewed> {
    const hooked = await this.parts.hooks.before(call, tool, signal);
    if (hooked.kind === 'stop') return refuse(toolError('stop_execution', hooked.reason));
    if (hooked.kind === 'deny') return refuse(refusedByHook(hooked.reason));
    const asCalled = hooked.args ? { ...call, args: hooked.args } : call;
    const behind = await this.parts.secrets.meantBy(asCalled, tool);
    if (behind && 'refused' in behind) return this.giveUp(call, toolError('policy_violation', behind.refused));
    const secrets = behind?.meant;
    const parsed = parsedArguments(tool, secrets?.args ?? asCalled.args);
    if (!parsed.success) return refuse(badArguments(tool, parsed.error.issues));
    const judged = await this.judge(asCalled, tool, parsed.data, { hookAsks: hooked.ask, secrets }, signal);
    const { ruling, proposal } = judged;
    this.parts.audit.decided(asCalled, ruling);
    if (judged.failed) return this.giveUp(call, judged.failed, ruling);
    if (ruling.decision === 'deny') {
      this.parts.broker.withdraw(call.id);
      return refuse(denied(call.name, ruling), ruling);
    }
    // A rule that was added later must not answer a question from before a restart.
    if (ruling.decision === 'allow' && !this.parts.broker.restoredFor(call.id)) {
      const approved: ApprovedCall | undefined = proposal && { proposal, answer: { decision: 'once' } };
      return { go: true, call: asCalled, args: parsed.data, ruling, byPerson: false, ...(approved && { approved }) };
    }
    if (!this.parts.interactive) return refuse(nobodyToAsk(call.name, ruling), ruling);
    const asked = { call: asCalled, tool, args: parsed.data, ruling, proposal, hookMessage: hooked.ask, secrets };
    return this.ask(asked, signal, beforeAsking);
  }

  /**
   * Checks a call again that only rules allowed: it may have waited for other calls, and the mode, rules or files may
   * have changed. A person approved what they saw, and the tool compares that with the file.
   */
  async again(
    reviewed: Extract<Reviewed, { go: true }>,
    tool: Tool,
    signal: AbortSignal,
    beforeAsking: () => Promise<void>,
  ): Promise<Reviewed> {
    if (reviewed.byPerson) return reviewed;
    const { call, args } = reviewed;
    const { ruling, proposal, failed } = await this.judge(call, tool, args, {}, signal);
    if (failed) return refuse(failed, ruling);
    if (ruling.decision === 'allow') return { ...reviewed, ruling };
    this.parts.audit.decided(call, ruling);
    if (ruling.decision === 'deny') return refuse(denied(call.name, ruling), ruling);
    if (!this.parts.interactive) return refuse(nobodyToAsk(call.name, ruling), ruling);
    const asked = { call, tool, args, ruling, proposal, hookMessage: undefined, secrets: undefined };
    return this.ask(asked, signal, beforeAsking);
  }

  async wouldAsk(call: ToolCall, tool: Tool): Promise<boolean> {
    const behind = await this.parts.secrets.meantBy(call, tool);
    if (behind && 'refused' in behind) return false;
    return (await this.ruling(call, tool, { secrets: behind?.meant })).decision === 'ask_user';
  }

  /** Allows pending calls that the rules allow now: the mode may have changed, or a rule was just added. */
  async releaseAllowed(): Promise<void> {
    for (const [callId, requestId] of this.parts.broker.waitingCalls) {
      const asked = this.asked.get(callId);
      if (!asked || !(await this.isAllowedByNow(asked))) continue;
      this.parts.broker.settle({ requestId, action: 'accept', content: { decision: 'once' }, by: BY_RULE });
    }
  }

  /**
   * Recalculates the proposal after its file changed, and asks again if it differs. If it can't be recalculated, the
   * request stays, because the file may still be changing.
   */
  async proposeAgain(
    requestId: string,
    wanted: (edits: readonly ProposedEdit[]) => boolean = () => true,
  ): Promise<ProposedAgain> {
    const open = this.asked.callOf(requestId);
    if (open?.proposal?.kind !== 'edit') return { kind: 'same' };
    const { call, tool, args, signal } = open;
    const outcome = await tool.propose?.(args, this.parts.contextOf(call, signal));
    // It was answered in the meantime.
    if (!outcome || this.asked.callOf(requestId) !== open) return { kind: 'same' };
    if ('failed' in outcome) return unfit(outcome.failed);
    const { proposal } = outcome;
    if (sameEdits(open.proposal, proposal)) return { kind: 'same' };
    if (proposal.kind === 'edit' && !wanted(proposal.edits)) return { kind: 'same' };
    this.asked.renew(requestId, call.id, proposal);
    return { kind: 'renewed' };
  }

  /** Fails a call whose request can't be shown completely, because nobody can approve it then. */
  fail(requestId: string, why: string): void {
    this.parts.broker.settle({ requestId, action: 'decline', content: { failure: why }, by: 'editor' });
  }

  /** No rule can answer for a hook that asks a person, or for a secret. */
  private async isAllowedByNow({ call, tool, proposal, hookMessage, secrets }: AskedCall): Promise<boolean> {
    const { decision } = await this.ruling(call, tool, { hookAsks: hookMessage, secrets });
    return decision === 'allow' && !(await this.gateOnReach(tool, proposal));
  }

  /** The decision of the rules about the call and, if its arguments don't name them, about all files it changes. */
  private async judge(
    call: ToolCall,
    tool: Tool,
    args: ToolArgs,
    because: Because,
    signal: AbortSignal,
  ): Promise<Judged> {
    const ruling = await this.ruling(call, tool, because);
    if (!tool.reachesFurther || ruling.decision === 'deny') return { ruling };
    const outcome = await tool.propose?.(args, this.parts.contextOf(call, signal));
    if (outcome && 'failed' in outcome) return { ruling, failed: outcome.failed };
    const proposal = outcome?.proposal;
    return { ruling: (await this.gateOnReach(tool, proposal)) ?? ruling, proposal };
  }

  private async gateOnReach(tool: Tool, proposal: Proposal | undefined): Promise<Ruling | undefined> {
    if (!tool.reachesFurther || proposal?.kind !== 'edit') return undefined;
    return this.parts.policy.gateOn(proposal.edits.map(({ path }) => path));
  }

  private giveUp(call: ToolCall, result: ToolResult, ruling?: Ruling): Reviewed {
    this.parts.broker.withdraw(call.id);
    return refuse(result, ruling);
  }

  private async ruling(call: ToolCall, tool: Tool, { hookAsks, secrets }: Because): Promise<Ruling> {
    if (secrets) return this.rulingOnSecrets(call, tool, secrets);
    const ruling = await this.parts.policy.decide(call, tool);
    return withOwnQuestions(ruling, tool, call.args, { interactive: this.parts.interactive, hookAsks });
  }

  /** The rules see the actual arguments. No mode, rule or grant approves the call. */
  private async rulingOnSecrets(call: ToolCall, tool: Tool, secrets: SecretsInCall): Promise<Ruling> {
    const ruling = await this.parts.policy.decide({ ...call, args: secrets.args }, tool);
    const why = secrets.hide(ruling.why);
    if (ruling.decision === 'deny') return { ...ruling, why };
    const alsoAsked = ruling.decision === 'ask_user' && why !== '' ? ` ${why}` : '';
    return { ...ruling, decision: 'ask_user', why: `${secrets.why}${alsoAsked}`, isGate: true };
  }

  private async ask(asked: AskedCall, signal: AbortSignal, beforeAsking: () => Promise<void>): Promise<Reviewed> {
    const { call, tool, args, ruling, hookMessage } = asked;
    const { broker, hooks, audit } = this.parts;
    const outcome = asked.proposal ? asked : await tool.propose?.(args, this.parts.contextOf(call, signal));
    if (outcome && 'failed' in outcome) return this.giveUp(call, outcome.failed, ruling);
    const proposal = outcome?.proposal;
    const grants = ruling.isGate ? [] : await this.parts.policy.grantsFor(call, tool);
    const subject = this.parts.describe(call);
    const shown = detailsOf(proposal, subject || tool.displayName);
    const details = asked.secrets?.hide(shown) ?? shown;
    const question = approvalQuestion({
      call,
      tool,
      subject,
      details,
      ruling,
      hookMessage,
      grants,
      asker: this.parts.asker,
    });
    // The user must see what they approve: the file may have changed while Gantry was closed.
    if (!isSame(broker.restoredFor(call.id), question)) broker.withdraw(call.id);
    await hooks.asking(call, question.message, signal);
    await beforeAsking();
    if (signal.aborted) {
      this.asked.forget(call.id);
      return refuse(cancelled(), ruling);
    }
    const open: OpenCall = { ...asked, proposal, grants, signal };
    const answer = await this.asked.during(open, () => broker.ask(question, signal));
    if (answer.by === BY_RENEWAL) return this.askAnew(open);
    audit.answered(call, answer);
    if (answer.by === BY_TIMEOUT) return refuse(unanswered(answer, proposal), ruling);
    if (answer.action !== 'accept') return refuse(notAllowed(answer), ruling);
    return this.accept(open, answer, signal);
  }

  private async askAnew(open: OpenCall): Promise<Reviewed> {
    const proposal = this.asked.takeRenewal(open.call.id);
    const ruling = (await this.gateOnReach(open.tool, proposal)) ?? open.ruling;
    if (ruling.decision === 'deny') {
      this.asked.forget(open.call.id);
      return refuse(denied(open.call.name, ruling), ruling);
    }
    return this.ask({ ...open, ruling, proposal }, open.signal, async () => {});
  }

  private async accept(asked: OpenCall, given: GivenAnswer, signal: AbortSignal): Promise<Reviewed> {
    const { tool, ruling, proposal, grants } = asked;
    const answer = readAnswer(given.content);
    await this.keep(answer.decision, grants.find(({ id }) => id === answer.grant) ?? grants[0], answer.scope);
    const approved: ApprovedCall = { answer, ...(proposal && { proposal }) };
    const byPerson = given.by !== BY_RULE;
    if (!byPerson) return this.goByRule(asked, approved, signal);
    if (!answer.args) return { go: true, call: asked.call, args: asked.args, approved, ruling, byPerson };
    const call = { ...asked.call, args: answer.args };
    const behind = await this.parts.secrets.meantBy(call, tool);
    if (behind && 'refused' in behind) return refuse(toolError('policy_violation', behind.refused), ruling);
    const secrets = behind?.meant;
    const parsed = parsedArguments(tool, secrets?.args ?? answer.args);
    if (!parsed.success) return refuse(badArguments(tool, parsed.error.issues), ruling);
    // The user's changes differ from the proposal, so the gates and rules check them again.
    const changed = await this.judge(call, tool, parsed.data, { secrets }, signal);
    this.parts.audit.decided(call, changed.ruling);
    if (changed.failed) return refuse(changed.failed, changed.ruling);
    if (changed.ruling.decision === 'deny') return refuse(denied(call.name, changed.ruling), changed.ruling);
    // The user has not seen yet which files the changed arguments affect.
    if (changed.proposal) {
      return this.ask({ ...asked, ...changed, call, args: parsed.data, secrets }, signal, async () => {});
    }
    return { go: true, call, args: parsed.data, approved: { answer }, ruling, byPerson };
  }

  /** Runs a call that a rule allowed, as the rule judged it. The request did not show that form of the call. */
  private async goByRule(asked: OpenCall, approved: ApprovedCall, signal: AbortSignal): Promise<Reviewed> {
    const { call, tool, args, hookMessage: hookAsks, secrets } = asked;
    const ruling = await this.ruling(call, tool, { hookAsks, secrets });
    if (ruling.decision === 'allow') return { go: true, call, args, approved, ruling, byPerson: false };
    if (ruling.decision === 'deny') return refuse(denied(call.name, ruling), ruling);
    return this.ask({ ...asked, ruling }, signal, async () => {});
  }

  private async keep(
    decision: 'once' | 'session' | 'always',
    grant: OfferedGrant | undefined,
    scope: 'workspace' | 'user' = 'workspace',
  ): Promise<void> {
    if (decision === 'once' || !grant) return;
    if (decision === 'always') await this.parts.policy.remember(grant.rules, scope);
    else this.parts.policy.allowForSession(grant.rules);
    this.parts.granted();
  }
}

interface AskedBesides {
  /** Whether a user can be asked. */
  readonly interactive: boolean;
  readonly hookAsks?: string | undefined;
}

/** The decision about a call after the rules, where its tool or a hook has questions of its own. */
export function withOwnQuestions(
  ruling: Ruling,
  tool: Pick<Tool, 'alwaysAsks' | 'consent'>,
  args: ToolCall['args'],
  { interactive, hookAsks }: AskedBesides,
): Ruling {
  if (ruling.decision === 'deny') return ruling;
  // Asking is the purpose of the tool, so there is nothing to explain.
  if (tool.alwaysAsks) return { ...ruling, decision: 'ask_user', why: '', isGate: true };
  const consent = tool.consent?.(args);
  if (consent === 'needed' && interactive) return { ...ruling, decision: 'ask_user', why: notYet(), isGate: true };
  if (ruling.decision === 'ask_user' && (consent !== 'given' || ruling.isGate)) return ruling;
  return hookAsks === undefined
    ? { ...ruling, decision: 'allow' }
    : { ...ruling, decision: 'ask_user', why: l10n.t('A hook asks for your decision.') };
}

const notYet = (): string => l10n.t('You have not approved it as it is now.');

/** The `by` of answers that no person gave. */
const BY_RULE = 'rule';

/** Reasons to ask a person besides the rules. */
interface Because {
  readonly hookAsks?: string | undefined;
  readonly secrets?: SecretsInCall | undefined;
}

interface Judged {
  readonly ruling: Ruling;
  readonly proposal?: Proposal | undefined;
  readonly failed?: ToolResult;
}

function detailsOf(proposal: Proposal | undefined, text: string): ApprovalDetails {
  if (!proposal) return { type: 'info', text };
  return proposal.kind === 'details' ? proposal.details : editDetails(proposal.edits);
}

function isSame(earlier: Question | undefined, now: Question): boolean {
  const shown = ({ request }: Question): string => JSON.stringify([request?.details, request?.offersAutoAllow]);
  return earlier !== undefined && shown(earlier) === shown(now);
}

function refuse(result: ToolResult, ruling?: Ruling): Reviewed {
  return { go: false, result, ...(ruling && { ruling }) };
}

function refusedByHook(reason: string): ToolResult {
  return refusedCall({ why: `A hook refused this: ${reason}`, shown: l10n.t('A hook refused this: {0}', reason) });
}

function denied(name: string, { why, shown = why, rule }: Ruling): ToolResult {
  const said = rule?.denyMessage === undefined ? '' : ` ${rule.denyMessage}`;
  return refusedCall({
    why: `${name} is not allowed.${said} ${why}`,
    shown: `${l10n.t('{0} is not allowed.', name)}${said} ${shown}`,
  });
}

/** The refusal says what would allow the call. */
function nobodyToAsk(name: string, { why, isGate }: Ruling): ToolResult {
  const way = isGate
    ? 'No rule or mode allows this without a person: use the panel in VS Code for it.'
    : `To allow it, run with --approval-mode autoEdit or yolo, or with --policy and a file that has a rule for ${name}.`;
  return toolError('policy_violation', `${name} requires the user's approval, and nobody can be asked. ${why} ${way}`);
}

const NO_WAY_AROUND = 'Nothing was done. Do not try to reach the same with another tool, command or spelling.';
const REFUSED = `${NO_WAY_AROUND} Continue with what does not need it, or ask the user what to do instead.`;
const REFUSED_WITH_REASON = `${NO_WAY_AROUND} Follow what the user said.`;

function notAllowed({ action, content }: GivenAnswer): ToolResult {
  if (action === 'cancel') return cancelled();
  const { failure, reason, alone } = content;
  if (typeof failure === 'string') return toolError('edit_preparation_failure', failure);
  const said = typeof reason === 'string' ? reason.trim() : '';
  const data = { ...(said !== '' && { reason: said }), ...(alone === true && { alone }) };
  const message =
    said === ''
      ? `The user refused this call. ${REFUSED}`
      : `The user refused this call. They said: ${said}\n\n${REFUSED_WITH_REASON}`;
  return { ...toolError('rejected', message), data };
}
