import type { Context } from '@opentelemetry/api';
import type { Tier } from '../policy/policy-types.ts';
import { isQualified } from '../policy/rules/known-tools.ts';
import type { CallTarget } from '../protocol/agent/agent-event.ts';
import type { RecordOf } from '../sessions/session-record.ts';
import { type SpanFacts, sentAttributes } from './attributes.ts';
import { beginSpan, endSpan, type OpenSpan, type Signals } from './signals.ts';

interface OpenCall {
  readonly open: OpenSpan;
  readonly tool: string;
  readonly kind: CallTarget['kind'];
  startedAt: number | undefined;
  /** Milliseconds that it waited for people, before and during its work. */
  askedBefore: number;
  askedDuring: number;
  answer: Pick<RecordOf<'answered'>, 'action' | 'by'> | undefined;
  tier: Tier | undefined;
}

const UNDECIDED = { answer: undefined, tier: undefined };

interface PendingQuestion {
  readonly callId: string | undefined;
  readonly at: number;
}

/** The calls of a session: a span for each, from the model's answer to the call's end, keyed by the call's ID. */
export class CallSpans {
  private readonly open = new Map<string, OpenCall>();
  private readonly questions = new Map<string, PendingQuestion>();

  constructor(
    private readonly signals: Signals,
    private readonly sessionId: string,
  ) {}

  requested(
    { id, name, kind }: { readonly id: string; readonly name: string; readonly kind: CallTarget['kind'] },
    at: number,
    parent: Context,
  ): OpenCall {
    const tool = toolName(name);
    const open = beginSpan(this.signals, 'execute_tool', tool, parent, at);
    const call = { open, tool, kind, startedAt: undefined, askedBefore: 0, askedDuring: 0, ...UNDECIDED };
    this.open.set(id, call);
    this.signals.calls.add(this.sessionId, id, open.context);
    return call;
  }

  decided(callId: string, tier: Tier | undefined): void {
    const call = this.open.get(callId);
    if (call) call.tier = tier;
  }

  started({ callId, at }: RecordOf<'tool_started'>): void {
    const call = this.open.get(callId);
    if (call) call.startedAt = Date.parse(at);
  }

  asked({ requestId, callId, at }: RecordOf<'asked'>): void {
    this.questions.set(requestId, { callId, at: Date.parse(at) });
  }

  answered({ requestId, action, by, at }: RecordOf<'answered'>): void {
    const question = this.questions.get(requestId);
    if (!question) return;
    this.questions.delete(requestId);
    const waited = Math.max(0, Date.parse(at) - question.at);
    this.signals.instruments.approvalWait.record(waited / 1000, sentAttributes({ 'gantry.tool.answer': action }));
    const call = this.open.get(question.callId ?? '');
    if (!call) return;
    call.answer = { action, by };
    if (call.startedAt === undefined) call.askedBefore += waited;
    else call.askedDuring += waited;
  }

  /** A call of a run that began in another process is only known from here on. */
  finished({ call: { id, name }, state, result, ruling, duration, at }: RecordOf<'tool_finished'>, run: Context): void {
    const now = Date.parse(at);
    const call = this.open.get(id) ?? this.requested({ id, name, kind: undefined }, now, run);
    const { startedAt, askedBefore, askedDuring, answer } = call;
    const worked = startedAt === undefined ? undefined : (duration ?? now - startedAt);
    this.end(id, call, now, result.error?.type ?? (state === 'success' ? undefined : state), {
      'gantry.tool.state': state,
      'gantry.tool.decision': ruling?.decision,
      'gantry.tool.rule_tier': call.tier,
      'gantry.tool.answer': answer?.action,
      'gantry.tool.answered_by': answer?.by,
      'gantry.tool.queue_ms': Math.max(0, (startedAt ?? now) - call.open.from - askedBefore),
      'gantry.tool.question_ms': answer && askedBefore + askedDuring,
      'gantry.tool.body_ms': worked === undefined ? undefined : Math.max(0, worked - askedDuring),
    });
  }

  /** Ends calls without a result: their run is over. */
  endAll(at: number): void {
    for (const [id, call] of this.open) this.end(id, call, at, 'cancelled', { 'gantry.tool.state': 'cancelled' });
    this.questions.clear();
  }

  private end(
    id: string,
    { open, tool, kind }: OpenCall,
    at: number,
    failure: string | undefined,
    facts: SpanFacts,
  ): void {
    this.open.delete(id);
    this.signals.calls.delete(this.sessionId, id);
    const what: SpanFacts = { 'gen_ai.tool.name': tool, 'gantry.tool.kind': kind };
    // An endpoint may have given the call an ID of its own, which follows ours.
    endSpan(this.signals, open, at, { ...what, 'gen_ai.tool.call.id': id.split('.', 1)[0], ...facts }, failure);
    const { 'gantry.tool.state': state, 'gantry.tool.decision': decision } = facts;
    const counted = { ...what, 'gantry.tool.state': state, 'gantry.tool.decision': decision };
    this.signals.instruments.calls.add(1, sentAttributes(counted));
  }
}

/** Tools of MCP servers have names that others chose. */
function toolName(name: string): string {
  const known = isQualified(name) ? 'mcp' : name;
  return String(sentAttributes({ 'gen_ai.tool.name': known })['gen_ai.tool.name']);
}
