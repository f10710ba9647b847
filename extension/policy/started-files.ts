import { createHash, randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { fileStamp } from '../files/file-stamp.ts';
import { contains } from '../files/real-path.ts';
import { openRegularFile, readUpTo } from '../files/regular-file.ts';

/** What is started, and in which folder. */
export interface Started {
  /** Command lines or single arguments, with their variables filled in. */
  readonly texts: readonly string[];
  /** Absolute. Relative names are resolved against it. */
  readonly folder: string;
  /** Absolute. Only files in these folders belong to what was approved. */
  readonly within: readonly string[];
}

/** Programs that read from a file of their own what to start. */
const TOLD_BY: readonly (readonly [programs: RegExp, files: readonly string[]])[] = [
  [/^(?:npm|pnpm|yarn|bun)$/, ['package.json']],
  [/^deno$/, ['deno.json', 'deno.jsonc', 'package.json']],
  [/^g?make$/, ['GNUmakefile', 'makefile', 'Makefile']],
  [/^just$/, ['justfile', '.justfile']],
  [/^(?:uv|poetry|pdm|hatch)$/, ['pyproject.toml']],
];
/** Files that run. Other files that a command names, such as a database or a log, change all the time. */
const SCRIPT =
  /\.(?:[cm]?[jt]sx?|py[cwz]?|sh|bash|zsh|fish|ps1|cmd|bat|exe|com|rb|pl|php|lua|r|jar|wasm|so|dll|dylib)$/i;
/** Files that a program loads when it gets a folder. */
const IN_FOLDERS = ['index.js', 'index.mjs', 'index.cjs', 'index.ts', '__main__.py'];
/** Extensions that can be omitted from a name. */
const ENDINGS = ['.js', '.mjs', '.cjs', '.ts', '.py', '.sh', '.cmd', '.bat', '.ps1'];
/** The limit for a definition: nobody would read one with more words. */
const MOST_WORDS = 1000;
/** The limit for one file. A larger file is not a script. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * The contents of the files that a command names, so that an approval of the command covers what it starts. Files that
 * those files load in turn are not covered.
 */
export class StartedFiles {
  private readonly known = new Map<string, { readonly stamp: string; readonly hash: string }>();

  /** A hash that changes whenever one of the files changes, appears or disappears. Empty if no file is named. */
  async contents({ texts, folder, within }: Started): Promise<string> {
    const words = [...new Set(texts.flatMap(wordsIn))];
    // The user can't have approved a definition that is too long to check.
    if (words.length > MOST_WORDS) return randomUUID();
    const isWithin = (path: string): boolean => within.some((root) => contains(root, path));
    const started = new Set([...firstWords(texts).map((word) => resolve(folder, word)), ...toldBy(words, folder)]);
    const paths = [...new Set([...started, ...words.flatMap((word) => placesOf(word, folder))])].filter(isWithin);
    const hashes = await Promise.all(paths.map((path) => this.hashOf(path, started.has(path) || SCRIPT.test(path))));
    const found = paths.flatMap((path, at) => (hashes[at] === '' ? [] : [[path, hashes[at]]]));
    return found.length === 0 ? '' : sha256(JSON.stringify(found.sort()));
  }

  private async hashOf(path: string, isScript: boolean): Promise<string> {
    const stamp = await fileStamp(path);
    if (stamp === '') return '';
    const key = `${isScript} ${path}`;
    const known = this.known.get(key);
    if (known?.stamp === stamp) return known.hash;
    const hash = await hashOfFile(path, isScript);
    this.known.set(key, { stamp, hash });
    return hash;
  }
}

/** Empty for anything but a file that can be run. */
async function hashOfFile(path: string, isScript: boolean): Promise<string> {
  const real = await realpath(path).catch(() => path);
  const file = await openRegularFile(real);
  if (!file.opened) return file.reason === 'folder' || file.reason === 'missing' || !isScript ? '' : randomUUID();
  try {
    const { mode } = await file.handle.stat({ bigint: true });
    if (!isScript && (mode & 0o111n) === 0n) return '';
    const bytes = await readUpTo(file.handle, file.size, MAX_BYTES);
    return bytes ? sha256(bytes) : randomUUID();
  } finally {
    await file.handle.close();
  }
}

const WORD = /(?:[^\s"'\\;|&()<>`]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/g;

/** The words as a shell would split them, and the words inside: `sh -c "node server.js"`, `--require=./hook.js`. */
function wordsIn(text: string): string[] {
  const outer = (text.match(WORD) ?? []).map((word) => word.replace(/["']|\\(.)/g, '$1'));
  return [text, ...outer, ...outer.flatMap((word) => word.split(/[\s"'=;|&()<>`]+/))].filter(
    (word) => word !== '' && word.length < 4096 && !word.includes('\0'),
  );
}

function placesOf(word: string, folder: string): string[] {
  const path = resolve(folder, word);
  const guessed =
    extname(word) === '' ? [...ENDINGS.map((end) => path + end), ...IN_FOLDERS.map((name) => join(path, name))] : [];
  // `python -m tools.server`
  const module = /^\w+(?:\.\w+)+$/.test(word) ? resolve(folder, ...word.split('.')) : undefined;
  return [path, ...guessed, ...(module === undefined ? [] : [`${module}.py`, join(module, '__main__.py')])];
}

/** The program and its first argument: `bash setup`. */
function firstWords(texts: readonly string[]): string[] {
  const words = texts.slice(0, 2).flatMap((text) => text.match(WORD) ?? []);
  return words.filter((word) => !word.startsWith('-')).slice(0, 2);
}

function toldBy(words: readonly string[], folder: string): string[] {
  const files = TOLD_BY.filter(([programs]) => words.some((word) => programs.test(programOf(word))));
  return files.flatMap(([, names]) => names.map((name) => join(folder, name)));
}

function programOf(word: string): string {
  return basename(word).replace(/\.(?:exe|cmd)$/i, '');
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
