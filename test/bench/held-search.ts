import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createGrepSearchTool } from '../../extension/tools/search/grep-search.ts';
import { callTool, RIPGREP_HOME } from '../support/search-tool.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createToolContext } from '../support/tool-context.ts';
import { median } from './statistics.ts';

const SEARCHES = 9;

const RULES: Readonly<Record<string, (path: string) => unknown>> = {
  'a file': (path) => writeFile(path, 'dist\n'),
  'a named pipe': (path) => execFileSync('mkfifo', [path]),
  'a link to /dev/zero': (path) => symlink('/dev/zero', path),
};

/** Milliseconds of a search in a small folder with a `.gitignore` below it, by what that is. Only where there are such files. */
export async function measureHeldSearch(): Promise<ReadonlyMap<string, number>> {
  const figures = new Map<string, number>();
  if (process.platform === 'win32') return figures;
  const grep = createGrepSearchTool(RIPGREP_HOME);
  for (const [what, make] of Object.entries(RULES)) {
    const folder = await tempFolder('held-search');
    await mkdir(join(folder.path, 'sub'));
    await writeFile(join(folder.path, 'a.txt'), 'needle\n');
    await make(join(folder.path, 'sub', '.gitignore'));
    const times: number[] = [];
    for (let count = 0; count < SEARCHES; count++) {
      const started = performance.now();
      await callTool(grep, { pattern: 'needle' }, createToolContext([folder.path]));
      times.push(performance.now() - started);
    }
    figures.set(what, median(times));
    await folder.dispose();
  }
  return figures;
}
