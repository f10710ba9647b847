import { resolve } from 'node:path';
import { type Event, getFunctionCalls } from '@google/adk';
import type { FinishReason, Part } from '@google/genai';
import type { WorkspacePort } from '../../ports/workspace.ts';
import {
  type AgentEndReason,
  type AgentEvent,
  type AgentEventBody,
  type CallTarget,
  EVENT_VERSION,
  type ToolDisplay,
} from '../../protocol/agent/agent-event.ts';
import type { ContentPart } from '../../protocol/agent/content-part.ts';
import { type Problem, problemStatus, problemText } from '../../protocol/agent/problem.ts';
import { BLOCKED_BY_HOOK } from '../../protocol/transcript/notes.ts';
import type { ToolCall } from '../../scheduler/tool-call.ts';
import type { RecordBody, RecordOf, SessionRecord } from '../../sessions/session-record.ts';
import { touchedPaths } from '../../tools/call-arguments.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import { commandLabel } from '../../tools/shell/visible-text.ts';
import { commandEvents } from './command-events.ts';

/**
 * Translates records to AgentEvents, which are all that surfaces see. Events depend on the records alone, including ids
 * and times, so a conversation that is read again gives the same events as when it happened.
 */
export class EventTranslator {
  /** The stream of events outside of runs. */
  private session: Stream = { id: '', count: 0 };
  private run: Stream | undefined;
  private readonly waiting = new Set<string>();
  private namedByUser = false;
  private answerFrom: string | undefined;

  translate(record: SessionRecord): AgentEvent[] {
    if (record.type === 'session') this.session = { id: record.id, count: 0 };
    if (record.type === 'sent') this.run = { id: record.streamId, count: 0 };
    const stream = this.run ?? this.session;
    const events = this.bodies(record).map((body) => stamped(body, stream, record.at));
    if (record.type === 'run_ended') this.run = undefined;
    this.followAnswer(record, events);
    return events;
  }

  /** An id for an event that is not kept. It does not use up a number of the kept events. */
  ephemeralId(ordinal: number): { readonly id: string; readonly streamId: string } {
    const { id, count } = this.run ?? this.session;
    return { id: `${id}-${count}~${ordinal}`, streamId: id };
  }

  /** Remembers the first event of the current answer. */
  private followAnswer({ type }: SessionRecord, [first]: readonly AgentEvent[]): void {
    if (type === 'delta') this.answerFrom ??= first?.id;
    else if (ENDS_ANSWER.has(type)) this.answerFrom = undefined;
  }

