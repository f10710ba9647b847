import {
  createEvent,
  type Event,
  REQUEST_CONFIRMATION_FUNCTION_CALL_NAME,
  REQUEST_CREDENTIAL_FUNCTION_CALL_NAME,
  REQUEST_INPUT_FUNCTION_CALL_NAME,
} from '@google/adk';
import type { Content, Part } from '@google/genai';
import fc from 'fast-check';
import { deepFreeze } from './deep-freeze.ts';

export const AGENT = 'gantry';

/** The possible changes to the history between two requests. */
export type Change =
  | { readonly type: 'append'; readonly event: Event }
  | { readonly type: 'append-again'; readonly at: number }
  | { readonly type: 'truncate'; readonly at: number }
  | { readonly type: 'replace'; readonly at: number; readonly event: Event }
  | { readonly type: 'move'; readonly branch: string | undefined; readonly isolationScope: string | undefined };

export function changed(events: readonly Event[], change: Change): Event[] {
  if (change.type === 'append') return [...events, change.event];
  if (change.type === 'move' || events.length === 0) return [...events];
  const at = change.at % events.length;
  const known = events[at] as Event;
  if (change.type === 'truncate') return events.slice(0, at);
  if (change.type === 'append-again') return [...events, known];
  return events.with(at, { ...change.event, id: known.id });
}

const callId = fc.constantFrom('a', 'b', 'c', 'adk-1');
const anyId = fc.constantFrom(undefined, '', 'a', 'b', 'c', 'd', 'adk-1', 'adk-2');
const toolName = fc.constantFrom(
  ...Array.from({ length: 8 }, () => 'read_file'),
  undefined,
  REQUEST_CONFIRMATION_FUNCTION_CALL_NAME,
  REQUEST_CREDENTIAL_FUNCTION_CALL_NAME,
  REQUEST_INPUT_FUNCTION_CALL_NAME,
);
const text = fc.constantFrom('', 'one', 'two');
const branch = fc.constantFrom(undefined, undefined, '', 'root', 'root.a', 'root.ab', 'root.a.b');
const isolationScope = fc.constantFrom(undefined, undefined, undefined, '', 'scope');

const call = fc.record({ id: anyId, name: toolName, args: fc.constantFrom(undefined, {}, { path: 'x' }) });
const answer = fc.record({ id: anyId, name: toolName, response: fc.constantFrom(undefined, { output: 'y' }) });
const anyPart = fc.oneof(
  fc.record({ text }),
  fc.record({ text, thought: fc.boolean(), thoughtSignature: fc.constant('c2ln') }),
  fc.record({ functionCall: call }),
  fc.record({ functionResponse: answer }),
  fc.record({ text, functionCall: call, functionResponse: answer }, { requiredKeys: ['functionCall'] }),
  fc.constant({ inlineData: { data: 'AA==', mimeType: 'image/png' } }),
  fc.constant({}),
);
const anyContent = fc.record(
  { role: fc.constantFrom('user', 'model', 'model', ''), parts: fc.array(anyPart, { maxLength: 4 }) },
  { requiredKeys: [] },
);
const wildEvent = fc
  .record({
    author: fc.constantFrom('user', AGENT, AGENT, 'other', undefined),
    content: anyContent,
    branch,
    isolationScope,
  })
  .map((fields) => toEvent(fields));

/** Events as in a conversation: text, calls, and responses that may be partial, late, repeated or for no call. */
const ids = fc.uniqueArray(callId, { minLength: 1, maxLength: 3 });
const usualEvent = fc
  .oneof(
    fc.record({
      author: fc.constant('user'),
      content: fc.constant<Content>({ role: 'user', parts: [{ text: 'Hi' }] }),
    }),
    fc.record({ author: fc.constant(AGENT), content: ids.map(callsOf) }),
    fc.record({ author: fc.constant(AGENT), content: fc.tuple(ids, fc.nat(9)).map(([of, nth]) => answersTo(of, nth)) }),
  )
  .map((fields) => toEvent(fields));

const summary = fc
  .nat(9)
  .map((endTime) =>
    Object.freeze({ ...toEvent({ author: AGENT }), isCompacted: true, endTime, compactedContent: 'Much.' }),
  );

const anyEvent: fc.Arbitrary<Event> = fc.oneof(
  { arbitrary: usualEvent, weight: 60 },
  { arbitrary: wildEvent, weight: 30 },
  { arbitrary: summary, weight: 1 },
);

export const wildChanges: fc.Arbitrary<Change[]> = fc.array(
  fc.oneof(
    { arbitrary: fc.record({ type: fc.constant('append' as const), event: anyEvent }), weight: 14 },
    { arbitrary: fc.record({ type: fc.constant('replace' as const), at: fc.nat(), event: anyEvent }), weight: 1 },
    {
      arbitrary: fc.record({ type: fc.constantFrom('append-again' as const, 'truncate' as const), at: fc.nat() }),
      weight: 1,
    },
    { arbitrary: fc.record({ type: fc.constant('move' as const), branch, isolationScope }), weight: 1 },
  ),
  { maxLength: 16, size: 'max' },
);

function toEvent(fields: object): Event {
  const event = createEvent({ ...fields, timestamp: 5 });
  deepFreeze(event.content);
  return event;
}

function callsOf(callIds: readonly string[]): Content {
  return { role: 'model', parts: callIds.map((id): Part => ({ functionCall: { id, name: 'read_file', args: {} } })) };
}

function answersTo(callIds: readonly string[], nth: number): Content {
  const parts = callIds.map((id): Part => ({ functionResponse: { id, name: 'read_file', response: { nth } } }));
  return { role: 'user', parts };
}
