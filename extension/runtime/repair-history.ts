import { type BaseSessionService, createEvent, type Event, getFunctionResponses, type Session } from '@google/adk';
import type { Part } from '@google/genai';
import type { Scheduler } from '../scheduler/scheduler.ts';
import { toolCallsOf } from './event-translator.ts';
import { functionResponse } from './to-adk-tool.ts';

/**
 * Makes a history sendable again after a run broke off (Stop, an error inside): every unanswered call gets the answer
 * the scheduler has for it (its real result if it finished, else "cancelled"), then what the model had said so far is
 * kept as interrupted. Looks at the events of that run only.
 */
export async function repairHistory(
  sessions: BaseSessionService,
  session: Session,
  runStart: number,
  scheduler: Scheduler,
  interrupted: readonly Part[],
): Promise<void> {
  const events = session.events.slice(runStart);
  const answered = new Set(events.flatMap((event) => getFunctionResponses(event).map((response) => response.id)));
  for (const event of events) {
    const parts: Part[] = [];
    for (const call of toolCallsOf(event).filter(({ id }) => !answered.has(id))) {
      const finished = await scheduler.join(call.id);
      const response = finished ? functionResponse(finished) : { error: 'Cancelled before it started.' };
      parts.push({ functionResponse: { id: call.id, name: call.name, response } });
    }
    if (parts.length > 0) await append(sessions, session, event, { role: 'user', parts });
  }
  const last = session.events.at(-1);
  if (interrupted.length > 0 && last) {
    await append(sessions, session, last, { role: 'model', parts: [...interrupted] }, true);
  }
}

async function append(
  sessions: BaseSessionService,
  session: Session,
  after: Event,
  content: { role: string; parts: Part[] },
  interrupted = false,
): Promise<void> {
  // ADK turns events of another author into quotations, so the repair speaks as the agent.
  const author = after.author === 'user' ? AGENT_NAME : (after.author ?? AGENT_NAME);
  const { invocationId, branch } = after;
  const event = createEvent({ author, invocationId, content, interrupted, ...(branch !== undefined && { branch }) });
  await sessions.appendEvent({ session, event });
}

export const AGENT_NAME = 'gantry';