  private bodies(record: SessionRecord): AgentEventBody[] {
    switch (record.type) {
      case 'session': {
        const { id, workspace, agent: agentId = 'gantry' } = record;
        return [{ type: 'initialize', version: EVENT_VERSION, sessionId: id, workspace, agentId }];
      }
      case 'sent':
        return this.sent(record);
      case 'run_started':
        return [
          { type: 'agent_start', ...(record.maxTurns !== undefined && { _meta: { maxTurns: record.maxTurns } }) },
        ];
      case 'model':
        return [{ type: 'session_update', model: record.label }];
      case 'delta':
        return agentMessage(record.parts);
      case 'retracted':
        if (this.answerFrom === undefined) return [];
        return [{ type: 'custom', kind: 'answer_retracted', data: { from: this.answerFrom } }];
      case 'model_waiting': {
        const { model, attempt, attempts, ms, why, at } = record;
        const data = { model, attempt, attempts, until: Date.parse(at) + ms, why };
        return [{ type: 'custom', kind: 'model_waiting', data }];
      }
      case 'model_switched': {
        const { from, to, why } = record;
        return [{ type: 'custom', kind: 'model_switched', data: { from, to, why } }];
      }
      case 'event':
        return [...this.delivered(record.event), ...eventBodies(record)];
      case 'agent_started': {
        const display: ToolDisplay = { result: { type: 'agent', threadId: record.sessionId } };
        return [{ type: 'tool_update', requestId: record.callId, display }];
      }
      case 'tool_finished':
        return [toolResponse(record)];
      case 'asked': {
        const { requestId, title, message, schema, callId, request: approval, modelChoice } = record;
        const request = { requestId, message, requestedSchema: schema, display: 'inline', title } as const;
        return [{ type: 'elicitation_request', ...request, _meta: defined({ callId, approval, modelChoice }) }];
      }
      case 'answered': {
        const { requestId, action, content } = record;
        return [{ type: 'elicitation_response', requestId, action, content }];
      }
      case 'pending': {
        const { id, shown, delivery, meta } = record;
        this.waiting.add(id);
        return [
          { type: 'message', role: 'user', content: shown, _meta: { ...meta, messageId: id, pending: delivery } },
        ];
      }
      case 'withdrawn':
        this.waiting.delete(record.id);
        return [{ type: 'custom', kind: 'message_withdrawn', data: { messageId: record.id, by: record.by } }];
      case 'problem':
        return [problemEvent(record.problem, record.fatal)];
      case 'run_ended': {
        const { reason, data } = record;
        return [{ type: 'agent_end', reason, ...(data && { data }) }];
      }
      case 'usage': {
        const { type, model, inputTokens, outputTokens, cachedTokens, cost } = record;
        const used = defined({ inputTokens, outputTokens, cachedTokens, cost });
        return [{ type, model, ...used, _meta: { beside: true } }];
      }
      case 'task_ended':
        return [{ type: 'custom', kind: 'task_ended', data: { streamId: record.streamId } }];
      case 'rewind': {
        const { id, messageId, what } = record;
        return [{ type: 'custom', kind: 'rewind', data: { rewindId: id, messageId, what } }];
      }
      case 'rewind_undone':
        return [{ type: 'custom', kind: 'rewind_undone', data: { rewindId: record.rewindId } }];
      case 'title':
        if (record.by === 'model' && this.namedByUser) return [];
        this.namedByUser = record.by === 'user';
        return [{ type: 'session_update', title: record.title }];
      case 'mode':
        return [{ type: 'session_update', config: { approvalMode: record.mode } }];
      case 'hook': {
        const { event, hook, text, kind } = record;
        const _meta = { source: `hook:${event}`, hook, kind };
        return [{ type: 'message', role: 'developer', content: [{ type: 'text', text }], _meta }];
      }
      case 'loop': {
        const { kind, detail, stops } = record;
        return [{ type: 'custom', kind: 'loop', data: { kind, detail, stops } }];
      }
      case 'loop_detection':
        return [{ type: 'session_update', config: { loopDetection: record.on } }];
      case 'choice':
      case 'model_setting':
        return [{ type: 'session_update', model: record.model, config: { model: record.model } }];
      case 'compacted': {
        const { trigger, tokensBefore, tokensAfter, summary, keptFrom } = record;
        const data = { trigger, tokensBefore, tokensAfter, summary, ...defined({ keptFrom }) };
        return [{ type: 'custom', kind: 'compacted', data }];
      }
      case 'outputs_cut': {
        const { outputs, tokensBefore, tokensAfter } = record;
        return [{ type: 'custom', kind: 'outputs_cut', data: { count: outputs.length, tokensBefore, tokensAfter } }];
      }
      case 'left_out': {
        const { hidden, inAnswer } = record;
        const secrets = record.secrets.map(({ what, where }) => ({ what, where }));
        return [{ type: 'custom', kind: 'left_out', data: { secrets, hidden, ...(inAnswer && { inAnswer }) } }];
      }
      case 'command_started':
      case 'command_ended':
      case 'command_lost':
        return commandEvents(record);
      case 'sandbox_allowed': {
        const { callId, what, always } = record;
        return [{ type: 'custom', kind: 'sandbox_allowed', data: { callId, what, always } }];
      }
      case 'protected_changed': {
        const { id, callId, command, files, more } = record;
        const listed = files.map(({ path, name, what, kind, restorable }) => ({ path, name, what, kind, restorable }));
        const data = { id, callId, command: commandLabel(command), files: listed, ...defined({ more }) };
        return [{ type: 'custom', kind: 'protected_changed', data }];
      }
      case 'protected_put_back': {
        const files = record.files.map(({ path, outcome, reason }) => ({ path, outcome, ...defined({ reason }) }));
        return [{ type: 'custom', kind: 'protected_put_back', data: { id: record.id, files } }];
      }
      default:
        return [];
    }
  }

