import { randomUUID } from 'node:crypto';
import { arch, availableParallelism, platform, totalmem } from 'node:os';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { AlwaysOnSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import { createDirectSend } from '../model/http/direct-http.ts';
import { sendWithFetch } from '../model/http/send-http.ts';
import { realAlarm } from '../ports/clock.ts';
import type { Host } from '../ports/host.ts';
import type { SessionRecord } from '../sessions/session-record.ts';
import { sentAttributes } from './attributes.ts';
import { OtlpDelivery } from './delivery.ts';
import type { Destination } from './destination.ts';
import { createInstruments } from './instruments.ts';
import { SentMetrics, SentSpans } from './otlp-exporters.ts';
import { measureProcess } from './process-metrics.ts';
import { type FollowedSession, SessionObserver, type Sighting } from './session-observer.ts';
import { contextFrom, OpenCalls } from './signals.ts';

/** At the end of a window or a command, nobody waits longer. */
const FLUSH_MS = 2000;
const METRICS_MS = 60_000;
const SCOPE = 'gantry';

export interface Pipeline {
  readonly counts: { readonly sent: number; readonly dropped: number };
  take(session: FollowedSession, record: SessionRecord): void;
  see(sessionId: string, sighting: Sighting): void;
  /** The next run of a session works for a span of another process. */
  workFor(session: FollowedSession, traceparent: string): void;
  /** Identifies the current run of a session to another process. */
  traceparent(sessionId: string): string | undefined;
  /** Records were written to a log. */
  appended(ms: number): void;
  /** Lines of a log could not be read. */
  lost(lines: number): void;
  serverStarted(outcome: string, ms: number): void;
  leave(sessionId: string): void;
  /** Sends what is left, within two seconds. */
  stop(): Promise<void>;
}

type PipelineHost = Pick<Host, 'log' | 'clock' | 'connectsDirectly'>;

/**
 * The entry point of a bundle that is loaded only if telemetry is on. It has providers of its own and never registers
 * them: spans of other extensions don't come here, and ours don't go there.
 */
export function startPipeline(to: Extract<Destination, { kind: 'on' }>, host: PipelineHost, version: string): Pipeline {
  const { log, clock, connectsDirectly } = host;
  const alarm = clock.alarm ?? realAlarm;
  const send = connectsDirectly ? createDirectSend(alarm) : sendWithFetch;
  const delivery = new OtlpDelivery({ send, headers: to.headers, place: to.place, log, alarm });
  const resource = resourceFromAttributes(describeProcess(version));
  const spans = new TracerProvider({
    resource,
    // Set, although it is the default: what to send is not up to variables of the environment.
    sampler: new AlwaysOnSampler(),
    spanProcessors: [new SentSpans(delivery, to.traces)],
  });
  const metrics = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: new SentMetrics(delivery, to.metrics),
        exportIntervalMillis: METRICS_MS,
      }),
    ],
  });
  const meter = metrics.getMeter(SCOPE, version);
  const instruments = createInstruments(meter);
  const stopMeasuring = measureProcess(meter);
  const signals = {
    tracer: spans.getTracer(SCOPE, version),
    instruments,
    calls: new OpenCalls(),
    now: () => clock.now(),
  };
  const observers = new Map<string, SessionObserver>();
  const observerOf = (session: FollowedSession): SessionObserver => {
    const { id } = session.header;
    const observer = observers.get(id) ?? new SessionObserver(session, signals);
    observers.set(id, observer);
    return observer;
  };
  return {
    counts: delivery,
    take: (session, record) => observerOf(session).take(record),
    workFor: (session, traceparent) => {
      const caller = contextFrom(traceparent);
      if (caller) observerOf(session).workFor(caller);
    },
    traceparent: (sessionId) => observers.get(sessionId)?.traceparent,
    see: (sessionId, sighting) => observers.get(sessionId)?.see(sighting),
    appended: (ms) => instruments.appends.record(ms / 1000),
    lost: (lines) => instruments.lostLines.add(lines),
    serverStarted: (outcome, ms) =>
      instruments.serverStarts.record(ms / 1000, sentAttributes({ 'gantry.mcp.outcome': outcome })),
    leave: (sessionId) => {
      observers.get(sessionId)?.leave();
      observers.delete(sessionId);
    },
    stop: async () => {
      for (const observer of observers.values()) observer.leave();
      const prevent = alarm(FLUSH_MS, () => delivery.abort());
      await Promise.allSettled([spans.shutdown(), metrics.shutdown()]);
      stopMeasuring();
      prevent();
    },
  };
}

function describeProcess(version: string): ReturnType<typeof sentAttributes> {
  return sentAttributes({
    'service.name': 'gantry',
    'service.version': version,
    // Random: it tells processes apart, and says nothing about the machine.
    'service.instance.id': randomUUID(),
    'process.runtime.name': 'nodejs',
    'process.runtime.version': process.versions.node,
    'os.type': platform(),
    'host.arch': arch(),
    'gantry.machine.cores': availableParallelism(),
    'gantry.machine.memory_bytes': totalmem(),
  });
}
