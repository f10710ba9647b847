import type { ConfigDocument } from '../config-document.ts';
import type { JsonKind } from '../document-kind.ts';
import type { LanguageSupport } from '../language.ts';
import type { Workspace } from '../workspace.ts';
import { jsonProblems } from './json-checks.ts';
import { jsonCompletions } from './json-completion.ts';
import { jsonActions } from './json-fixes.ts';
import { jsonHover } from './json-hover.ts';
import { jsonLinks } from './json-links.ts';
import { jsonNames } from './json-names.ts';
import { jsonDiagnostic } from './json-problem.ts';
import { type JsonSource, jsonSource } from './json-source.ts';

/**
 * Settings of Gemini CLI, servers, manifests and hooks. Outline, folding and formatting of JSON are what every editor
 * has already.
 */
export function jsonLanguage(kind: JsonKind): LanguageSupport {
  const sourceOf = ({ path }: ConfigDocument, { options }: Workspace): JsonSource =>
    jsonSource(kind, path, options.roots[0]);
  return {
    problems: async (file, workspace) => {
      const problems = await jsonProblems(file, sourceOf(file, workspace), workspace);
      return problems.map((problem) => jsonDiagnostic(problem, workspace));
    },
    completions: (file, offset, workspace) => jsonCompletions(file, offset, sourceOf(file, workspace), workspace),
    hover: (file, offset, workspace) => jsonHover(file, offset, sourceOf(file, workspace), workspace),
    names: (file) => jsonNames(file, jsonSource(kind, file.path, undefined)),
    actions: (file, range, workspace) => jsonActions(file, range, sourceOf(file, workspace), workspace),
    links: (file, workspace) => jsonLinks(file, sourceOf(file, workspace), workspace),
  };
}
