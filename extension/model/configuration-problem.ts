import type { Problem } from '../protocol/problem.ts';
import type { KeySource } from './credentials.ts';

/** Found before anything was sent, when the message is already in the conversation. */
export const KEPT = 'Your message is kept';

export function badConfiguration(title: string, what: string): Problem {
  return {
    kind: 'bad-configuration',
    title,
    detail: `${what}. ${KEPT}; correct it, then Retry.`,
    actions: ['open-settings', 'retry'],
  };
}

export function keySourceWords(source: KeySource): string {
  return source === 'secret storage' ? "VS Code's secret storage" : source;
}
