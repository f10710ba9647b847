import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PageLanguage } from '../../../extension/protocol/panel/page-data.ts';
import { repoRoot } from '../repo.ts';

/** German between marks: text without marks was not translated. Its dates have no Latin letters (`text-locale.ts`). */
export async function markedGerman(): Promise<PageLanguage> {
  const { texts = {} } = await german();
  return {
    tag: 'zh-cn',
    texts: Object.fromEntries(
      Object.entries(texts).map(([key, text]) => [key, key.startsWith('en/') ? 'zh' : marked(text)]),
    ),
  };
}

/**
 * Marks the text but not its placeholders: their values must have marks of their own. The marks are thin to save space.
 */
function marked(text: string): string {
  return text
    .split(/(\{\d+\})/)
    .map((piece) => (/\p{L}/u.test(piece) && !/^\{\d+\}$/.test(piece) ? `‹${piece}›` : piece))
    .join('');
}

export async function german(): Promise<PageLanguage> {
  const folder = join(repoRoot, 'l10n');
  const names = (await readdir(folder)).filter((name) => /\bde\b/.test(name));
  const files = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return { tag: 'de', texts: Object.assign({}, ...files.map((text) => JSON.parse(text))) };
}
