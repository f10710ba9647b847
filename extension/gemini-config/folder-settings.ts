import { join } from 'node:path';
import { isObject } from '../base/objects.ts';
import type { FilesRead } from '../files/from-files.ts';
import { readBeginning } from '../files/read-beginning.ts';
import { readJson } from '../text/json-with-comments.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Real settings files have a few KB. */
const MAX_BYTES = 1024 * 1024;

/**
 * Reads `.gemini/settings.json` of a folder without validating it. Empty if the file is missing or invalid; its errors
 * are reported when hooks are read.
 */
export async function folderSettings(folder: string, files: FilesRead): Promise<Fields> {
  const path = join(folder, '.gemini', 'settings.json');
  if ((await files.stamp(path)) === '') return {};
  const read = await readBeginning(path, MAX_BYTES, () => true, files.view.open);
  const json = 'text' in read && !read.isCut ? readJson(read.text) : undefined;
  return json && 'value' in json && isObject(json.value) ? json.value : {};
}
