import { realpath } from 'node:fs/promises';
import { undefinedIfMissing } from './error-code.ts';
import { openRegularFile, readUpTo } from './regular-file.ts';

/** Settings and rules seen in the wild stay below some hundred KB; beyond this it is neither. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * A file with settings or rules. Links are followed, as people link `.geminiignore` to `.gitignore`. Undefined when there
 * is no such file; it throws for one that is there and cannot be read.
 */
export async function readSmallFile(path: string): Promise<string | undefined> {
  const real = await realpath(path).catch(undefinedIfMissing);
  if (real === undefined) return undefined;
  const file = await openRegularFile(real);
  if (!file.opened) throw file.cause ?? new Error(file.reason);
  const bytes = await readUpTo(file.handle, file.size, MAX_BYTES).finally(() => file.handle.close());
  if (!bytes) throw new Error('too large');
  return bytes.toString('utf8');
}
