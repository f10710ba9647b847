import { z } from 'zod';
import type { Tool } from '../../extension/ports/tool.ts';
import type { AgentEvent } from '../../extension/protocol/agent/agent-event.ts';
import type { AgentSend } from '../../extension/protocol/agent/agent-protocol.ts';
import type { AgentSession } from '../../extension/protocol/agent/agent-session.ts';
import { plainText, textPart } from '../../extension/protocol/agent/content-part.ts';

/** A test tool without parameters. */
export function testTool(name: string, kind: Tool['kind'], execute: Tool['execute']): Tool {
  return {
    name,
    displayName: name,
    kind,
    description: name,
    schema: z.strictObject({}),
    describe: () => name,
    execute,
  };
}

export function message(text: string): AgentSend {
  return { message: { content: [textPart(text)] } };
}

/** Sends a payload and waits until the run is over. */
export async function all(session: AgentSession, payload: AgentSend): Promise<AgentEvent[]> {
  return drain(session.sendStream(payload));
}

export async function drain(events: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const seen: AgentEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

/** Waits for an event, given as a line of the outline. */
export async function until(session: AgentSession, line: string): Promise<void> {
  if (outline(session.events).includes(line)) return;
  await new Promise<void>((resolve) => {
    const stop = session.subscribe((event) => {
      if (outline([event])[0] !== line) return;
      stop();
      resolve();
    });
  });
}

/** Approves the first question of the run once it is asked. */
export async function allowFirst(session: AgentSession): Promise<void> {
  await until(session, 'elicitation_request');
  const asked = session.events.find((event) => event.type === 'elicitation_request');
  await session.send(answer(asked?.requestId ?? '', 'accept'));
}

export function answer(requestId: string, action: 'accept' | 'decline'): AgentSend {
  return { elicitations: [{ requestId, action, content: action === 'accept' ? { decision: 'once' } : {} }] };
}

/** One line per event, without details that change from run to run. */
export function outline(events: readonly AgentEvent[]): string[] {
  return events.map((event) => {
    switch (event.type) {
      case 'message': {
        const thoughts = event.content.map((part) => (part.type === 'thought' ? part.thought : '')).join('');
        return thoughts ? `thought: ${thoughts}` : `${event.role}: ${plainText(event.content)}`;
      }
      case 'session_update':
        return `session_update ${event.title ?? event.model?.split('-')[0]}`;
      case 'usage':
        return event.inputTokens === 12 ? `usage ${event.inputTokens}/${event.outputTokens}` : 'usage';
      case 'tool_request':
        return `tool_request ${event.name} ${event.display?.description}`;
      case 'tool_response':
        return `tool_response ${event.name} ${event.isError ? 'error' : 'ok'}`;
      case 'elicitation_response':
        return `elicitation_response ${event.action}`;
      case 'custom':
        return event.kind;
      case 'agent_end':
        return `agent_end ${event.reason}`;
      default:
        return event.type;
    }
  });
}
