import { setTimeout as delay } from 'node:timers/promises';

/**
 * Whether something becomes true within that time. It is looked at in steps, and a pause of the whole machine counts as
 * one of them, because in a pause no other process can do anything either.
 */
export async function holdsWithin(
  limitMs: number,
  stepMs: number,
  holds: () => boolean | Promise<boolean>,
): Promise<boolean> {
  for (let waited = 0; ; waited += stepMs) {
    if (await holds()) return true;
    if (waited >= limitMs) return false;
    await delay(stepMs);
  }
}
