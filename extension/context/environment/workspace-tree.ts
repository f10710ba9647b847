import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { batches } from '../../base/slices.ts';
import { IgnoreRules } from '../../policy/ignore-rules.ts';
import { looksSecret } from '../../policy/secret-files.ts';
import { oneLine } from '../../text/one-line.ts';

/** The same limit as in Gemini CLI. */
const MAX_ENTRIES = 200;
/** About 500 tokens. Deeper parts are found by searching. */
const MAX_CHARS = 1_700;
const MAX_LEVELS = 4;
/** More than anyone needs to see of one folder; the root says most about a project. */
const MOST_IN_ROOT = 40;
const MOST_IN_FOLDER = 16;
const FEWEST_IN_FOLDER = 4;
/** Limits the work, because it delays the first request: more names than are shown, since some are hidden. */
const MOST_JUDGED = 2 * MOST_IN_FOLDER;
const MOST_JUDGED_IN_ROOT = 100;
const MAX_NAME = 60;
/** Few, because the budget may be spent long before the last folder. */
const OPENED_AT_ONCE = 4;
/** Packages of Java are nested this deep. */
const MOST_NESTED = 8;

/** Folders that say little about a project, even if they are not ignored. */
const NOT_OPENED = /^(?:\..*|node_modules|bower_components|vendor|third_party|dist|build|out|target|__pycache__)$/;
/** Folders at the top with many similar files, of which one level is enough to see. */
const HALF_OPENED =
  /^(?:docs?|examples?|samples?|tests?|__tests__|spec|playground|fixtures|testdata|benchmarks?|i18n|locales?)$/;
/** Where the sources of a project usually are. */
const SOURCES = /^(?:src|lib|app|apps|packages|crates|cmd|internal|pkg|extension|server|client|source)$/;

/** A folder of the tree: its path relative to the root, and its visible entries. */
interface ShownFolder {
  readonly path: string;
  readonly names: readonly string[];
  readonly folders: readonly string[];
  /** Whether there may be more. */
  readonly isCut: boolean;
}

/**
 * The files and folders of a workspace folder, a line for each folder, from the top down within a budget. Ignored and
 * secret files are omitted, and links are not followed. No program is started. Before each batch of folders, this
 * function calls `mayContinue` and awaits the result.
 */
export async function workspaceTree(
  realRoot: string,
  mayContinue: () => Promise<void> | undefined = () => undefined,
): Promise<readonly string[]> {
  const rules = new IgnoreRules(realRoot);
  const lines: string[] = [];
  let entriesLeft = MAX_ENTRIES;
  let charsLeft = MAX_CHARS;
  let level: readonly string[] = [''];
  for (let depth = 0; depth < MAX_LEVELS && level.length > 0; depth++) {
    const most = depth === 0 ? MOST_IN_ROOT : MOST_IN_FOLDER;
    const opened = level.slice(0, Math.max(1, Math.floor(entriesLeft / FEWEST_IN_FOLDER)));
    const share = Math.min(most, Math.max(FEWEST_IN_FOLDER, Math.floor(entriesLeft / opened.length)));
    const next: string[] = [];
    for (const some of batches(opened, OPENED_AT_ONCE)) {
      await mayContinue();
      for (const folder of await Promise.all(some.map((path) => lookInside(realRoot, path, rules)))) {
        next.push(...folder.folders);
        if (folder.names.length === 0) continue;
        const count = Math.min(share, folder.names.length);
        const line = lineOf(folder, count);
        if (entriesLeft < count || charsLeft < line.length) return lines;
        entriesLeft -= count;
        charsLeft -= line.length;
        lines.push(line);
      }
    }
    level = next;
  }
  return lines;
}

function lineOf({ path, names, isCut }: ShownFolder, count: number): string {
  const place = path === '' ? '(top)' : path.split('/').map(plainName).join('/');
  const rest = names.length - count;
  const more = isCut ? ` and more than ${rest} more` : rest > 0 ? ` and ${rest} more` : '';
  return `${place}: ${names.slice(0, count).join(', ')}${more}`;
}

/** A folder that has nothing but another folder is shown as one with it. */
async function lookInside(realRoot: string, path: string, rules: IgnoreRules): Promise<ShownFolder> {
  let shown = await look(realRoot, path, rules);
  for (let nested = 0; nested < MOST_NESTED && path !== '' && shown.names.length === 1; nested++) {
    const [only] = shown.folders;
    if (only === undefined) break;
    shown = await look(realRoot, only, rules);
  }
  return shown;
}

async function look(realRoot: string, path: string, rules: IgnoreRules): Promise<ShownFolder> {
  const [found, judge] = await Promise.all([
    readdir(join(realRoot, path), { withFileTypes: true }).catch(() => []),
    rules.judgeOf(path),
  ]);
  const entries = found
    .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory(), rank: rankOf(entry) }))
    .sort((left, right) => left.rank - right.rank || (left.name < right.name ? -1 : 1))
    .slice(0, path === '' ? MOST_JUDGED_IN_ROOT : MOST_JUDGED)
    .map((entry) => ({ ...entry, relative: path === '' ? entry.name : `${path}/${entry.name}` }));
  const visible = entries.filter(
    ({ name, relative, isFolder }) => !looksSecret(relative) && !judge(name, isFolder).hidden,
  );
  const isLast = HALF_OPENED.test(path);
  return {
    path,
    isCut: found.length > entries.length,
    names: visible.map(({ name, isFolder }) => `${plainName(name)}${isFolder ? '/' : ''}`),
    folders: visible.flatMap(({ name, relative, isFolder }) =>
      isFolder && !isLast && !NOT_OPENED.test(name) ? [relative] : [],
    ),
  };
}

/** Sources first, then other folders, files, and hidden entries: the end of a list may be cut. */
function rankOf(entry: Dirent): number {
  if (entry.name.startsWith('.')) return 3;
  if (!entry.isDirectory()) return 2;
  return SOURCES.test(entry.name) ? 0 : 1;
}

/** A name that could pass for something else in the list is quoted. */
function plainName(name: string): string {
  const line = oneLine(name, MAX_NAME);
  return /^[\w .@+~()[\]{}#$!%&=-]+$/.test(line) ? line : JSON.stringify(line);
}
