import type { PlanEntry, SessionUpdate, ToolKind } from '@agentclientprotocol/sdk';
import type {
  AgentEvent,
  MessageEvent,
  ToolRequestEvent,
  ToolResponseEvent,
  ToolUpdateEvent,
} from '../protocol/agent/agent-event.ts';
import type { ContentPart } from '../protocol/agent/content-part.ts';
import { type TodoItem, TodoLists } from '../protocol/agent/todo-list.ts';
import { displayContent, textContent } from './tool-content.ts';

/** What the client was told about a call. */
interface KnownCall {
  readonly paths: readonly string[];
  runs: boolean;
}

/**
 * Translates the events of a session to updates for the client. Events of subagents are left out: the call of their
 * leader has their result.
 */
export class UpdateTranslator {
  private readonly calls = new Map<string, KnownCall>();
  /** The calls that wait for an answer, by the request. */
  private readonly asking = new Map<string, string>();
  private readonly todos = new TodoLists();
  /** The id of the first event of the current answer. */
  private answer: string | undefined;

  /** `root` is the folder that relative paths start from. */
  constructor(private readonly root: string) {}

  /** `isReplay`: also the messages of the user, which the client has not seen. */
  take(event: AgentEvent, isReplay = false): SessionUpdate[] {
    if (event.threadId !== undefined) return [];
    if (event.type !== 'message' || event.role !== 'agent') this.answer = undefined;
    switch (event.type) {
      case 'message':
        return this.message(event, isReplay);
      case 'tool_request':
        return [this.requested(event)];
      case 'tool_update':
        return this.updated(event);
      case 'tool_response':
        return this.responded(event);
      case 'elicitation_request':
        if (event._meta?.callId !== undefined) this.asking.set(event.requestId, event._meta.callId);
        return [];
      case 'elicitation_response':
        return event.action === 'accept' ? this.started(this.asking.get(event.requestId)) : [];
      case 'session_update':
        return event.title === undefined ? [] : [{ sessionUpdate: 'session_info_update', title: event.title }];
      default:
        return [];
    }
  }

  private message(event: MessageEvent, isReplay: boolean): SessionUpdate[] {
    const { role, content, _meta, id } = event;
    if (role === 'developer' || (role === 'user' && !isReplay)) return [];
    if (role === 'agent') this.answer ??= id;
    const messageId = role === 'agent' ? (this.answer ?? id) : (_meta?.messageId ?? id);
    return content.flatMap((part) => chunk(part, role, messageId));
  }

  private requested({ requestId, name, args, display, kind, paths = [] }: ToolRequestEvent): SessionUpdate {
    this.calls.set(requestId, { paths, runs: false });
    return {
      sessionUpdate: 'tool_call',
      toolCallId: requestId,
      title: callTitle(name, display),
      name,
      kind: acpKind(kind),
      status: 'pending',
      rawInput: args,
      ...(paths.length > 0 && { locations: paths.map((path) => ({ path })) }),
    };
  }

  private updated({ requestId, display }: ToolUpdateEvent): SessionUpdate[] {
    const call = this.calls.get(requestId);
    if (!call) return [];
    const content = displayContent(display?.result, call.paths[0], this.root);
    if (content.length === 0) return this.started(requestId);
    call.runs = true;
    return [{ sessionUpdate: 'tool_call_update', toolCallId: requestId, status: 'in_progress', content }];
  }

  private started(requestId: string | undefined): SessionUpdate[] {
    const call = this.calls.get(requestId ?? '');
    if (requestId === undefined || !call || call.runs) return [];
    call.runs = true;
    return [{ sessionUpdate: 'tool_call_update', toolCallId: requestId, status: 'in_progress' }];
  }

  private responded(event: ToolResponseEvent): SessionUpdate[] {
    const { requestId, isError, display, content = [] } = event;
    const { paths = [] } = this.calls.get(requestId) ?? {};
    this.calls.delete(requestId);
    const said = content.flatMap((part) => (part.type === 'text' && part.text !== '' ? [textContent(part.text)] : []));
    const shown = displayContent(display?.result, paths[0], this.root);
    const summary = display?.resultSummary ? [textContent(display.resultSummary)] : [];
    const results = [said, shown, summary].find((list) => list.length > 0) ?? [];
    const update: SessionUpdate = {
      sessionUpdate: 'tool_call_update',
      toolCallId: requestId,
      status: isError ? 'failed' : 'completed',
      ...(results.length > 0 && { content: results }),
    };
    this.todos.take(event);
    if (event.name !== 'write_todos' || isError) return [update];
    const entries = this.todos.current((id) => id === requestId).flatMap(planEntry);
    return [update, { sessionUpdate: 'plan', entries }];
  }
}

/** The title of a call, such as "ReadFile: src/app.ts". */
export function callTitle(name: string, display: ToolRequestEvent['display']): string {
  const { name: shown = name, description = '' } = display ?? {};
  return description === '' ? shown : `${shown}: ${description}`;
}

/** The kinds that only Gantry has are "other" for clients. */
export function acpKind(kind: ToolRequestEvent['kind']): ToolKind {
  switch (kind) {
    case undefined:
    case 'agent':
    case 'communicate':
      return 'other';
    case 'plan':
      return 'think';
    default:
      return kind;
  }
}

function chunk(part: ContentPart, role: 'user' | 'agent', messageId: string): SessionUpdate[] {
  const sessionUpdate = role === 'user' ? 'user_message_chunk' : 'agent_message_chunk';
  switch (part.type) {
    case 'text':
      return [{ sessionUpdate, messageId, content: { type: 'text', text: part.text } }];
    case 'thought':
      return [
        {
          sessionUpdate: 'agent_thought_chunk',
          messageId: `${messageId}-thought`,
          content: { type: 'text', text: part.thought },
        },
      ];
    case 'media': {
      const { data, mimeType = '' } = part;
      if (data === undefined || !mimeType.startsWith('image/')) return [];
      return [{ sessionUpdate, messageId, content: { type: 'image', data, mimeType } }];
    }
    case 'reference':
      // The content of a reference is for the model. `text` is its name here.
      return [{ sessionUpdate, messageId, content: { type: 'text', text: `[${part.text}]` } }];
  }
}

/** ACP has no canceled steps: they are left out. It knows no priorities of ours either. */
function planEntry({ description: content, status }: TodoItem): PlanEntry[] {
  if (status === 'cancelled') return [];
  return [{ content, priority: 'medium', status: status === 'blocked' ? 'pending' : status }];
}
