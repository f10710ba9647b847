import { join } from 'node:path';
import { readJson } from '../../policy/json-with-comments.ts';
import { looksSecret } from '../../policy/secret-files.ts';
import { isObject } from '../../protocol/is-object.ts';
import { readBeginning } from '../../tools/files/read-beginning.ts';

/** What files with instructions are called unless somebody says otherwise. */
export const MEMORY_NAMES: readonly string[] = ['GEMINI.md', 'AGENTS.md'];

/** More names would be more looks at every folder. */
const MAX_NAMES = 10;
const MAX_SETTINGS_BYTES = 1024 * 1024;

/**
 * The names that count: those of the first source that has any. A name is one of a file, not a path, and none that secrets
 * have: the folder itself may say what its files are called.
 */
export function chooseNames(...sources: readonly unknown[]): readonly string[] {
  for (const source of sources) {
    const names = (Array.isArray(source) ? source : [source]).filter(isName);
    if (names.length > 0) return [...new Set(names)].slice(0, MAX_NAMES);
  }
  return MEMORY_NAMES;
}

/** `context.fileName` of a folder's settings of Gemini CLI, unread; undefined where it says nothing, or nothing readable. */
export async function namesInSettings(folder: string): Promise<unknown> {
  const read = await readBeginning(join(folder, '.gemini', 'settings.json'), MAX_SETTINGS_BYTES);
  const json = 'text' in read && !read.isCut ? readJson(read.text) : undefined;
  const settings = json && 'value' in json ? json.value : undefined;
  if (!isObject(settings)) return undefined;
  const { context } = settings;
  // Where it was in earlier versions.
  return (isObject(context) ? context['fileName'] : undefined) ?? settings['contextFileName'];
}

function isName(name: unknown): name is string {
  return typeof name === 'string' && /^(?!\.{1,2}$)[^/\\:\0]{1,100}$/.test(name) && !looksSecret(name);
}
