import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../../files/error-code.ts';
import { FileFailure, failureReason } from '../../files/file-failure.ts';
import { openRegularFile, readUpTo } from '../../files/regular-file.ts';
import type { PolicyProblem } from './rule-set.ts';

export interface FoundPolicyFile {
  readonly path: string;
  readonly text: string;
}

export interface FoundPolicyFiles {
  readonly files: readonly FoundPolicyFile[];
  readonly problems: readonly PolicyProblem[];
}

/** Room for some thousand rules. No person writes a longer file. */
const MAX_FILE_BYTES = 1024 * 1024;

/** Reads the `.toml` files of a folder, sorted by name. Ignores links and folders. A missing folder has no files. */
export async function readPolicyFolder(folder: string): Promise<FoundPolicyFiles> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const names = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.toml')).map(({ name }) => name);
    return await readAll(names.sort().map((name) => join(folder, name)));
  } catch (error) {
    return isMissing(error) ? { files: [], problems: [] } : unreadable(folder, error);
  }
}

/** Reads a file or folder that the user named. It must exist. */
export async function readPolicyPath(path: string): Promise<FoundPolicyFiles> {
  try {
    if ((await stat(path)).isDirectory()) return await readPolicyFolder(path);
    return path.endsWith('.toml') ? await readAll([path]) : unreadable(path, 'its name does not end with .toml');
  } catch (error) {
    return unreadable(path, isMissing(error) ? 'there is no such file or folder' : error);
  }
}

async function readAll(paths: readonly string[]): Promise<FoundPolicyFiles> {
  const found = await Promise.all(paths.map(readOne));
  return { files: found.flatMap(({ files }) => files), problems: found.flatMap(({ problems }) => problems) };
}

async function readOne(path: string): Promise<FoundPolicyFiles> {
  try {
    const file = await openRegularFile(await realpath(path));
    if (!file.opened) return unreadable(path, file.cause ?? new FileFailure(file.reason));
    const bytes = await readUpTo(file.handle, file.size, MAX_FILE_BYTES).finally(() => file.handle.close());
    if (!bytes) return unreadable(path, 'it is longer than 1 MB');
    // Keeps the byte order mark, so that the text represents the exact bytes.
    return {
      files: [{ path, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }],
      problems: [],
    };
  } catch (error) {
    return unreadable(path, error);
  }
}

function unreadable(file: string, cause: unknown): FoundPolicyFiles {
  const why = failureReason(cause);
  const problem: PolicyProblem = {
    kind: 'file_read',
    severity: 'error',
    file,
    reason: `It could not be read: ${why}.`,
  };
  return { files: [], problems: [problem] };
}
