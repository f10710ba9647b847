import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ownValue } from '../../base/objects.ts';
import { isMissing } from '../../files/error-code.ts';
import { type IndexEntry, indexEntries } from './git-index.ts';

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
