import { isObject } from '../../base/is-object.ts';
import { looksSecret } from '../../policy/secret-files.ts';

/** What files with instructions are called unless somebody says otherwise. */
export const MEMORY_NAMES: readonly string[] = ['GEMINI.md', 'AGENTS.md'];

/** More names would be more looks at every folder. */
const MAX_NAMES = 10;

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

/** What settings of Gemini CLI say about it, unread. */
export function namesIn({ context, contextFileName }: Readonly<Record<string, unknown>>): unknown {
  // The second is where it was in earlier versions.
  return (isObject(context) ? context['fileName'] : undefined) ?? contextFileName;
}

function isName(name: unknown): name is string {
  return typeof name === 'string' && /^(?!\.{1,2}$)[^/\\:\0]{1,100}$/.test(name) && !looksSecret(name);
}
