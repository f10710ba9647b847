import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ownValue } from '../../base/objects.ts';
import { isMissing } from '../../files/error-code.ts';

/** Sections of a repository's configuration that can't make git run a program, fetch, or read elsewhere. */
const HARMLESS: Readonly<Record<string, ReadonlySet<string> | 'any'>> = {
  core: new Set(
    `repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol safecrlf
    quotepath longpaths abbrev`.split(/\s+/),
  ),
  remote: new Set('url pushurl fetch push prune tagopt gh-resolved'.split(' ')),
  branch: 'any',
  user: 'any',
  pull: 'any',
};

const SECTION = /^[ \t]*\[([A-Za-z]+)(?:[ \t]+"[^"\\\r]*")?\][ \t]*$/;
const SETTING = /^[ \t]*([A-Za-z][A-Za-z0-9-]*)[ \t]*(?:=[^\\\r]*)?$/;
const NOTHING = /^[ \t]*(?:[#;][^\r]*)?$/;

/** With one of these files, git reads another repository, or runs a program after reading the files. */
const LEADS_ELSEWHERE = ['commondir', 'objects/info/alternates', 'hooks/post-index-change'];

/**
 * The files that the repository of a folder tracks. Undefined unless reading it with git certainly runs no program and
 * stays inside of it. A folder brings its own `.git`, so its content is as hostile as a model: `core.fsmonitor`,
 * drivers, filters, pagers and hooks name programs, and submodules have their own settings.
 */
export async function plainRepository(folder: string): Promise<readonly IndexEntry[] | undefined> {
  const git = join(folder, '.git');
  try {
    if (!(await lstat(git)).isDirectory() || !isRepositoryHead(await readFile(join(git, 'HEAD'), 'latin1')))
      return undefined;
    for (const name of LEADS_ELSEWHERE) if (!(await isAbsent(join(git, name)))) return undefined;
    if (!isHarmless(await readFile(join(git, 'config'), 'latin1'))) return undefined;
    const index = await readFile(join(git, 'index')).catch((error) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    return index === undefined ? [] : indexEntries(index);
  } catch {
    return undefined;
  }
}

/** Git ignores a folder that it doesn't recognize as a repository and searches for another one. */
function isRepositoryHead(text: string): boolean {
  return /^(?:ref: refs\/|[0-9a-f]{40}\s*$)/.test(text);
}

/** Checks line by line. A line that git might read differently is not harmless. */
function isHarmless(config: string): boolean {
  let keys: ReadonlySet<string> | 'any' | undefined;
  return config.split(/\r?\n/).every((line) => {
    if (NOTHING.test(line)) return true;
    const section = SECTION.exec(line)?.[1];
    if (section !== undefined) {
      keys = ownValue(HARMLESS, section.toLowerCase());
      return keys !== undefined;
    }
    const key = SETTING.exec(line)?.[1]?.toLowerCase();
    return key !== undefined && (keys === 'any' || keys?.has(key) === true);
  });
}

async function isAbsent(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return false;
  } catch (error) {
    if (isMissing(error)) return true;
    throw error;
  }
}

interface IndexEntry {
  readonly mode: number;
  /** Relative to the root of the repository, each byte as one character (Latin-1). */
  readonly path: string;
}

/** Modes of files, executable files and links. Other modes are submodules, and folders that are not checked out. */
const FILE_MODES: ReadonlySet<number> = new Set([0o100644, 0o100755, 0o120000]);

const HEADER = 12;
const MODE_AT = 24;
const FLAGS_AT = 60;
const NAME_AT = 62;
const HASH = 20;
/** The flag of an entry with two more bytes of flags. */
const EXTENDED = 0x4000;

/**
 * The entries of a git index in format 2 or 3 (gitformat-index(5)). Undefined if the index lists anything but files or
 * can't be read reliably.
 */
function indexEntries(index: Buffer): readonly IndexEntry[] | undefined {
  if (index.length < HEADER + HASH || index.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = index.readUInt32BE(4);
  if (version !== 2 && version !== 3) return undefined;
  const count = index.readUInt32BE(8);
  const end = index.length - HASH;
  const entries: IndexEntry[] = [];
  let at = HEADER;
  while (entries.length < count) {
    if (at + NAME_AT > end) return undefined;
    const mode = index.readUInt32BE(at + MODE_AT);
    const name = at + NAME_AT + (index.readUInt16BE(at + FLAGS_AT) & EXTENDED ? 2 : 0);
    const nameEnd = index.indexOf(0, name);
    if (!FILE_MODES.has(mode) || nameEnd < 0 || nameEnd > end) return undefined;
    entries.push({ mode, path: index.toString('latin1', name, nameEnd) });
    // Entries are padded with one to eight zeros, so that each starts at a multiple of eight bytes after the first.
    at += (nameEnd - at + 8) & ~7;
  }
  return hasOnlyOptionalExtensions(index, at, end) ? entries : undefined;
}

/** An extension with a lowercase name changes the meaning of the entries: a shared or a sparse index. */
function hasOnlyOptionalExtensions(index: Buffer, start: number, end: number): boolean {
  let at = start;
  while (at + 8 <= end) {
    if (!/^[A-Z]/.test(index.toString('latin1', at, at + 4))) return false;
    at += 8 + index.readUInt32BE(at + 4);
  }
  return at === end;
}
