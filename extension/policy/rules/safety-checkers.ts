import { relative, resolve } from 'node:path';
import { contains, resolveRealPath } from '../../files/real-path.ts';
import type { Circumstances, Decision, PolicyCall } from '../policy-types.ts';
import type { Checker } from './rule-set.ts';

export interface CheckResult {
  readonly decision: Decision;
  /** A clause without a final period. */
  readonly reason: string;
}

const FINE: CheckResult = { decision: 'allow', reason: 'nothing to object to' };

/** Throws if the check fails; the call is then refused. */
export async function runChecker(checker: Checker, call: PolicyCall, { roots }: Circumstances): Promise<CheckResult> {
  if (checker.kind === 'off') return FINE;
  if (checker.kind === 'unusable') {
    return { decision: checker.decision, reason: `there is no checker "${checker.name}"` };
  }
  let result = FINE;
  for (const path of pathsIn(call.args, checker)) {
    const found = await lookAt(path, roots);
    if (found.decision === 'deny') return found;
    if (found.decision === 'ask_user') result = found;
  }
  return result;
}

type PathChecker = Extract<Checker, { kind: 'allowed-path' }>;

const PATH_LIKE = /path|directory|file/i;
const PATH_NAMES: ReadonlySet<string> = new Set(['source', 'destination']);

/** All strings whose argument name says that they are paths, at any depth. */
function pathsIn(value: unknown, checker: PathChecker, key = ''): string[] {
  if (typeof value === 'string') return isPathArgument(key, checker) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((item) => pathsIn(item, checker, key));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => pathsIn(item, checker, name));
}

function isPathArgument(key: string, { included, excluded }: PathChecker): boolean {
  if (excluded.includes(key)) return false;
  return included.includes(key) || PATH_NAMES.has(key) || PATH_LIKE.test(key);
}

const CLOSED: ReadonlySet<string> = new Set(['.git', '.env', 'node_modules']);
const ASKING = '.vscode';

async function lookAt(path: string, roots: readonly string[]): Promise<CheckResult> {
  const [first] = roots;
  if (first === undefined) return { decision: 'deny', reason: 'no folder is open' };
  const folders = await Promise.all(roots.map(async (root) => (await resolveRealPath(root)).path));
  const written = resolve(first, path);
  const { path: real } = await resolveRealPath(written);
  if (!folders.some((folder) => contains(folder, real))) {
    return { decision: 'deny', reason: `"${path}" is outside the workspace` };
  }
  // Also checks the path as written, so that a link can't bypass the check.
  const names = [...namesBelow([...roots, ...folders], written), ...namesBelow(folders, real)];
  const closed = names.find((name) => CLOSED.has(name));
  if (closed !== undefined) return { decision: 'deny', reason: `"${path}" is in ${closed}` };
  if (names.includes(ASKING)) return { decision: 'ask_user', reason: `"${path}" is in ${ASKING}` };
  return FINE;
}

/** The names below the outermost folder that contains the path. The workspace's own location doesn't matter. */
function namesBelow(folders: readonly string[], path: string): string[] {
  const ways = folders.filter((folder) => contains(folder, path)).map((folder) => relative(folder, path));
  return namesIn(ways.reduce((longest, way) => (way.length > longest.length ? way : longest), ''));
}

/** Removes what Windows ignores in a name: a stream after a colon, and trailing dots and spaces. */
function namesIn(path: string): string[] {
  return path.split(/[\\/]/).map((name) => (name.split(':', 1)[0] ?? '').replace(/[. ]+$/, '').toLowerCase());
}
