import type { Event } from '@google/adk';
import type { Content, FunctionResponse } from '@google/genai';
import type { KeptFacts } from '../../context/compaction/snapshot-message.ts';
import { isNotice } from '../../sessions/notices.ts';
import { wordsOf } from '../hooks/run-hooks.ts';

/** What of these events has to outlive a summary. The same events always give the same facts. */
export function preservedContext(events: readonly Event[]): KeptFacts {
  const said = events.filter(isMessage);
  const [first] = said;
  const last = said.at(-1);
  const responses = events.flatMap(({ content }) =>
    (content?.parts ?? []).flatMap(({ functionResponse }) => functionResponse ?? []),
  );
  const todos = lastOutput(responses, 'write_todos');
  const plan = lastOutput(responses, 'exit_plan_mode');
  return {
    ...(first && { goal: wordsOf(first) }),
    ...(last && last !== first && { lastMessage: wordsOf(last) }),
    ...(todos !== undefined && { todos }),
    ...(plan !== undefined && { plan }),
  };
}

/**
 * The messages that the work at the end of these events is about: those since the model last had nothing to do, and at least the
 * last one. Wishes that came during the work belong to it.
 */
export function messagesOfWork(events: readonly Event[]): readonly Event[] {
  const messages: Event[] = [];
  for (const event of events.toReversed()) {
    if (isMessage(event)) messages.unshift(event);
    else if (messages.length > 0 && isAnswer(event.content)) break;
  }
  return messages;
}

/** Of these facts, those that messages which are sent themselves do not say. */
export function factsBeside(messages: readonly Event[], events: readonly Event[]): KeptFacts {
  const { goal, lastMessage: _, ...facts } = preservedContext(events);
  const isThere = messages.some((message) => wordsOf(message) === goal);
  return { ...(goal !== undefined && !isThere && { goal }), ...facts };
}

/** Something that the user said and the model got. */
export function isMessage(event: Event): boolean {
  return event.author === 'user' && !isNotice(event) && wordsOf(event) !== '';
}

function isAnswer(content: Content | undefined): boolean {
  return content?.role === 'model' && !content.parts?.some((part) => part.functionCall);
}

/** Of the last call that went well; a failed one has an error instead. */
function lastOutput(responses: readonly FunctionResponse[], tool: string): string | undefined {
  const output = responses.findLast(({ name, response }) => name === tool && typeof response?.['output'] === 'string');
  return output?.response?.['output'] as string | undefined;
}
