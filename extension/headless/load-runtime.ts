import type * as Runtime from '../runtime/main.ts';
import { runtimeMissing } from './problem-of.ts';

/** The only place that loads the runtime bundle. It has megabytes, which `--help` and invalid flags don't need. */
export function loadRuntime(): Promise<typeof Runtime> {
  return import('../runtime/main.ts').catch((cause: unknown) => {
    throw runtimeMissing(cause);
  });
}