  private sent({ event, shown, meta }: RecordOf<'sent'>): AgentEventBody[] {
    if (!event) return [];
    if (this.waiting.has(event.id)) return this.delivered(event);
    const content = shown ?? contentOf(event.content?.parts ?? []);
    return [{ type: 'message', role: 'user', content, _meta: { ...meta, messageId: event.id } }];
  }

  private delivered({ id }: Event): AgentEventBody[] {
    if (!this.waiting.delete(id)) return [];
    return [{ type: 'custom', kind: 'message_delivered', data: { messageId: id } }];
  }
}

const ENDS_ANSWER: ReadonlySet<SessionRecord['type']> = new Set(['event', 'sent', 'retracted', 'run_ended']);

/** A stream numbers its events from 0. */
interface Stream {
  readonly id: string;
  count: number;
}

function stamped(body: AgentEventBody, stream: Stream, timestamp: string): AgentEvent {
  return { id: `${stream.id}-${stream.count++}`, streamId: stream.id, timestamp, ...body } as AgentEvent;
}

/** How the run ended, judging by the model's last answer. */
export function endReasonOf(event: Event): AgentEndReason {
  if (event.errorCode) return event.errorCode === 'refused-by-model' ? 'refusal' : 'failed';
  if (event.finishReason === undefined) return 'completed';
  // An endpoint may send any value, such as the name of a property that every object has.
  return (Object.hasOwn(END_REASONS, event.finishReason) && END_REASONS[event.finishReason]) || 'failed';
}

const END_REASONS: Partial<Record<FinishReason, AgentEndReason>> = {
  STOP: 'completed',
  FINISH_REASON_UNSPECIFIED: 'completed',
  MAX_TOKENS: 'max_budget',
  CONTINUATION: 'max_budget',
  SAFETY: 'refusal',
  RECITATION: 'refusal',
  LANGUAGE: 'refusal',
  BLOCKLIST: 'refusal',
  PROHIBITED_CONTENT: 'refusal',
  SPII: 'refusal',
  IMAGE_SAFETY: 'refusal',
  IMAGE_PROHIBITED_CONTENT: 'refusal',
  IMAGE_RECITATION: 'refusal',
};

export function problemEvent(problem: Problem, fatal: boolean): AgentEventBody {
  const status = problemStatus(problem.kind);
  const code = CODES[problem.kind];
  return { type: 'error', status, message: problemText(problem), fatal, _meta: { problem, ...(code && { code }) } };
}

const CODES: Partial<Record<Problem['kind'], string>> = {
  'blocked-by-hook': BLOCKED_BY_HOOK,
  loop: 'LOOP_DETECTED',
};

function eventBodies({ event, displays, targets, cost }: RecordOf<'event'>): AgentEventBody[] {
  const requests = getFunctionCalls(event).map(({ id = '', name = '', args = {} }): AgentEventBody => {
    const display = displays?.[id];
    return { type: 'tool_request', requestId: id, name, args, ...(display && { display }), ...targets?.[id] };
  });
  return [...usageOf(event, cost), ...requests, ...errorOf(event)];
}

