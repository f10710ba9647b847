import { readFile, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { namedInConfig } from '../policy/named-by-git.ts';
import type { Placeholder } from './placeholders.ts';

/** What of a repository's data commands may change, and what decides which programs Git runs. */
export interface GitPlaces {
  readonly write: readonly string[];
  readonly read: readonly string[];
  /** What would count as soon as it was there. */
  readonly absent: readonly Placeholder[];
}

/** As `absent` these are made and stay harmless: an empty folder of hooks, an empty file of settings. */
const SETTINGS = ['config', 'info', 'hooks', 'modules', 'worktrees', 'gitdir', 'commondir', 'config.worktree'];

/** The data of a repository that lies in `.git` itself: objects, refs, the index and logs stay writable. */
export async function gitFolderPlaces(folder: string): Promise<GitPlaces> {
  const config = await readFile(join(folder, 'config'), 'utf8').catch(() => '');
  return {
    write: [folder],
    read: [...SETTINGS.map((name) => join(folder, name)), ...pathsIn(config, folder)],
    absent: [
      { path: join(folder, 'hooks'), kind: 'folder' },
      { path: join(folder, 'info'), kind: 'folder' },
      { path: join(folder, 'config.worktree'), kind: 'file', text: '' },
      // Git takes settings and hooks from the folder that this file names. "." is what holds without it, except that
      // Git then ignores `core.worktree`.
      ...(/^\s*worktree\s*=/im.test(config)
        ? []
        : [{ path: join(folder, 'commondir'), kind: 'file', text: '.\n' } as const]),
    ],
  };
}

/**
 * A worktree whose data is in the repository it belongs to. The file `.git` could name any folder, so it counts only when
 * that folder knows this worktree: whoever made the folder we are in cannot have written that.
 */
export async function linkedGitPlaces(file: string): Promise<GitPlaces | undefined> {
  try {
    const named = /^gitdir: (.+)$/m.exec(await readFile(file, 'utf8'))?.[1]?.trim() ?? '';
    const own = await realpath(resolve(dirname(file), named));
    const back = (await readFile(join(own, 'gitdir'), 'utf8')).trim();
    if ((await realpath(resolve(own, back))) !== (await realpath(file))) return undefined;
    const common = await realpath(resolve(own, (await readFile(join(own, 'commondir'), 'utf8')).trim()));
    const shared = await gitFolderPlaces(common);
    return {
      write: [...shared.write, own],
      read: [file, ...shared.read, ...['gitdir', 'commondir', 'config.worktree'].map((name) => join(own, name))],
      absent: [...shared.absent, { path: join(own, 'config.worktree'), kind: 'file', text: '' }],
    };
  } catch {
    return undefined;
  }
}

/** Folders of hooks and further settings that the repository's own settings name. */
export async function namedBySettings(folder: string): Promise<readonly string[]> {
  return pathsIn(await readFile(join(folder, 'config'), 'utf8').catch(() => ''), folder);
}

function pathsIn(config: string, folder: string): readonly string[] {
  return namedInConfig(config, folder).map(({ path }) => path);
}
