import * as l10n from '@vscode/l10n';
import { hookEnvironment } from '../../hooks/hook-environment.ts';
import { unsetVariables } from '../../mcp/expand-variables.ts';
import { isOwnKey } from '../../processes/shell/clean-environment.ts';
import { placeInText } from './hook-checks.ts';
import type { JsonDocument } from './json-document.ts';
import type { JsonProblem } from './json-problem.ts';
import { type WrittenHook, writtenGroups } from './written-hooks.ts';

/** In PowerShell, such names are variables of the script. */
const HAS_POSIX_SHELL = process.platform !== 'win32';

/** Variables that shells set themselves. */
const OF_SHELLS =
  /^(?:BASH\w*|COLUMNS|DIRSTACK|E?UID|FUNCNAME|GROUPS|HIST\w+|HOSTNAME|HOSTTYPE|IFS|LINENO|LINES|MACHTYPE|OLDPWD|OPTARG|OPTIND|OSTYPE|PIPESTATUS|PPID|PWD|RANDOM|REPLY|SECONDS)$/;
/** Commands that may set any variable, and texts that no shell expands. */
const MAY_SET_ANYTHING = /(?:^|[\s;&|(])(?:\.|source|eval)\s|<</;

/** Variables that hooks don't have. Without a list of those that are set, nothing is known. */
export function hookVariableProblems(json: JsonDocument, variables: readonly string[]): readonly JsonProblem[] {
  if (variables.length === 0 || !HAS_POSIX_SHELL) return [];
  const set = Object.fromEntries(variables.map((name) => [name, '']));
  return writtenGroups(json).flatMap(({ hooks }) => hooks.flatMap((hook) => unsetInHook(hook, json, set)));
}

function unsetInHook(
  { path, command = '', variables }: WrittenHook,
  json: JsonDocument,
  set: Readonly<Record<string, string>>,
): readonly JsonProblem[] {
  if (MAY_SET_ANYTHING.test(command)) return [];
  const own = Object.fromEntries(variables.map((name) => [name, '']));
  const had = hookEnvironment(set, { sessionId: '', folder: '', plansFolder: '' }, own);
  const isSet = (name: string): boolean =>
    Object.hasOwn(had, name) || OF_SHELLS.test(name) || new RegExp(`(?<![\\w$\{])${name}\\b`).test(command);
  const here = [...path, 'command'];
  return unsetVariables(expandedPart(command), isSet).map(({ name, written, offset }): JsonProblem => {
    const place = placeInText(json, here, { start: offset, end: offset + written.length });
    const text =
      isOwnKey(name) && Object.hasOwn(set, name)
        ? l10n.t('Hooks get {0} only if their "env" names it, so {1} becomes empty.', name, written)
        : l10n.t('The environment variable {0} is not set, so {1} becomes empty.', name, written);
    return { ...place, kind: 'variable', path: here, severity: 'warning', text };
  });
}

/** The command with blanks instead of what the shell takes as it is written. */
function expandedPart(command: string): string {
  return command.replace(/\\.|'[^']*'|"(?:\\.|[^"\\])*"/gs, (quoted) =>
    quoted.startsWith('"') ? quoted.replace(/\\./gs, '  ') : ' '.repeat(quoted.length),
  );
}
