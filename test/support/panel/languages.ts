import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getL10nJson } from '@vscode/l10n-dev';
import type { PageLanguage } from '../../../extension/protocol/page-texts.ts';
import { repoRoot } from '../repo.ts';

/** Every text that code in these folders asks for, by its key. */
export async function textsIn(...folders: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const files = await Promise.all(folders.map(sourcesIn));
  const texts = await getL10nJson(files.flat().map((contents) => ({ extension: '.ts', contents })));
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, typeof text === 'string' ? text : text.message]),
  );
}

async function sourcesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(join(repoRoot, folder), { recursive: true });
  const sources = names.filter((name) => name.endsWith('.ts'));
  return Promise.all(sources.map((name) => readFile(join(repoRoot, folder, name), 'utf8')));
}

/** German between marks: what has none did not come from a text. Its dates have no Latin letters. */
export async function markedGerman(): Promise<PageLanguage> {
  const english = await textsIn('webview', 'extension/protocol', 'extension/vscode/replay');
  const texts = { ...english, ...(await german()).texts };
  return {
    tag: 'zh-cn',
    texts: Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, marked(text)])),
  };
}

/** Word by word, not what is put into it: that has to have marks of its own. Thin ones, as they need room. */
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
