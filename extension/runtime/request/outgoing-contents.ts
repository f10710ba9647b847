import { randomUUID } from 'node:crypto';
import type { Content, Part } from '@google/genai';
import { MEDIA_KEY, responseMedia } from '../../context/media-line.ts';

/** The contents as the model gets them. The stored history is not touched. */
export function outgoingContents(contents: readonly Content[]): Content[] {
  const outgoing = historyAsGiven(contents);
  // An answer that broke off is the last thing in the history when the user retries: the API wants a user turn last.
  if (outgoing.at(-1)?.role === 'model') outgoing.push({ role: 'user', parts: [{ text: CONTINUE }] });
  return outgoing;
}

/** What was said before, in the form in which the API takes it. */
export function historyAsGiven(contents: readonly Content[]): Content[] {
  return contents.map((content, index) => known(content, contents[index - 1]));
}

const CONTINUE = 'Your last answer was cut off. Continue exactly where it stopped.';

/** Contents that were sent before are sent as the same objects, which need not be written again. */
const sent = new WeakMap<Content, Content>();

function known(content: Content, before: Content | undefined): Content {
  const made = sent.get(content) ?? withGivenIds(withMediaBeside(inOrderOfCalls(content, before)));
  sent.set(content, made);
  return made;
}

/** Without ids, an answer is known by its place among the others: behind an interruption they come in any order. */
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

/** Longer ones are no ids: services give eight characters, gateways a few dozen. */
const LONGEST_GIVEN = 100;

/**
 * A name for a call that no other call has. Models use ids again in later turns ("call_0"), which corrupts ADK's pairing, so
 * every call gets one of ours; the one it came with is kept in it, because only that may go back.
 */
export function newCallId(given?: unknown): string {
  const own = `call-${randomUUID()}`;
  return typeof given === 'string' && given !== '' && given.length <= LONGEST_GIVEN ? `${own}.${given}` : own;
}

/** What the endpoint gave. Some take no id that they did not give, and others know none at all. */
function givenId(id = ''): string | undefined {
  return /^call-[\da-f-]{36}\.(.+)$/s.exec(id)?.[1];
}
