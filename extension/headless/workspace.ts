import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { badInput } from './problem-of.ts';

/** The folder to work in, absolute. Rejects with a `ProblemError` if it is none. */
export async function requireFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return;
  const detail = `${path} ${found ? 'is not a folder' : 'does not exist'}. Name a folder with --workspace DIR.`;
  throw badInput('The workspace cannot be opened', detail);
}

export function workspacePath(cwd: string, flag: string | undefined): string {
  return resolve(cwd, flag ?? '.');
}
