import { homedir } from 'node:os';
import { definedTogether } from '../config-catalogs.ts';
import type { ConfigDocument } from '../config-document.ts';
import type { Workspace } from '../workspace.ts';
import { hookProgramProblems, matcherProblems } from './hook-checks.ts';
import { hookVariableProblems } from './hook-variables.ts';
import { jsonOf } from './json-document.ts';
import type { JsonFileSource } from './json-file-source.ts';
import type { JsonProblem } from './json-problem.ts';
import { keyProblems, nameProblems } from './name-checks.ts';
import { readProblems } from './read-problems.ts';
import { serverProgramProblems, variableProblems } from './server-checks.ts';
import { sharedProblems } from './shared-problems.ts';
import { searchedFolders } from './started-program.ts';

/** All problems of a file: those that the runtime reports, and those that only its author wants to know. */
export async function jsonProblems(
  file: ConfigDocument,
  source: JsonFileSource,
  workspace: Workspace,
): Promise<readonly JsonProblem[]> {
  const own = readProblems(source, file.text).filter((problem) => !isFoundByClient(problem, source, workspace));
  const json = jsonOf(file);
  if (!json.isValid) return own;
  const defined = await definedTogether(workspace);
  const from = { json, defined };
  const problems = [
    ...own,
    ...keyProblems(source, json),
    ...nameProblems(source, json, from),
    ...(source.hooks
      ? [...matcherProblems(json, from), ...hookVariableProblems(json, workspace.options.variables)]
      : []),
    ...variableProblems(json, source, file.text, workspace.options.variables),
    ...(defined ? sharedProblems(source, json, defined) : []),
    ...(workspace.isTrusted ? await programProblems(file, source, workspace) : []),
  ];
  return problems.sort((left, right) => orderOf(left) - orderOf(right));
}

/** The order in the file. */
function orderOf({ line, range }: JsonProblem): number {
  return line * 100_000 + (range?.column ?? 1);
}

/** VS Code has a schema of its own for the servers of a project, which doesn't say what Gantry ignores. */
function isFoundByClient(problem: JsonProblem, { kind, servers }: JsonFileSource, { options }: Workspace): boolean {
  if (!options.schemas || !problem.foundBySchema) return false;
  return problem.kind === 'json' || kind !== 'servers' || servers?.scope !== 'project';
}

async function programProblems(
  file: ConfigDocument,
  source: JsonFileSource,
  { options }: Workspace,
): Promise<readonly JsonProblem[]> {
  const json = jsonOf(file);
  const searched = searchedFolders(options.path ?? process.env['PATH']);
  const places = { folder: source.folder ?? homedir(), searched };
  const [ofHooks, ofServers] = await Promise.all([
    source.hooks ? hookProgramProblems(json, source, places) : [],
    serverProgramProblems(json, source, places),
  ]);
  return [...ofHooks, ...ofServers];
}
