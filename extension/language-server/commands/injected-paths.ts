import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import * as l10n from '@vscode/l10n';
import { guardPath } from '../../files/path-guard.ts';
import { IgnoreRules } from '../../policy/ignore-rules.ts';
import { looksSecret } from '../../policy/secret-files.ts';
import { guardForReading } from '../../tools/files/tool-path.ts';
import type { Workspace } from '../workspace.ts';

/** What `@{path}` leads to when the command is used. */
export type InjectedPath =
  | { readonly path: string; readonly isFolder: boolean; readonly size: number }
  | { readonly problem: string };

/** Checks a path like the runtime, without reading the file. */
export async function injectedPath(path: string, { options }: Workspace): Promise<InjectedPath> {
  const context = {
    workspace: { roots: () => options.roots, isTrusted: () => true },
    readableFolders: [],
    isNamedByUser: () => false,
  };
  const guarded = await guardPath(path, options.roots);
  const isFolder = guarded.allowed && ((await statOf(guarded.path))?.isDirectory() ?? false);
  const found = await guardForReading(path, context, { isFolder });
  if (!found.ok) return { problem: found.failed.error?.message ?? '' };
  const stats = await statOf(found.guarded.path);
  if (!stats) return { problem: l10n.t('There is no file or folder {0}.', found.label) };
  if (!stats.isFile() && !stats.isDirectory()) return { problem: l10n.t('{0} is not a regular file.', found.label) };
  return { path: found.guarded.path, isFolder: stats.isDirectory(), size: stats.size };
}

async function statOf(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}

export interface ProposedPath {
  readonly name: string;
  readonly isFolder: boolean;
}

/** More than a list shows. */
const MAX_PROPOSED = 500;

/** The files and folders beside a path that somebody has begun to write, as far as an agent may read them. */
export async function pathsBeside(written: string, { options }: Workspace): Promise<readonly ProposedPath[]> {
  const [root] = options.roots;
  const folder = written.includes('/') ? written.slice(0, written.lastIndexOf('/') + 1) : './';
  const guarded = await guardPath(folder, options.roots);
  if (root === undefined || !guarded.allowed) return [];
  const rules = new IgnoreRules(guarded.realRoot);
  const inRoot = relative(guarded.realRoot, guarded.path).split(sep).join('/');
  const isHidden = await rules.judgeOf(inRoot);
  const items = await readdir(guarded.path, { withFileTypes: true }).catch(() => []);
  return items
    .filter((item) => item.isFile() || item.isDirectory())
    .filter((item) => !isHidden(item.name, item.isDirectory()).hidden && !looksSecret(join(inRoot, item.name)))
    .slice(0, MAX_PROPOSED)
    .map((item) => ({ name: item.name, isFolder: item.isDirectory() }));
}
