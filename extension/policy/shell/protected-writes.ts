import { relative, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { contains, resolveRealPath } from '../../files/real-path.ts';
import { protectedWords } from '../../protocol/words/protected-words.ts';
import { matchesProtected, type ProtectedPlaces, protectedInside, protectedPath } from '../protected-paths.ts';
import type { RunFolder } from '../rules/shell-judge.ts';
import { changedTrees } from './changed-trees.ts';
import { literalWord, type ReadableShell, type SubCommand } from './shell-types.ts';
import {
  enteredIn,
  fromEveryFolder,
  partlyKnownWrites,
  patternWrite,
  targetsIn,
  writesOf,
  writeThroughOwnLink,
} from './shell-writes.ts';
import { mayBeWritten, possiblePaths, unnamedWriter } from './unnamed-writes.ts';

/** The protected file that a line may write. A phrase for people. */
export async function protectedWrite(
  shown: ReadableShell,
  /** Commands that the text of others may contain. */
  possible: readonly SubCommand[],
  folder: RunFolder | undefined,
  places: ProtectedPlaces,
): Promise<string | undefined> {
  const parsed = { ...shown, commands: [...shown.commands, ...possible] };
  const targets = targetsIn(parsed);
  const trees = fromEveryFolder(parsed, changedTrees(parsed)).filter((path) => path !== undefined);
  const written = [...writesOf(parsed, targets), ...trees];
  const others = mayBeWritten(shown);
  const named = others.flatMap(({ value }) => (value === undefined ? [] : possiblePaths(value).map(literalWord)));
  const mentioned = fromEveryFolder(parsed, named).filter((path) => path !== undefined);
  for (const path of [...written, ...mentioned]) {
    const found = protectedPath(path, places) ?? (folder && protectedPath(ledTo(path, folder), places));
    if (found) return l10n.t('{0}, which is {1}', path, protectedWords(found.what));
  }
  const entered = targets.length > 0 ? enteredIn(parsed) : [];
  const partly = partlyKnownWrites([...targets, ...others, ...entered]).find(
    (text) => protectedPath(text, places) ?? matchesProtected(text, places),
  );
  if (partly) return l10n.t('{0}, which is protected', partly);
  const around = trees.find((path) => protectedInside(folder ? ledTo(path, folder) : path, places));
  if (around !== undefined) return inside(around);
  const pattern = patternWrite(targets);
  if (pattern !== undefined) return l10n.t('a change to every file that matches {0}', pattern);
  const writer = unnamedWriter(parsed);
  if (writer !== undefined) return l10n.t('`{0}`, which writes whatever files its input names', writer);
  const through = writeThroughOwnLink(parsed);
  if (through !== undefined) return l10n.t('{0}, which is written through a link that the command makes', through);
  return folder && throughLinks({ written, mentioned, trees }, folder, places);
}

function inside(folder: string): string {
  return l10n.t('everything in {0}, where protected files are', folder);
}

/** More words are text. */
const MAX_MENTIONED = 200;

/** A path may be a link, so the check uses the file that is actually written. */
export async function throughLinks(
  {
    written = [],
    mentioned,
    trees = [],
  }: { written?: readonly string[]; mentioned: readonly string[]; trees?: readonly string[] },
  folder: RunFolder,
  places: ProtectedPlaces,
): Promise<string | undefined> {
  for (const path of new Set([...written, ...mentioned.slice(0, MAX_MENTIONED)])) {
    const named = resolve(folder.path, path.replace(/^~(?=\/|$)/, places.home));
    // NUL marks a path whose links can't be followed, so that it counts as protected.
    const real = await resolveRealPath(named).then(
      (resolved) => resolved.path,
      () => '\0',
    );
    const led = contains(folder.root, real) ? relative(folder.root, real) : real;
    const found = real === named && !path.startsWith('~') ? undefined : protectedPath(led, places);
    if (found) return l10n.t('{0}, which is {1}', path, protectedWords(found.what));
    if (trees.includes(path) && protectedInside(led, places)) return inside(path);
    if (!written.includes(path)) continue;
    const isInside = (at: string): boolean => [folder.root, ...places.roots].some((root) => contains(root, at));
    if (isInside(named) && !isInside(real)) return l10n.t('{0}, a link to a place outside the workspace', path);
  }
  return undefined;
}

/**
 * The resolved path of a command's argument. In the workspace, it is relative to the root, so that names above the root
 * don't count.
 */
function ledTo(path: string, { path: folder, root }: RunFolder): string {
  if (/^~/.test(path)) return path;
  const target = resolve(folder, path);
  return contains(root, target) ? relative(root, target) || '.' : target;
}
