import type * as A2a from '../a2a/main.ts';
import type * as Acp from '../acp/main.ts';
import type * as Runtime from '../runtime/main.ts';
import { runtimeMissing } from './problem-of.ts';

// Each of these bundles is loaded here and nowhere else, by the commands that need it: `--help` and invalid flags load
// none of their megabytes.

export function loadRuntime(): Promise<typeof Runtime> {
  return import('../runtime/main.ts').catch((cause: unknown) => {
    throw runtimeMissing(cause);
  });
}

/** The server for the editor that started this process. */
export function loadAcp(): Promise<typeof Acp> {
  return import('../acp/main.ts');
}

/** The server for other agents and programs. */
export function loadA2a(): Promise<typeof A2a> {
  return import('../a2a/main.ts');
}
