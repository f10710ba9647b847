import { randomUUID } from 'node:crypto';

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
export function givenId(id = ''): string | undefined {
  return /^call-[\da-f-]{36}\.(.+)$/s.exec(id)?.[1];
}
