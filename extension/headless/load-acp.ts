import type * as Acp from '../acp/main.ts';

/** The only place that loads the bundle for other editors. */
export function loadAcp(): Promise<typeof Acp> {
  return import('../acp/main.ts');
}
