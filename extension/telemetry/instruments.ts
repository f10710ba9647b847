import type { Counter, Histogram, Meter } from '@opentelemetry/api';

/** In seconds: https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-metrics/ */
const DURATIONS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864];
const SHARES = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
/** People take longer than machines. */
const WAITS = [1, 2, 5, 10, 20, 60, 120, 300, 900, 3600];

/** The metrics. The first two are those of the GenAI conventions. */
export interface Instruments {
  readonly tokens: Histogram;
  readonly operations: Histogram;
  readonly turns: Counter;
  readonly calls: Counter;
  readonly firstWord: Histogram;
  readonly approvalWait: Histogram;
  readonly retries: Counter;
  readonly fallbacks: Counter;
  readonly loops: Counter;
  readonly compactions: Counter;
  readonly contextUse: Histogram;
  readonly cost: Counter;
}

export function createInstruments(meter: Meter): Instruments {
  const histogram = (name: string, description: string, unit: string, boundaries: number[]): Histogram =>
    meter.createHistogram(name, { description, unit, advice: { explicitBucketBoundaries: boundaries } });
  const counter = (name: string, description: string, unit: string): Counter =>
    meter.createCounter(name, { description, unit });
  return {
    tokens: histogram('gen_ai.client.token.usage', 'Tokens of a request or its answer', '{token}', TOKENS),
    operations: histogram('gen_ai.client.operation.duration', 'Duration of an operation', 's', DURATIONS),
    turns: counter('gantry.turns', 'Answers of models in conversations', '{turn}'),
    calls: counter('gantry.tool.calls', 'Calls of tools, by decision and outcome', '{call}'),
    firstWord: histogram('gantry.chat.first_word', 'Time until the first text of an answer', 's', DURATIONS),
    approvalWait: histogram('gantry.approval.wait', 'Time until a question was answered', 's', WAITS),
    retries: counter('gantry.model.retries', 'Requests that were sent again', '{request}'),
    fallbacks: counter('gantry.model.fallbacks', 'Changes to another model after a failure', '{change}'),
    loops: counter('gantry.loops', 'Repetitions that were detected', '{loop}'),
    compactions: counter('gantry.compactions', 'Summaries that replaced earlier messages', '{summary}'),
    contextUse: histogram(
      'gantry.context.use',
      "Share of the model's context window that a request filled",
      '1',
      SHARES,
    ),
    cost: counter('gantry.cost', 'Cost of requests with known prices', 'USD'),
  };
}
