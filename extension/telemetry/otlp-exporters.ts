import { JsonMetricsSerializer, JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { PushMetricExporter, ResourceMetrics } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter, type SpanProcessor } from '@opentelemetry/sdk-trace';
import type { OtlpDelivery } from './delivery.ts';

/** Spans that wait to be sent, including those on their way. */
const MOST_WAITING = 2048;
const MOST_AT_ONCE = 512;
const GATHERED_MS = 5000;

/** The SDK's own handler of failures is shared by the process. `OtlpDelivery` counts and reports them instead. */
const DONE = { code: 0 } as const;

/** Gathers finished spans and sends them. While too many wait, new ones are dropped. */
export class SentSpans implements SpanProcessor {
  private waiting = 0;
  private readonly gathering: BatchSpanProcessor;

  constructor(
    private readonly delivery: OtlpDelivery,
    private readonly url: string,
  ) {
    const exporter: SpanExporter = {
      export: (spans, done) => void this.send(spans).then(() => done(DONE)),
      shutdown: () => Promise.resolve(),
    };
    this.gathering = new BatchSpanProcessor({
      exporter,
      maxQueueSize: MOST_WAITING,
      maxExportBatchSize: MOST_AT_ONCE,
      scheduledDelayMillis: GATHERED_MS,
    });
  }

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    if (this.waiting >= MOST_WAITING) {
      this.delivery.drop(1);
      return;
    }
    this.waiting++;
    this.gathering.onEnd(span);
  }

  forceFlush(): Promise<void> {
    return this.gathering.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.gathering.shutdown();
  }

  private async send(spans: ReadableSpan[]): Promise<void> {
    const body = JsonTraceSerializer.serializeRequest(spans);
    if (body) await this.delivery.deliver(this.url, body, spans.length);
    this.waiting -= spans.length;
  }
}

/** Sends metrics. */
export class SentMetrics implements PushMetricExporter {
  constructor(
    private readonly delivery: OtlpDelivery,
    private readonly url: string,
  ) {}

  export(metrics: ResourceMetrics, done: (result: typeof DONE) => void): void {
    const body = JsonMetricsSerializer.serializeRequest(metrics);
    const points = metrics.scopeMetrics.flatMap((scope) => scope.metrics.map(({ dataPoints }) => dataPoints.length));
    const count = points.reduce((sum, each) => sum + each, 0);
    void (body ? this.delivery.deliver(this.url, body, count) : Promise.resolve()).then(() => done(DONE));
  }

  forceFlush(): Promise<void> {
    return Promise.resolve();
  }

  shutdown(): Promise<void> {
    return Promise.resolve();
  }
}
