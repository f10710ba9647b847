import type * as A2a from '../a2a/main.ts';

/** The only place that loads the bundle of the A2A server. */
export function loadA2a(): Promise<typeof A2a> {
  return import('../a2a/main.ts');
}
