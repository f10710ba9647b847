import { randomUUID } from 'node:crypto';
import type { Content, Part } from '@google/genai';
import { GrowingList } from '../../base/growing-list.ts';
import { MEDIA_KEY, responseMedia } from '../../context/media-line.ts';

/** The contents as they are sent to the model. The stored history is not changed. */
export function outgoingContents(contents: readonly Content[]): Content[] {
  return withUserLast(historyAsGiven(contents));
}

/** The same for the requests of one conversation, which grows. */
export class OutgoingContents {
  private readonly given = new GrowingList<Content, Content>(known);

  of(contents: readonly Content[]): Content[] {
    return withUserLast(this.given.map(contents).slice());
  }
}

/** When the user retries, an interrupted answer is last in the history, but the API requires a user turn last. */
function withUserLast(contents: Content[]): Content[] {
  if (contents.at(-1)?.role === 'model') contents.push({ role: 'user', parts: [{ text: CONTINUE }] });
  return contents;
}

/** The history in the form that the API accepts. */
export function historyAsGiven(contents: readonly Content[]): Content[] {
  return contents.map((content, index) => known(content, contents[index - 1]));
}

const CONTINUE = 'Your last answer was cut off. Continue exactly where it stopped.';

/** Contents that were sent before are sent as the same objects, so that they need not be serialized again. */
const sent = new WeakMap<Content, Content>();

function known(content: Content, before: Content | undefined): Content {
  const earlier = sent.get(content);
  if (earlier) return earlier;
  const made = withGivenIds(withMediaBeside(inOrderOfCalls(content, before)));
  sent.set(content, made);
  return made;
}

/**
 * Sorts answers by their calls: without ids, the position identifies an answer, and an interruption may mix up the
 * order.
 */
function inOrderOfCalls(content: Content, before: Content | undefined): Content {
  const ids = (before?.parts ?? []).flatMap(({ functionCall }) => functionCall?.id ?? []);
  const parts = content.parts ?? [];
  if (ids.length < 2 || !parts.some(({ functionResponse }) => functionResponse)) return content;
  const placeOf = ({ functionResponse }: Part): number =>
    functionResponse ? ids.indexOf(functionResponse.id ?? '') : ids.length;
  return { ...content, parts: parts.toSorted((a, b) => placeOf(a) - placeOf(b)) };
}

function withGivenIds(content: Content): Content {
  if (!content.parts?.some(({ functionCall, functionResponse }) => (functionCall ?? functionResponse)?.id))
    return content;
  return { ...content, parts: content.parts.map(withGivenId) };
}

function withGivenId(part: Part): Part {
  const { functionCall, functionResponse } = part;
  if (functionCall) return { ...part, functionCall: asGiven(functionCall) };
  return functionResponse ? { ...part, functionResponse: asGiven(functionResponse) } : part;
}

function asGiven<Call extends { id?: string }>({ id, ...call }: Call): Omit<Call, 'id'> & { id?: string } {
  const given = givenId(id);
  return { ...call, ...(given !== undefined && { id: given }) };
}

function withMediaBeside(content: Content): Content {
  if (!content.parts?.some((part) => responseMedia(part).length > 0)) return content;
  const responses = content.parts.map(withoutMedia);
  return { ...content, parts: [...responses, ...content.parts.flatMap(responseMedia)] };
}

function withoutMedia(part: Part): Part {
  if (!part.functionResponse || responseMedia(part).length === 0) return part;
  const { [MEDIA_KEY]: _, ...response } = part.functionResponse.response ?? {};
  return { ...part, functionResponse: { ...part.functionResponse, response } };
}

/** Longer values are not ids: services use eight characters, gateways a few dozen. */
const LONGEST_GIVEN = 100;

/**
 * A unique id for a call. Models reuse ids in later turns ("call_0"), which breaks ADK's pairing of calls and answers,
 * so every call gets an id of Gantry. It contains the original id, because only that may be sent back.
 */
export function newCallId(given?: unknown): string {
  const own = `call-${randomUUID()}`;
  return typeof given === 'string' && given !== '' && given.length <= LONGEST_GIVEN ? `${own}.${given}` : own;
}

/** The id that the endpoint gave. Some endpoints accept only their own ids, and others don't support ids. */
function givenId(id = ''): string | undefined {
  return /^call-[\da-f-]{36}\.(.+)$/s.exec(id)?.[1];
}
