import {
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { type SpanFacts, sentAttributes } from './attributes.ts';
import type { Instruments } from './instruments.ts';

/** What the observers of all sessions share. */
export interface Signals {
  readonly tracer: Tracer;
  readonly instruments: Instruments;
  readonly calls: OpenCalls;
  readonly now: () => number;
}

/** The spans of calls that are running, so that the runs of subagents can be placed below them. */
export class OpenCalls {
  private readonly contexts = new Map<string, Context>();

  add(sessionId: string, callId: string, context: Context): void {
    this.contexts.set(keyOf(sessionId, callId), context);
  }

  delete(sessionId: string, callId: string): void {
    this.contexts.delete(keyOf(sessionId, callId));
  }

  contextOf({ sessionId, callId }: { readonly sessionId: string; readonly callId: string }): Context | undefined {
    return this.contexts.get(keyOf(sessionId, callId));
  }
}

function keyOf(sessionId: string, callId: string): string {
  return `${sessionId} ${callId}`;
}

export type Operation = 'invoke_agent' | 'chat' | 'execute_tool' | 'hook' | 'compact' | 'remote_agent';

const TRACEPARENT = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/;

/** The header of W3C Trace Context for spans below this one in another process. */
export function traceparentOf({ span }: Pick<OpenSpan, 'span'>): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** Undefined for a header that is not valid, which is ignored, as the standard says. */
export function contextFrom(traceparent: string): Context | undefined {
  const [, traceId = '', spanId = ''] = TRACEPARENT.exec(traceparent) ?? [];
  const above = { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
  return isSpanContextValid(above) ? trace.setSpanContext(ROOT_CONTEXT, above) : undefined;
}

/** A span that has begun, and the context of spans below it. */
export interface OpenSpan {
  readonly operation: Operation;
  readonly span: Span;
  readonly context: Context;
  readonly from: number;
}

/** `name` completes the operation, and is one of the attributes. It is undefined if it is not known. */
export function beginSpan(
  { tracer }: Signals,
  operation: Operation,
  name: string | undefined,
  parent: Context,
  from: number,
): OpenSpan {
  const kind = operation === 'chat' || operation === 'remote_agent' ? SpanKind.CLIENT : SpanKind.INTERNAL;
  // The context is given, because the API would otherwise take that of another extension's SDK.
  const full = name === undefined ? operation : `${operation} ${name}`;
  const span = tracer.startSpan(full, { startTime: new Date(from), kind }, parent);
  return { operation, span, context: trace.setSpan(parent, span), from };
}

/** Ends a span; `failure` is the kind of its error, if it has one. */
export function endSpan(
  { instruments }: Signals,
  open: OpenSpan,
  at: number,
  facts: SpanFacts,
  failure?: string,
): void {
  const { operation, span, from } = open;
  const end = Math.max(at, from);
  const named: SpanFacts = {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': 'gcp.gen_ai',
    ...(failure !== undefined && { 'error.type': failure }),
  };
  span.setAttributes(sentAttributes({ ...named, ...facts }));
  if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(new Date(end));
  const { 'gen_ai.request.model': model, 'gen_ai.tool.name': tool } = facts;
  const measured = sentAttributes({ ...named, 'gen_ai.request.model': model, 'gen_ai.tool.name': tool });
  instruments.operations.record((end - from) / 1000, measured);
}
