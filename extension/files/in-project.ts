import { realpath } from 'node:fs/promises';
import { contains } from './real-path.ts';

/** A project cannot bring along what lies elsewhere, whatever links are in it. No where the project itself cannot be found. */
export async function isInProject(root: string, realPath: string): Promise<boolean> {
  return realpath(root).then(
    (folder) => contains(folder, realPath),
    () => false,
  );
}
