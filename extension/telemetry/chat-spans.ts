import type { Context } from '@opentelemetry/api';
import { contextWindow } from '../model/catalog/known-models.ts';
import type { RecordOf } from '../sessions/session-record.ts';
import { type SpanFacts, sentAttributes } from './attributes.ts';
import { beginSpan, endSpan, type Signals } from './signals.ts';

type Answer = RecordOf<'event'>;

interface EndedAttempt {
  readonly model: string | undefined;
  readonly from: number;
  readonly to: number;
  outcome: 'retried' | 'switched';
}

/** What the answers of a run used. */
export interface Usage {
  turns: number;
  input: number;
  output: number;
  cost: number | undefined;
}

/** The requests to the model in a session: a span for each attempt, from when it could be sent to its end. */
export class ChatSpans {
  private from: number | undefined;
  private firstWord: number | undefined;
  private waited = 0;
  /** The attempts since the last answer. */
  private ended: EndedAttempt[] = [];
  /** A question about the model has ended the last attempt. */
  private isAsking = false;
  private lastModel: string | undefined;

  constructor(private readonly signals: Signals) {}

  /** Everything that the next request needs is there. */
  ready(at: number): void {
    this.from = at;
    this.firstWord = undefined;
  }

  delta({ parts, at }: RecordOf<'delta'>): void {
    if (parts.some(({ text, thought }) => text && !thought)) this.firstWord ??= Date.parse(at);
  }

  retracted(): void {
    this.firstWord = undefined;
  }

  waiting({ model, ms, at }: RecordOf<'model_waiting'>): void {
    const now = Date.parse(at);
    this.endAttempt(model, now, 'retried');
    this.signals.instruments.retries.add(1, sentAttributes({ 'gen_ai.request.model': model }));
    this.waited += ms;
    this.ready(now + ms);
  }

  /** Another model than before is asked. */
  model(label: string): void {
    this.lastModel = label;
  }

  /** The user is asked which model should answer, because one did not. */
  asked(at: number): void {
    this.endAttempt(undefined, at, 'retried');
    this.isAsking = true;
  }

  switched({ from, at }: RecordOf<'model_switched'>): void {
    const now = Date.parse(at);
    const last = this.ended.at(-1);
    if (this.isAsking && last) last.outcome = 'switched';
    else this.endAttempt(from, now, 'switched');
    this.isAsking = false;
    this.signals.instruments.fallbacks.add(1, sentAttributes({ 'gen_ai.request.model': from }));
    this.ready(now);
  }

  /** Ends the spans of an answer, or of a failure. */
  answered({ event, at, cost }: Answer, parent: Context, usage: Usage): void {
    const { customMetadata = {}, usageMetadata, modelVersion, finishReason, errorCode } = event;
    const { model, attempts } = customMetadata;
    const now = Date.parse(at);
    if (typeof model === 'string') this.lastModel = model;
    const from = Math.min(this.from ?? now, now);
    // A failure names no model.
    const asked = typeof model === 'string' ? model : this.lastModel;
    const before = withoutSkipped(this.ended, typeof attempts === 'number' ? attempts : undefined);
    for (const [index, attempt] of before.entries()) this.endEarlier(attempt, index + 1, parent);
    const input = usageMetadata?.promptTokenCount;
    const { candidatesTokenCount, thoughtsTokenCount = 0 } = usageMetadata ?? {};
    const output = candidatesTokenCount === undefined ? undefined : candidatesTokenCount + thoughtsTokenCount;
    const names: SpanFacts = { 'gen_ai.request.model': asked, 'gen_ai.response.model': modelVersion };
    const open = beginSpan(this.signals, 'chat', nameOf(asked), parent, from);
    endSpan(
      this.signals,
      open,
      now,
      {
        ...names,
        'gen_ai.response.finish_reasons': finishReason?.toLowerCase(),
        'gen_ai.usage.input_tokens': input,
        'gen_ai.usage.output_tokens': output,
        'gen_ai.usage.cache_read.input_tokens': usageMetadata?.cachedContentTokenCount,
        'gantry.cost.usd': cost?.amount,
        'gantry.chat.attempt': before.length + 1,
        'gantry.chat.outcome': errorCode === undefined ? 'answered' : 'failed',
        'gantry.chat.wait_ms': this.waited > 0 ? this.waited : undefined,
        'gantry.chat.first_word_ms': this.firstWord === undefined ? undefined : Math.max(0, this.firstWord - from),
      },
      errorCode,
    );
    this.measure(names, { input, output, cost: cost?.amount, from });
    usage.turns++;
    usage.input += input ?? 0;
    usage.output += output ?? 0;
    if (cost) usage.cost = (usage.cost ?? 0) + cost.amount;
    this.forget();
    this.ready(now);
  }

  /** The run ended. A request that was stopped has no answer. */
  forget(): void {
    this.ended = [];
    this.waited = 0;
    this.isAsking = false;
  }

  private measure(
    names: SpanFacts,
    of: { input: number | undefined; output: number | undefined; cost: number | undefined; from: number },
  ): void {
    const { instruments } = this.signals;
    const { input, output, cost, from } = of;
    const { 'gen_ai.request.model': model } = names;
    const chat: SpanFacts = { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'gcp.gen_ai', ...names };
    const tokens = (type: string): ReturnType<typeof sentAttributes> =>
      sentAttributes({ ...chat, 'gen_ai.token.type': type });
    if (input !== undefined) instruments.tokens.record(input, tokens('input'));
    if (output !== undefined) instruments.tokens.record(output, tokens('output'));
    if (cost !== undefined) instruments.cost.add(cost, sentAttributes(names));
    if (input !== undefined && typeof model === 'string')
      instruments.contextUse.record(input / contextWindow(model), sentAttributes({ 'gen_ai.request.model': model }));
    if (this.firstWord !== undefined)
      instruments.firstWord.record(Math.max(0, this.firstWord - from) / 1000, sentAttributes(names));
    instruments.turns.add(1, sentAttributes(names));
  }

  private endAttempt(model: string | undefined, to: number, outcome: EndedAttempt['outcome']): void {
    this.ended.push({ model, from: this.from ?? to, to, outcome });
  }

  private endEarlier({ model, from, to, outcome }: EndedAttempt, number: number, parent: Context): void {
    const open = beginSpan(this.signals, 'chat', nameOf(model), parent, from);
    const facts: SpanFacts = {
      'gen_ai.request.model': model,
      'gantry.chat.attempt': number,
      'gantry.chat.outcome': outcome,
    };
    // The record has the reason only in the user's words.
    endSpan(this.signals, open, to, facts, '_OTHER');
  }
}

/**
 * Before the first attempt, a model that failed earlier may be skipped. The log has the same record for it as for a
 * switch after a failed attempt, but the answer knows how many attempts there were.
 */
function withoutSkipped(ended: readonly EndedAttempt[], attempts: number | undefined): readonly EndedAttempt[] {
  const [first] = ended;
  const isSkipped = first?.outcome === 'switched' && attempts !== undefined && ended.length >= attempts;
  return isSkipped ? ended.slice(1) : ended;
}

function nameOf(model: string | undefined): string | undefined {
  return model === undefined
    ? undefined
    : String(sentAttributes({ 'gen_ai.request.model': model })['gen_ai.request.model']);
}
