import type { Context } from '@opentelemetry/api';

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
