import * as l10n from '@vscode/l10n';
import { waitingHookProblem } from '../../hooks/hook-catalog.ts';
import type { WaitingHook } from '../../hooks/hooks-in-force.ts';
import type { McpProblem } from '../../mcp/server-definition.ts';
import type { DefinedTogether } from '../config-catalogs.ts';
import type { JsonDocument } from './json-document.ts';
import type { JsonProblem } from './json-problem.ts';
import type { JsonSource } from './json-source.ts';
import { writtenGroups } from './written-hooks.ts';

/** What the runtime reports about a file because of other files: names that are taken, and what requires approval. */
export function sharedProblems(
  source: JsonSource,
  json: JsonDocument,
  { serverProblems, waitingHooks, extensionProblems }: DefinedTogether,
): readonly JsonProblem[] {
  const { path, servers } = source;
  return [
    ...serverProblems.flatMap((problem) =>
      servers && problem.file === path && problem.server !== undefined
        ? serverProblem(problem, [servers.key, problem.server], json)
        : [],
    ),
    ...waitingHooks.flatMap((waiting) => (waiting.hook.file === path ? hookProblem(waiting, json) : [])),
    // A problem without a range is about the extension as a whole.
    ...extensionProblems.flatMap(({ file, line, range, text }): JsonProblem[] =>
      file === path && !range ? [{ kind: 'extension', line, text, severity: 'error' }] : [],
    ),
  ];
}

function serverProblem({ text, waits, other }: McpProblem, path: readonly string[], json: JsonDocument): JsonProblem {
  const place = { ...json.places.problemAt(path, { of: 'key' }), path, text };
  if (waits) return { ...place, kind: 'approval', severity: 'information' };
  const used = other && { file: other.file, line: other.line, text: l10n.t('This definition is used.') };
  return { ...place, kind: 'clash', severity: 'warning', isNeedless: true, ...(used && { other: used }) };
}

function hookProblem(waiting: WaitingHook, json: JsonDocument): JsonProblem {
  const { command, line } = waiting.hook;
  const onLine = writtenGroups(json)
    .filter(({ event }) => event === waiting.event)
    .flatMap(({ hooks }) => hooks.filter((hook) => json.places.lineOf(hook.path) === line));
  // In the files of extensions, commands are written with variables.
  const written = onLine.find((hook) => hook.command?.trim() === command) ?? onLine[0];
  const { range } = written ? json.places.problemAt([...written.path, 'command']) : {};
  return {
    line,
    ...(range && { range }),
    kind: 'approval',
    text: waitingHookProblem(waiting).text,
    severity: 'information',
  };
}
