import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { canonicalFolder } from '../files/real-path.ts';
import { badInput } from './problem-of.ts';

/** The folder to work in, absolute. Rejects with a `ProblemError` if it is none. */
export async function requireFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return;
  const detail = `${path} ${found ? 'is not a folder' : 'does not exist'}. Name a folder with --workspace DIR.`;
  throw badInput('The workspace cannot be opened', detail);
}

/** Without symbolic links, as the current directory has none: a session belongs to a folder, not to a way there. */
export function workspacePath(cwd: string, flag: string | undefined): string {
  return canonicalFolder(resolve(cwd, flag ?? '.'));
}
