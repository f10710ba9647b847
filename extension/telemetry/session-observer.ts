import { type Context, ROOT_CONTEXT } from '@opentelemetry/api';
import type { FiredHooks } from '../hooks/hook-system.ts';
import type { Tier } from '../policy/policy-types.ts';
import type { CompactionStatus, CompactionTrigger } from '../protocol/agent/compaction.ts';
import type { SessionJournal } from '../sessions/session-journal.ts';
import type { RecordOf, SessionRecord } from '../sessions/session-record.ts';
import { isModelTurn } from '../sessions/session-totals.ts';
import { type SpanFacts, sentAttributes } from './attributes.ts';
import { CallSpans } from './call-spans.ts';
import { ChatSpans, type Usage } from './chat-spans.ts';
import { beginSpan, endSpan, type OpenSpan, type Signals, traceparentOf } from './signals.ts';

export type FollowedSession = Pick<SessionJournal, 'header' | 'onRecord'>;

/** What happens in a session but is not in its records. Times are milliseconds of the host's clock. */
export type Sighting =
  /** The rules decided about a call. Without a rule, a gate or a default did. */
  | { readonly kind: 'decided'; readonly callId: string; readonly tier: Tier | undefined }
  | ({ readonly kind: 'hooks' } & FiredHooks)
  | {
      readonly kind: 'compaction';
      readonly trigger: CompactionTrigger;
      readonly status: CompactionStatus;
      readonly from: number;
      readonly to: number;
    }
  /** The tokens of old tool outputs that were removed from a request. */
  | { readonly kind: 'masked'; readonly tokens: number };

interface ObservedRun {
  readonly open: OpenSpan;
  readonly usage: Usage;
  readonly isResumed: boolean;
  /** The events that were seen. A later version of one is not a new answer. */
  readonly events: Set<string>;
}

/** Turns the records of one session into spans and metrics. */
export class SessionObserver {
  private run: ObservedRun | undefined;
  /** The span of another process that the next run belongs to. */
  private caller: Context | undefined;
  private readonly chats: ChatSpans;
  private readonly calls: CallSpans;

  constructor(
    private readonly session: FollowedSession,
    private readonly signals: Signals,
  ) {
    this.chats = new ChatSpans(signals);
    this.calls = new CallSpans(signals, session.header.id);
  }

  take(record: SessionRecord): void {
    const { instruments } = this.signals;
    switch (record.type) {
      case 'sent':
        this.begin(record.at, false);
        return;
      case 'run_started':
        this.chats.ready(Date.parse(record.at));
        return;
      case 'run_resumed':
        this.begin(record.at, true);
        return;
      case 'event':
        this.takeEvent(record);
        return;
      case 'model':
        this.chats.model(record.label);
        return;
      case 'delta':
        this.chats.delta(record);
        return;
      case 'retracted':
        this.chats.retracted();
        return;
      case 'model_waiting':
        this.chats.waiting(record);
        return;
      case 'model_switched':
        this.chats.switched(record);
        return;
      case 'tool_started':
        this.calls.started(record);
        return;
      case 'tool_finished':
        if (this.run) this.calls.finished(record, this.run.open.context);
        return;
      case 'asked':
        this.calls.asked(record);
        if (record.modelChoice) this.chats.asked(Date.parse(record.at));
        return;
      case 'answered':
        this.calls.answered(record);
        return;
      case 'usage':
        this.takeUsage(record);
        return;
      case 'loop':
        instruments.loops.add(
          1,
          sentAttributes({ 'gantry.loop.kind': record.kind, 'gantry.loop.stops': record.stops }),
        );
        return;
      case 'compacted':
        this.chats.ready(Date.parse(record.at));
        return;
      case 'run_ended':
        this.end(Date.parse(record.at), record.reason);
        return;
      default:
        return;
    }
  }

  /** Takes what is not in the records. */
  see(sighting: Sighting): void {
    const { instruments } = this.signals;
    switch (sighting.kind) {
      case 'decided':
        this.calls.decided(sighting.callId, sighting.tier);
        return;
      case 'hooks': {
        const { event, count, outcome } = sighting;
        const facts = { 'gantry.hook.event': event, 'gantry.hook.count': count, 'gantry.hook.outcome': outcome };
        this.span('hook', event, sighting, facts, outcome === 'failed' ? 'failed' : undefined);
        return;
      }
      case 'compaction': {
        const { trigger, status } = sighting;
        const facts = { 'gantry.compaction.trigger': trigger, 'gantry.compaction.status': status };
        this.span('compact', trigger, sighting, facts, status === 'FAILED' ? 'failed' : undefined);
        instruments.compactions.add(1, sentAttributes(facts));
        return;
      }
      case 'masked':
        instruments.masked.record(sighting.tokens);
        return;
    }
  }

