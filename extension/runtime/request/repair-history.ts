import { createEvent, type Event } from '@google/adk';
import type { Part } from '@google/genai';
import type { Scheduler } from '../../scheduler/scheduler.ts';
import type { UnfinishedCall } from '../../sessions/call-ledger.ts';
import type { SessionHistory } from '../../sessions/session-history.ts';
import { functionResponse } from './to-adk-tool.ts';

/**
 * The events that make a history valid again after a run was interrupted (Stop, an internal error, a killed process):
 * every unanswered call gets the scheduler's answer (its result if it finished, otherwise "cancelled"), and the model's
 * text so far is kept as interrupted.
 */
export async function repairEvents(
  { calls, openRun, events }: SessionHistory,
  scheduler: Scheduler,
  /** The number of characters at the end of the text to discard. */
  surplus = 0,
): Promise<Event[]> {
  scheduler.giveUp(calls.open);
  const answers = await answersTo(calls.open, scheduler);
  const said = joined(openRun?.words ?? []);
  const words = said.slice(0, Math.max(0, said.length - surplus));
  const last = answers.at(-1) ?? events.at(-1);
  if (words === '' || !last) return answers;
  return [...answers, spokenAfter(last, { role: 'model', parts: [{ text: words }] }, true)];
}

/** Answers calls with one event per event with calls: ADK can't pair an answer that covers two events. */
export async function answersTo(calls: readonly UnfinishedCall[], scheduler: Scheduler): Promise<Event[]> {
  const byEvent = new Map<Event, Part[]>();
  for (const { id, name, event } of calls) {
    const finished = await scheduler.join(id);
    const response = finished ? functionResponse(finished) : { error: 'Cancelled before it started.' };
    byEvent.set(event, [...(byEvent.get(event) ?? []), { functionResponse: { id, name, response } }]);
  }
  return [...byEvent].map(([event, parts]) => spokenAfter(event, { role: 'user', parts }));
}

function spokenAfter(after: Event, content: { role: string; parts: Part[] }, interrupted = false): Event {
  // ADK quotes events of other authors, so the repair uses the agent as the author.
  const { invocationId, branch } = after;
  return createEvent({
    author: AGENT_NAME,
    invocationId,
    content,
    ...(interrupted && { interrupted }),
    ...(branch !== undefined && { branch }),
  });
}

function joined(parts: readonly Part[]): string {
  return parts.map((part) => part.text ?? '').join('');
}

export const AGENT_NAME = 'gantry';
