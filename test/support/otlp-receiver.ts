import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';

/**
 * The JSON form of OTLP, strictly: a field that the schema doesn't have is an error.
 * https://github.com/open-telemetry/opentelemetry-proto (v1), https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
const nanoseconds = z.string().regex(/^\d{19}$/);
const scalar = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ intValue: z.union([z.int(), z.string().regex(/^-?\d+$/)]) }),
  z.strictObject({ doubleValue: z.number() }),
]);
const value = z.union([scalar, z.strictObject({ arrayValue: z.strictObject({ values: z.array(scalar) }) })]);
const attributes = z.array(z.strictObject({ key: z.string().min(1), value }));
const resource = z.strictObject({ attributes, droppedAttributesCount: z.literal(0) });
const scope = z.strictObject({ name: z.string(), version: z.string() });

const span = z.strictObject({
  traceId: z.string().regex(/^[\da-f]{32}$/),
  spanId: z.string().regex(/^[\da-f]{16}$/),
  parentSpanId: z.optional(z.string().regex(/^[\da-f]{16}$/)),
  traceState: z.optional(z.string()),
  flags: z.optional(z.int()),
  name: z.string(),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds,
  attributes,
  droppedAttributesCount: z.literal(0),
  events: z.array(z.never()),
  droppedEventsCount: z.literal(0),
  links: z.array(z.never()),
  droppedLinksCount: z.literal(0),
  status: z.strictObject({ code: z.int().min(0).max(2) }),
});

const traceRequest = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource,
      scopeSpans: z.array(z.strictObject({ scope, spans: z.array(span), schemaUrl: z.optional(z.string()) })),
      schemaUrl: z.optional(z.string()),
    }),
  ),
});

const point = { attributes, startTimeUnixNano: nanoseconds, timeUnixNano: nanoseconds };
const cumulative = z.literal(2);
const metric = z.strictObject({
  name: z.string(),
  description: z.string(),
  unit: z.string(),
  sum: z.optional(
    z.strictObject({
      aggregationTemporality: cumulative,
      isMonotonic: z.boolean(),
      dataPoints: z.array(
        z.strictObject({
          ...point,
          asDouble: z.optional(z.number()),
          asInt: z.optional(z.union([z.int(), z.string()])),
        }),
      ),
    }),
  ),
  gauge: z.optional(
    z.strictObject({
      dataPoints: z.array(
        z.strictObject({
          ...point,
          asDouble: z.optional(z.number()),
          asInt: z.optional(z.union([z.int(), z.string()])),
        }),
      ),
    }),
  ),
  histogram: z.optional(
    z.strictObject({
      aggregationTemporality: cumulative,
      dataPoints: z.array(
        z.strictObject({
          ...point,
          count: z.int(),
          sum: z.number(),
          min: z.number(),
          max: z.number(),
          bucketCounts: z.array(z.int()),
          explicitBounds: z.array(z.number()),
        }),
      ),
    }),
  ),
});

const metricsRequest = z.strictObject({
  resourceMetrics: z.array(
    z.strictObject({
      resource,
      scopeMetrics: z.array(z.strictObject({ scope, metrics: z.array(metric), schemaUrl: z.optional(z.string()) })),
      schemaUrl: z.optional(z.string()),
    }),
  ),
});

export type ReceivedSpan = z.infer<typeof span>;
export type ReceivedMetric = z.infer<typeof metric>;

/** Answers in place of a real receiver. */
export type Misbehaviour = (response: ServerResponse) => void;

/** A receiver of OTLP over HTTP on this machine. It checks every batch. */
export interface OtlpReceiver {
  readonly url: string;
  /** In the order in which they ended. */
  readonly spans: readonly ReceivedSpan[];
  /** Of the last batch that had them, which is complete: they are cumulative. */
  readonly metrics: readonly ReceivedMetric[];
  readonly resources: readonly Readonly<Record<string, unknown>>[];
  /** Everything as it was received. */
  readonly wire: string;
  readonly headers: readonly IncomingHttpHeaders[];
  /** Sends no requests there any more, and throws if a batch was wrong. */
  close(): Promise<void>;
}

export async function startOtlpReceiver(misbehave?: Misbehaviour): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const metrics = new Map<string, ReceivedMetric>();
  const resources: Record<string, unknown>[] = [];
  const bodies: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const problems: unknown[] = [];
  const take = (url: string | undefined, type: string | undefined, body: string): void => {
    if (type !== 'application/json') throw new Error(`The content is of the type ${type}.`);
    if (url === '/v1/traces') {
      for (const each of traceRequest.parse(JSON.parse(body)).resourceSpans) {
        resources.push(factsOf(each.resource.attributes));
        spans.push(...each.scopeSpans.flatMap((within) => within.spans));
      }
    } else if (url === '/v1/metrics') {
      for (const each of metricsRequest.parse(JSON.parse(body)).resourceMetrics) {
        for (const one of each.scopeMetrics.flatMap((within) => within.metrics)) metrics.set(one.name, one);
      }
    } else throw new Error(`There is nothing at ${url}.`);
  };
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString();
    headers.push(request.headers);
    bodies.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)} ${body}`);
    try {
      take(request.url, request.headers['content-type'], body);
    } catch (error) {
      problems.push(error);
    }
    if (misbehave) misbehave(response);
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"partialSuccess":{}}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    spans,
    get metrics() {
      return [...metrics.values()];
    },
    resources,
    get wire() {
      return bodies.join('\n');
    },
    headers,
    close: async () => {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      if (problems.length > 0) throw new AggregateError(problems, `${problems.length} batches were not OTLP`);
    },
  };
}

type Attributes = z.infer<typeof attributes>;

/** The attributes as an object. */
export function factsOf(given: Attributes): Record<string, unknown> {
  return Object.fromEntries(given.map(({ key, value: typed }) => [key, plain(typed)]));
}

function plain(typed: Attributes[number]['value']): unknown {
  if ('arrayValue' in typed) return typed.arrayValue.values.map(plain);
  return 'intValue' in typed ? Number(typed.intValue) : Object.values(typed)[0];
}

export function msOf(time: string): number {
  return Number(BigInt(time) / 1_000_000n);
}

/** What differs from run to run, or with the length of the paths that are in a request. */
const VARIES = /(?:_ms|\.id|input_tokens|cost\.usd)$/;

/** The spans as an indented tree, one line each, without IDs, times and sizes. */
export function spanTree(spans: readonly ReceivedSpan[]): string {
  const below = (parent: string | undefined, depth: number): string[] =>
    spans
      .map((each, ended) => ({ each, ended }))
      .filter(({ each }) => each.parentSpanId === parent)
      // Spans of one millisecond are in the order in which they ended.
      .sort((one, other) => startOf(one.each) - startOf(other.each) || one.ended - other.ended)
      .flatMap(({ each }) => [`${'  '.repeat(depth)}${line(each)}`, ...below(each.spanId, depth + 1)]);
  return below(undefined, 0).join('\n');
}

const startOf = (each: ReceivedSpan): number => msOf(each.startTimeUnixNano);

function line({ name, attributes: given, status }: ReceivedSpan): string {
  const facts = Object.entries(factsOf(given))
    .filter(([key]) => key !== 'gen_ai.operation.name' && key !== 'gen_ai.provider.name')
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([key, fact]) => `${key}=${VARIES.test(key) ? '…' : fact}`);
  return [name, ...(status.code === 2 ? ['!'] : []), ...facts].join(' ');
}