  private span(
    operation: 'hook' | 'compact',
    name: string,
    { from, to }: { readonly from: number; readonly to: number },
    facts: SpanFacts,
    failure: string | undefined,
  ): void {
    const open = beginSpan(this.signals, operation, name, this.run?.open.context ?? ROOT_CONTEXT, from);
    endSpan(this.signals, open, to, facts, failure);
  }

  /** The next run works for a span of another process. */
  workFor(caller: Context): void {
    this.caller = caller;
  }

  /** Identifies the current run to another process. */
  get traceparent(): string | undefined {
    return this.run && traceparentOf(this.run.open);
  }

  /** The session closes. Its run is cut off, and may continue in another process. */
  leave(): void {
    this.end(this.signals.now(), 'interrupted');
  }

  private begin(at: string, isResumed: boolean): void {
    const from = Date.parse(at);
    this.end(from, 'interrupted');
    const { parent, isRemote } = this.session.header;
    const above = (parent && this.signals.calls.contextOf(parent)) ?? this.caller ?? ROOT_CONTEXT;
    this.caller = undefined;
    const open = isRemote
      ? beginSpan(this.signals, 'remote_agent', undefined, above, from)
      : beginSpan(this.signals, 'invoke_agent', this.agentName, above, from);
    this.run = { open, usage: { turns: 0, input: 0, output: 0, cost: undefined }, isResumed, events: new Set() };
    this.chats.ready(from);
  }

  private end(at: number, reason: RecordOf<'run_ended'>['reason'] | 'interrupted'): void {
    if (!this.run) return;
    const { open, usage, isResumed } = this.run;
    this.run = undefined;
    this.calls.endAll(at);
    this.chats.forget();
    const outcome: SpanFacts = {
      'gen_ai.agent.name': this.agentName,
      'gen_ai.conversation.id': this.session.header.id,
      'gantry.run.end_reason': reason,
    };
    // What the agent of another service used is not known here.
    const used: SpanFacts = {
      'gantry.agent.is_subagent': this.session.header.parent !== undefined,
      'gantry.run.resumed': isResumed,
      'gantry.run.turns': usage.turns,
      'gen_ai.usage.input_tokens': usage.input,
      'gen_ai.usage.output_tokens': usage.output,
      'gantry.cost.usd': usage.cost,
    };
    const facts = this.session.header.isRemote ? outcome : { ...outcome, ...used };
    endSpan(this.signals, open, at, facts, reason === 'failed' ? 'failed' : undefined);
  }

  private takeEvent(record: RecordOf<'event'>): void {
    const { event, targets = {}, at } = record;
    if (!this.run || this.run.events.has(event.id)) return;
    const { open, usage, events } = this.run;
    events.add(event.id);
    const now = Date.parse(at);
    if (!isModelTurn(event)) {
      this.chats.ready(now);
      return;
    }
    // Answers that hooks or Gantry gave in the model's place name no model.
    const isAnswer = typeof event.customMetadata?.['model'] === 'string' || event.errorCode !== undefined;
    if (isAnswer) this.chats.answered(record, open.context, usage);
    for (const { functionCall } of event.content?.parts ?? []) {
      const { id, name } = functionCall ?? {};
      if (id && name) this.calls.requested({ id, name, kind: targets[id]?.kind }, now, open.context);
    }
  }

  /** A request outside of the conversation, such as the one for a title. */
  private takeUsage({ model, inputTokens, outputTokens, cost }: RecordOf<'usage'>): void {
    const { tokens, cost: costs } = this.signals.instruments;
    const names: SpanFacts = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': model };
    const typed = (type: string): ReturnType<typeof sentAttributes> =>
      sentAttributes({ ...names, 'gen_ai.provider.name': 'gcp.gen_ai', 'gen_ai.token.type': type });
    if (inputTokens !== undefined) tokens.record(inputTokens, typed('input'));
    if (outputTokens !== undefined) tokens.record(outputTokens, typed('output'));
    if (cost) costs.add(cost.amount, sentAttributes({ 'gen_ai.request.model': model }));
    if (!this.run) return;
    const { usage } = this.run;
    usage.input += inputTokens ?? 0;
    usage.output += outputTokens ?? 0;
    if (cost) usage.cost = (usage.cost ?? 0) + cost.amount;
  }

  private get agentName(): string {
    const name = this.session.header.agent ?? 'gantry';
    return String(sentAttributes({ 'gen_ai.agent.name': name })['gen_ai.agent.name']);
  }
}
