import { basename, dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Diagnostic } from 'vscode-languageserver-types';
import type { AgentProblem } from '../../agents/agent-definition.ts';
import { readOpenAgents } from '../../agents/agent-files.ts';
import type { ReadAgents } from '../../agents/read-agent.ts';
import { onceEach } from '../../base/once.ts';
import type { McpProblem } from '../../mcp/server-definition.ts';
import { namesLike } from '../../text/nearest-names.ts';
import { inFile, LineIndex, type Span } from '../../text/text-range.ts';
import { configCatalogs, extensionPlaces, isInstalled } from '../config-catalogs.ts';
import type { ConfigDocument } from '../config-document.ts';
import { type ReadProblem, toDiagnostic } from '../diagnostics.ts';
import { entriesIn, type Matter, matterOf, textsIn } from '../front-matter/matter.ts';
import { hasFreeKeys, keysIn, schemasFor } from '../front-matter/yaml-schema.ts';
import type { Workspace } from '../workspace.ts';
import { agentServerProblems } from './agent-servers.ts';
import { agentSchemasOf } from './agent-texts.ts';
import { unsetVariable } from './agent-variables.ts';

/** The agents in a document, read alone. */
export const agentsIn = onceEach(({ text, path }: ConfigDocument): ReadAgents => readOpenAgents(text, path));

export async function agentDiagnostics(file: ConfigDocument, workspace: Workspace): Promise<readonly Diagnostic[]> {
  const [read, state] = [await readProblems(file, workspace), await stateProblems(file, workspace)];
  const servers = agentServerProblems(file, await originOf(file.path, workspace));
  const matter = matterOf(file);
  const more = matter?.root ? [...ignoredKeys(file, matter), ...unsetVariables(file, matter, workspace)] : [];
  return [...read, ...servers.map(ofServer), ...state, ...more].map(toDiagnostic);
}

function ofServer({ text, line, range }: McpProblem): ReadProblem {
  return { text, kind: 'server', line, severity: 'warning', ...(range && { range }) };
}

/** What the catalog reports about the file, or the reader if the catalog doesn't know the file. */
async function readProblems(file: ConfigDocument, workspace: Workspace): Promise<readonly AgentProblem[]> {
  const catalog = await configCatalogs(workspace)?.agentCatalog();
  const known = catalog?.problems.filter((problem) => problem.file === file.path && !problem.ofSettings) ?? [];
  return known.length > 0 ? known : agentsIn(file).problems;
}

/** Agents that are read without a problem, and still can't be used. */
async function stateProblems(file: ConfigDocument, workspace: Workspace): Promise<readonly ReadProblem[]> {
  const listed =
    (await configCatalogs(workspace)?.agentCatalog())?.listed().filter((agent) => agent.file === file.path) ?? [];
  const { agents, names } = agentsIn(file);
  return listed.flatMap(({ definition, unusable }): ReadProblem[] => {
    if (!unusable || unusable.reason === 'shadowed') return [];
    const range = names[agents.findIndex(({ name }) => name === definition.name)];
    const { reason: kind, text } = unusable;
    return [{ text, kind, severity: 'information', ...(range && { range }) }];
  });
}

/** Whose file it is, by its place. */
async function originOf(path: string, workspace: Workspace): Promise<Parameters<typeof agentServerProblems>[1]> {
  const folder = dirname(dirname(path));
  if (isInstalled(path) || (await extensionPlaces(workspace)).includes(folder)) {
    const manifest = join(folder, 'gemini-extension.json');
    return { scope: 'extension', extension: { name: basename(folder), folder, manifest, contextFiles: [] } };
  }
  const root = dirname(folder);
  return root === workspace.options.home ? { scope: 'user' } : { scope: 'project', root };
}

/** Real front matter has some dozen keys. */
const MAX_CHECKED = 500;

/** The reader ignores unknown keys of servers and logins without a word. */
function ignoredKeys(file: ConfigDocument, matter: Matter): readonly ReadProblem[] {
  const { root } = matter;
  if (!root) return [];
  return [...entriesIn(root)].slice(0, MAX_CHECKED).flatMap(({ path, entry }): ReadProblem[] => {
    const around = path.slice(0, -1);
    // At the top, unknown keys are errors.
    if (around.every((step) => typeof step === 'number')) return [];
    const schemas = schemasFor(agentSchemasOf(root), around, root);
    const keys = keysIn(schemas);
    if (keys.size === 0 || hasFreeKeys(schemas) || keys.has(entry.name)) return [];
    const [like] = namesLike(entry.name, keys.keys(), 1);
    const text =
      like === undefined
        ? l10n.t('The key "{0}" has no effect here.', entry.name)
        : l10n.t('The key "{0}" has no effect here. Did you mean "{1}"?', entry.name, like);
    return [{ text, kind: 'ignored-key', severity: 'warning', range: rangeIn(file, matter, entry.key) }];
  });
}

/** Without the list of names, nothing is known about variables. */
function unsetVariables(file: ConfigDocument, matter: Matter, { options }: Workspace): readonly ReadProblem[] {
  const set = new Set(options.variables);
  if (!matter.root || set.size === 0) return [];
  return [...textsIn(matter.root)].flatMap(({ path, node, text }): ReadProblem[] => {
    const name = unsetVariable(path, text, set);
    if (name === undefined) return [];
    const range = rangeIn(file, matter, node);
    return [
      {
        text: l10n.t('The environment variable {0} is not set.', name),
        kind: 'unset-variable',
        severity: 'warning',
        range,
      },
    ];
  });
}

function rangeIn({ text }: ConfigDocument, matter: Matter, span: Span): ReturnType<LineIndex['rangeOf']> {
  return new LineIndex(text).rangeOf(inFile(matter, span));
}