function toolResponse(record: RecordOf<'tool_finished'>): AgentEventBody {
  const { call, state, result, display, ruling, duration } = record;
  return {
    type: 'tool_response',
    requestId: call.id,
    name: call.name,
    display,
    content: result.error ? [{ type: 'text', text: result.error.message }] : [],
    data: {
      ...result.data,
      state,
      ...(result.error && { errorType: result.error.type }),
      ...(ruling && { policy: ruling }),
      ...(duration !== undefined && { durationMs: duration }),
    },
    isError: result.error !== undefined,
  };
}

function agentMessage(parts: readonly Part[]): AgentEventBody[] {
  const content = contentOf(parts);
  return content.length === 0 ? [] : [{ type: 'message', role: 'agent', content }];
}

/** A loop, because a resumed conversation has this done for every delta it had. */
function contentOf(parts: readonly Part[]): ContentPart[] {
  const content: ContentPart[] = [];
  for (const part of parts) {
    const shown = contentPart(part);
    if (shown) content.push(shown);
  }
  return content;
}

function contentPart({ text, thought, thoughtSignature, inlineData, fileData }: Part): ContentPart | undefined {
  if (inlineData) return { type: 'media', ...defined({ data: inlineData.data, mimeType: inlineData.mimeType }) };
  if (fileData) return { type: 'media', ...defined({ uri: fileData.fileUri, mimeType: fileData.mimeType }) };
  if (!text) return undefined;
  return thought ? { type: 'thought', thought: text, ...defined({ thoughtSignature }) } : { type: 'text', text };
}

function usageOf({ usageMetadata: usage, modelVersion }: Event, cost: RecordOf<'event'>['cost']): AgentEventBody[] {
  if (!usage) return [];
  const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount, cachedContentTokenCount } = usage;
  const answered = candidatesTokenCount ?? thoughtsTokenCount;
  return [
    {
      type: 'usage',
      model: modelVersion ?? 'unknown',
      ...defined({
        inputTokens: promptTokenCount,
        outputTokens: answered === undefined ? undefined : (candidatesTokenCount ?? 0) + (thoughtsTokenCount ?? 0),
        cachedTokens: cachedContentTokenCount,
        cost,
      }),
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
  return [problemEvent(problem, true)];
}

type Defined<Value> = { [Key in keyof Value]?: Exclude<Value[Key], undefined> };

function defined<Value extends object>(value: Value): Defined<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as Defined<Value>;
}

/** The record of an ADK event, with the display of its calls, their targets and its cost. */
export function eventRecord(
  event: Event,
  describe: (call: ToolCall) => ToolDisplay,
  targetOf: (call: ToolCall) => CallTarget | undefined,
  amount: number | undefined,
): RecordBody {
  const calls = getFunctionCalls(event).map(({ id = '', name = '', args = {} }) => ({ id, name, args }));
  const displays = calls.map((call) => [call.id, describe(call)] as const);
  const targets = calls.flatMap((call) => {
    const target = targetOf(call);
    return target ? [[call.id, target] as const] : [];
  });
  return {
    type: 'event',
    event,
    ...(calls.length > 0 && { displays: Object.fromEntries(displays) }),
    ...(targets.length > 0 && { targets: Object.fromEntries(targets) }),
    ...(amount !== undefined && { cost: { amount, currency: 'USD' } }),
  };
}

export function describeCall({ name, args }: ToolCall, registry: ToolRegistry, workspace: WorkspacePort): ToolDisplay {
  const tool = registry.get(name);
  return tool ? { name: tool.displayName, description: tool.describe(args, workspace) } : { name };
}

/** Undefined for an unknown tool. Arguments that don't fit the tool name no paths. */
export function callTarget(
  { name, args }: ToolCall,
  registry: ToolRegistry,
  roots: readonly string[],
): CallTarget | undefined {
  const tool = registry.get(name);
  if (!tool) return undefined;
  const paths = touchedPaths(tool, args).map(({ path }) => resolve(roots[0] ?? '', path));
  return { kind: tool.kind, ...(paths.length > 0 && { paths }) };
}
