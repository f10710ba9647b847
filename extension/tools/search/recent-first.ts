import { lstat } from 'node:fs/promises';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Asking for the time of each file would take longer than the answer is worth. */
export const MOST_DATED_FILES = 20_000;

export interface DatedFile {
  readonly name: string;
  readonly modifiedAt: number;
}

/** What was changed in the last day comes first, the newest before the others; the rest in the order of names. */
export function recentFirst(files: readonly DatedFile[], now: number): string[] {
  const isRecent = (file: DatedFile): boolean => now - file.modifiedAt < DAY_MS;
  const byName = (left: DatedFile, right: DatedFile): number => (left.name < right.name ? -1 : 1);
  const recent = files
    .filter(isRecent)
    .sort((left, right) => right.modifiedAt - left.modifiedAt || byName(left, right));
  const others = files.filter((file) => !isRecent(file)).sort(byName);
  return [...recent, ...others].map(({ name }) => name);
}

/** Undefined for a file that is gone by now. */
export async function dated(name: string, path: string): Promise<DatedFile | undefined> {
  return lstat(path).then(
    ({ mtimeMs }) => ({ name, modifiedAt: mtimeMs }),
    () => undefined,
  );
}
