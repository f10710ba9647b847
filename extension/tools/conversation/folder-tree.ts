import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { oneLine } from '../../text/one-line.ts';

const MAX_ITEMS = 200;
const MAX_DEPTH = 8;
const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** The contents of a folder as an indented list of at most 200 lines. Links are listed but not followed. */
export async function folderTree(folder: string): Promise<string> {
  const lines: string[] = [];
  await addItems(folder, 0, lines);
  const isCut = lines.length > MAX_ITEMS;
  return [...lines.slice(0, MAX_ITEMS), ...(isCut ? ['… (there is more)'] : [])].join('\n');
}

async function addItems(folder: string, depth: number, lines: string[]): Promise<void> {
  const items = await readdir(folder, { withFileTypes: true });
  for (const item of items.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (lines.length > MAX_ITEMS) return;
    if (SKIPPED.has(item.name)) continue;
    lines.push(`${'  '.repeat(depth)}${oneLine(item.name, 255)}${item.isDirectory() ? '/' : ''}`);
    if (item.isDirectory() && depth < MAX_DEPTH) await addItems(join(folder, item.name), depth + 1, lines);
  }
}
