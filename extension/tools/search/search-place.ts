import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { type AllowedPath, guardPath, type RefusedPath } from '../../files/path-guard.ts';
import { contains } from '../../files/real-path.ts';
import { IgnoreRules, type RespectedRules, type Visibility } from '../../policy/ignore-rules.ts';
import type { ToolContext, ToolErrorType } from '../../ports/tool.ts';
import { didYouMean } from '../files/similar-paths.ts';
import { ERROR_OF_REFUSAL } from '../files/tool-path.ts';
import { pathLabel } from '../path-label.ts';

/** A folder or file that may be searched. */
export interface SearchPlace {
  /** Real and absolute. */
  readonly path: string;
  /** The same place below the root, as the user opened it. */
  readonly editorPath: string;
  readonly isFile: boolean;
  readonly realRoot: string;
  /** Relative to `realRoot`, with forward slashes. Empty for the root itself. */
  readonly relativePath: string;
  /** The user named it in a message, so it may be searched even if it is hidden. */
  readonly isNamed: boolean;
  /** Ignore rules hide it, but the user named it. */
  readonly isExempt: boolean;
  /** Folders in it that are separate places, relative to `path`, with forward slashes. */
  readonly excluded: readonly string[];
  /** The label of the place or of something in it, by its path relative to `realRoot`. */
  label(relativePath: string): string;
  /** Whether ignore rules hide something in it, by its path relative to `realRoot`. */
  judge(relativePath: string, isFolder?: boolean): Promise<Visibility>;
}

export interface PlaceFailure {
  readonly type: ToolErrorType;
  readonly message: string;
}

export type FoundPlaces = { readonly places: readonly SearchPlace[] } | { readonly failed: PlaceFailure };

export interface PlaceOptions {
  readonly respected: RespectedRules;
  /** How the model can turn off the rules, for the message about a hidden folder. */
  readonly override: string;
}

/** The places to search: `dirPath`, or every open folder without it. Only the workspace and readable folders. */
export async function findPlaces(
  dirPath: string | undefined,
  context: ToolContext,
  options: PlaceOptions,
): Promise<FoundPlaces> {
  const roots = context.workspace.roots();
  if (dirPath === undefined && roots.length > 0) return findRoots(roots, context, options);
  const guarded = await guard(dirPath ?? '.', context);
  if (!guarded.allowed) return { failed: { type: ERROR_OF_REFUSAL[guarded.reason], message: guarded.message } };
  const place = await placeAt(guarded, context, options);
  return 'failed' in place ? place : { places: [place] };
}

/** Whether the place is still the one that was checked. A link that replaced it would lead elsewhere. */
export async function isUnchanged({ path }: SearchPlace): Promise<boolean> {
  return realpath(path).then(
    (real) => real === path,
    () => false,
  );
}

/** The labels of the places, for use in a sentence. */
export function placesText(places: readonly SearchPlace[]): string {
  const names = places.map((place) => place.label(place.relativePath)).join(', ');
  return names === '.' ? 'the workspace' : names;
}

async function findRoots(roots: readonly string[], context: ToolContext, options: PlaceOptions): Promise<FoundPlaces> {
  const found = new Map<string, SearchPlace>();
  let failed: PlaceFailure = { type: 'search_path_not_found', message: 'The open folders are not there any more.' };
  for (const root of roots) {
    const guarded = await guardPath(root, roots);
    if (!guarded.allowed) continue;
    const place = await placeAt({ ...guarded, isBesides: false }, context, options);
    if ('failed' in place) failed = place.failed;
    else found.set(place.path, place);
  }
  const places = [...found.values()];
  return places.length === 0 ? { failed } : { places: places.map((place) => withInner(place, places)) };
}

/** If one open folder contains another, files of the inner one are only found there. */
function withInner(place: SearchPlace, all: readonly SearchPlace[]): SearchPlace {
  const inner = all.filter((other) => other.path !== place.path && contains(place.path, other.path));
  return { ...place, excluded: inner.map((other) => toSlashes(relative(place.path, other.path))) };
}

type Guarded = AllowedPath & { readonly isBesides: boolean };

/** Tries the workspace first, then other readable folders, which only absolute paths can reach. */
async function guard(path: string, { workspace, readableFolders }: ToolContext): Promise<Guarded | RefusedPath> {
  const inWorkspace = await guardPath(path, workspace.roots());
  if (inWorkspace.allowed) return { ...inWorkspace, isBesides: false };
  const besides = isAbsolute(path) ? await guardPath(path, readableFolders) : inWorkspace;
  return besides.allowed ? { ...besides, isBesides: true } : inWorkspace;
}

async function placeAt(
  guarded: Guarded,
  context: ToolContext,
  { respected, override }: PlaceOptions,
): Promise<SearchPlace | { readonly failed: PlaceFailure }> {
  const { path, editorPath, realRoot, relativePath } = guarded;
  const roots = context.workspace.roots();
  const label = (inRoot: string): string =>
    guarded.isBesides ? join(realRoot, inRoot) : pathLabel({ ...guarded, relativePath: inRoot }, roots);
  const name = label(relativePath);
  const stats = await stat(path).catch(() => undefined);
  if (!stats) {
    const meant = await didYouMean(guarded, context, 'any');
    return failure(
      'search_path_not_found',
      `There is no ${name}. ${meant || 'List the folder above it with list_directory.'}`,
    );
  }
  const isFile = stats.isFile();
  if (!isFile && !stats.isDirectory())
    return failure('search_path_not_a_directory', `${name} is neither a file nor a folder.`);

  const rules = new IgnoreRules(realRoot);
  const verdict = await judgePlace(rules, relativePath, isFile, respected);
  const isNamed = relativePath !== '' && context.isNamedByUser(relativePath);
  const isOffLimits = !isFile && verdict.hidden && verdict.by === 'git_folder';
  if (verdict.hidden && (isOffLimits || !isNamed))
    return failure('invalid_tool_params', hiddenMessage(name, verdict, override));
  const counted = verdict.hidden ? { git: false, gemini: false } : respected;
  const judge: SearchPlace['judge'] = (inRoot, isFolder) => rules.judge(inRoot, isFolder, counted);
  return {
    path,
    editorPath,
    isFile,
    realRoot,
    relativePath,
    isNamed,
    isExempt: verdict.hidden,
    excluded: [],
    label,
    judge,
  };
}

/** A folder whose own rules are unreadable hides everything in it. */
async function judgePlace(
  rules: IgnoreRules,
  relativePath: string,
  isFile: boolean,
  respected: RespectedRules,
): Promise<Visibility> {
  const verdict = await rules.judge(relativePath, !isFile, respected);
  if (verdict.hidden || isFile) return verdict;
  const inside = await rules.judge(relativePath === '' ? 'file' : `${relativePath}/file`, false, respected);
  return inside.hidden && inside.by === 'unreadable_rules' ? inside : verdict;
}

function failure(type: ToolErrorType, message: string): { readonly failed: PlaceFailure } {
  return { failed: { type, message } };
}

function hiddenMessage(name: string, { by, source }: Extract<Visibility, { hidden: true }>, override: string): string {
  if (by === 'git_folder') return `${name} belongs to Git's own data, which is off limits. Use git commands instead.`;
  if (by === 'unreadable_rules')
    return `${name} was not looked into: the ignore rules in ${source} could not be checked.`;
  return `${name} is hidden by ${source}. ${by === 'geminiignore' ? 'Continue without it, or ask the user to name it.' : override}`;
}

function toSlashes(path: string): string {
  return path.split(sep).join('/');
}
