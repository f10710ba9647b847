import type { Counter, Histogram, Meter } from '@opentelemetry/api';

/** In seconds: https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-metrics/ */
const DURATIONS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864];
const SHARES = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
const APPENDS = [0.00001, 0.00003, 0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1];
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
  readonly masked: Histogram;
  readonly appends: Histogram;
  readonly lostLines: Counter;
  readonly serverStarts: Histogram;
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
    masked: histogram('gantry.context.masked', 'Tokens of old outputs that a request left out', '{token}', TOKENS),
    appends: histogram('gantry.log.append', 'Duration of a write to the log of a session', 's', APPENDS),
    lostLines: counter('gantry.log.lost_lines', 'Lines of logs that could not be read', '{line}'),
    serverStarts: histogram('gantry.mcp.start', 'Duration of the start of an MCP server', 's', DURATIONS),
    cost: counter('gantry.cost', 'Cost of requests with known prices', 'USD'),
  };
}
