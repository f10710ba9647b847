import { type Event, getFunctionCalls } from '@google/adk';
import type { FinishReason, Part } from '@google/genai';
import type { AgentEndReason, AgentEventBody, ToolDisplay } from '../protocol/agent-event.ts';
import type { ContentPart } from '../protocol/content-part.ts';
import { type Problem, problemStatus, problemText } from '../protocol/problem.ts';
import type { FinishedCall, ToolCall } from '../scheduler/scheduler.ts';

/** One line about a call for its card. */
export type DescribeCall = (call: ToolCall) => ToolDisplay;

/** The boundary: everything above it sees AgentEvents only. */
export function translateEvent(event: Event, describe: DescribeCall): AgentEventBody[] {
  if (event.partial) return messageOf(event);
  return [...usageOf(event), ...toolCallsOf(event).map((call) => toolRequest(call, describe)), ...errorOf(event)];
}

export function toolCallsOf(event: Event): ToolCall[] {
  if (event.partial) return [];
  return getFunctionCalls(event).map(({ id = '', name = '', args = {} }) => ({ id, name, args }));
}

export function toolResponse(finished: FinishedCall, describe: DescribeCall): AgentEventBody {
  const { call, result, state } = finished;
  return {
    type: 'tool_response',
    requestId: call.id,
    name: call.name,
    display: { ...describe(call), ...result.display },
    content: result.error ? [{ type: 'text', text: result.error.message }] : [],
    data: { ...result.data, state, ...(result.error && { errorType: result.error.type }) },
    isError: result.error !== undefined,
  };
}

/** How the run ended, as far as the model's last answer tells. */
export function endReasonOf(event: Event): AgentEndReason {
  if (event.errorCode) return 'failed';
  return event.finishReason === undefined ? 'completed' : (END_REASONS[event.finishReason] ?? 'failed');
}

const END_REASONS: Partial<Record<FinishReason, AgentEndReason>> = {
  STOP: 'completed',
  FINISH_REASON_UNSPECIFIED: 'completed',
  MAX_TOKENS: 'max_budget',
  SAFETY: 'refusal',
  RECITATION: 'refusal',
  LANGUAGE: 'refusal',
  BLOCKLIST: 'refusal',
  PROHIBITED_CONTENT: 'refusal',
  SPII: 'refusal',
  IMAGE_SAFETY: 'refusal',
  IMAGE_PROHIBITED_CONTENT: 'refusal',
};

function messageOf(event: Event): AgentEventBody[] {
  const content = (event.content?.parts ?? []).flatMap(contentPart);
  return content.length === 0 ? [] : [{ type: 'message', role: 'agent', content }];
}

function contentPart(part: Part): ContentPart[] {
  if (!part.text) return [];
  if (!part.thought) return [{ type: 'text', text: part.text }];
  const signature = part.thoughtSignature;
  return [{ type: 'thought', thought: part.text, ...(signature !== undefined && { thoughtSignature: signature }) }];
}

function toolRequest(call: ToolCall, describe: DescribeCall): AgentEventBody {
  return { type: 'tool_request', requestId: call.id, name: call.name, args: call.args, display: describe(call) };
}

function usageOf({ usageMetadata: usage, modelVersion }: Event): AgentEventBody[] {
  if (!usage) return [];
  const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount, cachedContentTokenCount } = usage;
  const output = candidatesTokenCount ?? thoughtsTokenCount;
  return [
    {
      type: 'usage',
      model: modelVersion ?? 'unknown',
      ...(promptTokenCount !== undefined && { inputTokens: promptTokenCount }),
      ...(output !== undefined && { outputTokens: (candidatesTokenCount ?? 0) + (thoughtsTokenCount ?? 0) }),
      ...(cachedContentTokenCount !== undefined && { cachedTokens: cachedContentTokenCount }),
    },
  ];
}

function errorOf(event: Event): AgentEventBody[] {
  if (!event.errorCode) return [];
  const problem = event.customMetadata?.['problem'] as Problem | undefined;
  if (!problem) {
    const message = event.errorMessage ?? event.errorCode;
    return [{ type: 'error', status: 'INTERNAL', message, fatal: true }];
  }
  return [problemEvent(problem)];
}

export function problemEvent(problem: Problem): AgentEventBody {
  const status = problemStatus(problem.kind);
  return { type: 'error', status, message: problemText(problem), fatal: true, _meta: { problem } };
}
