import type { Problem } from '../protocol/problem.ts';

export const RUNTIME_MISSING: Problem = {
  kind: 'runtime-missing',
  title: 'The agent could not be started',
  detail: 'Your text is back in the input. Reload the window; if that does not help, install Gantry again.',
  actions: ['show-log'],
};
