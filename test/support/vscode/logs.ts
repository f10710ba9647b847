import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** The text of the matching log files below `folder` that changed since then, each after a line with its path. */
export async function readLogs(folder: string, matching: RegExp, since = new Date(0)): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => matching.test(path))
    .sort(new Intl.Collator('en', { numeric: true }).compare);
  const texts = await Promise.all(
    files.map(async (path) =>
      (await stat(path)).mtime < since ? [] : [`==> ${relative(folder, path)} <==\n${await readFile(path, 'utf8')}`],
    ),
  );
  return texts.flat().join('\n');
}
