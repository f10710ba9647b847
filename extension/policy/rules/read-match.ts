import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import type { Decision } from '../policy-types.ts';
import { qualifiedName, SHELL_TOOL } from './known-tools.ts';
import type { Pattern } from './linear-pattern.ts';
import { type Compiled, compileCommandPattern, compilePattern, prefixPattern } from './safe-pattern.ts';
import type { FieldFault, ruleFields } from './table-fields.ts';

type Fields = Pick<
  z.infer<ReturnType<typeof ruleFields>>,
  'toolName' | 'mcpName' | 'argsPattern' | 'commandPrefix' | 'commandRegex'
>;

export interface Patterns {
  /** Each pattern becomes a rule. Undefined matches all arguments. */
  readonly patterns: readonly (Pattern | undefined)[];
  readonly faults: readonly FieldFault[];
}

/** Tool names as rules match them: with the server's name in front if there is one. */
export function toolNamesOf({ toolName, mcpName }: Fields): string[] {
  const names = toolName === undefined ? [] : [toolName].flat();
  return mcpName === undefined ? names : names.map((name) => qualifiedName(mcpName, name));
}

/** Several kinds of patterns are a mistake, but each counts, because a rule that refuses must not lose one. */
export function patternsOf(fields: Fields, decision: Decision | undefined): Patterns {
  const { argsPattern, commandPrefix, commandRegex } = fields;
  const compiled: (Compiled & Pick<FieldFault, 'path'>)[] = [];
  if (argsPattern) compiled.push({ path: ['argsPattern'], ...compilePattern(argsPattern) });
  for (const [index, prefix] of [commandPrefix ?? []].flat().entries()) {
    const path = Array.isArray(commandPrefix) ? ['commandPrefix', index] : ['commandPrefix'];
    compiled.push({ path, ...compilePattern(prefixPattern(prefix, decision)) });
  }
  if (commandRegex !== undefined) {
    compiled.push({ path: ['commandRegex'], ...compileCommandPattern(commandRegex, decision) });
  }
  const faults = compiled.flatMap((entry): FieldFault[] =>
    'fault' in entry ? [{ field: String(entry.path[0]), path: entry.path, reason: entry.fault }] : [],
  );
  const patterns = compiled.flatMap((entry) => ('pattern' in entry ? [entry.pattern] : []));
  if (faults.length > 0) return { patterns: [undefined], faults };
  const isEmptyList = Array.isArray(fields.commandPrefix) && fields.commandPrefix.length === 0;
  return { patterns: patterns.length === 0 && !isEmptyList ? [undefined] : patterns, faults };
}

/** `commandPrefix` and `commandRegex` are only for the shell tool, and a rule can have only one kind of pattern. */
export function commandFaults({ toolName, argsPattern, commandPrefix, commandRegex }: Fields): FieldFault[] {
  if (commandPrefix === undefined && commandRegex === undefined) return [];
  const field = commandPrefix === undefined ? 'commandRegex' : 'commandPrefix';
  if (toolName !== undefined && toolName !== SHELL_TOOL) {
    return [{ field, path: [field], reason: l10n.t('works only with toolName = "{0}"', SHELL_TOOL) }];
  }
  const other = argsPattern !== undefined ? 'argsPattern' : 'commandRegex';
  if (argsPattern === undefined && (commandPrefix === undefined || commandRegex === undefined)) return [];
  return [{ field, path: [field], reason: l10n.t('cannot be combined with {0}', other) }];
}
