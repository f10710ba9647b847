import { join } from 'node:path';
import { isObject } from '../base/objects.ts';
import { fileStamp } from '../files/file-stamp.ts';
import { readBeginning } from '../files/read-beginning.ts';
import { readJson } from '../text/json-with-comments.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Real settings files have a few KB. */
const MAX_BYTES = 1024 * 1024;

/**
 * Reads `.gemini/settings.json` of folders without validating it. Each file is parsed once, and again after a change.
 */
export class FolderSettings {
  private readonly known = new Map<string, { readonly stamp: string; readonly fields: Promise<Fields> }>();

  /** Empty if the file is missing or invalid. Its errors are reported when hooks are read. */
  async of(folder: string): Promise<Fields> {
    const path = join(folder, '.gemini', 'settings.json');
    const stamp = await fileStamp(path);
    if (stamp === '') return {};
    const known = this.known.get(folder);
    if (known?.stamp === stamp) return known.fields;
    const fields = readFields(path);
    this.known.set(folder, { stamp, fields });
    return fields;
  }
}

async function readFields(path: string): Promise<Fields> {
  const read = await readBeginning(path, MAX_BYTES);
  const json = 'text' in read && !read.isCut ? readJson(read.text) : undefined;
  return json && 'value' in json && isObject(json.value) ? json.value : {};
}
