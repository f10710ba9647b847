import { createHmac } from 'node:crypto';

/** The header of a request that asks a server to show that it is the one that this user has started. */
export const CHALLENGE = 'x-gantry-challenge';

/**
 * Only a program that knows the token has this answer. Where a server has crashed, another program may listen and say
 * whatever it wants, such as the number of a process to end.
 */
export function answerTo(challenge: string, token: string): string {
  return createHmac('sha256', token).update(challenge).digest('hex');
}
