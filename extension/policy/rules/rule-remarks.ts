import * as l10n from '@vscode/l10n';
import type { PolicyTable } from './parse-tables.ts';
import type { PartFault } from './policy-part.ts';

/** Tools that the gate of plan mode refuses, whatever rules say. */
export const REFUSED_IN_PLANS: ReadonlySet<string> = new Set(['rename_symbol', 'stop_background_process']);

/** What a person might want to know about a table that is read without problems: parts of it have no effect. */
export function remarksOn({ values, placeOf }: PolicyTable, unknown: readonly string[]): readonly PartFault[] {
  const remark = (path: readonly string[], what: 'key' | 'value', reason: string): PartFault => {
    const { start, end } = placeOf(path, what);
    return { kind: 'no_effect', severity: 'hint', start, end, path, reason };
  };
  const { toolName, commandPrefix, modes } = values;
  const named = [toolName].flat();
  const isForPlans = Array.isArray(modes) && modes.length > 0 && modes.every((mode) => mode === 'plan');
  const isRefused = named.length > 0 && named.every((name) => typeof name === 'string' && REFUSED_IN_PLANS.has(name));
  return [
    ...unknown.map((key) => remark([key], 'key', l10n.t('The key "{0}" has no effect here.', key))),
    ...(isEmptyList(toolName)
      ? [remark(['toolName'], 'value', l10n.t('An empty list names no tool, so this never decides.'))]
      : []),
    ...(isEmptyList(commandPrefix)
      ? [remark(['commandPrefix'], 'value', l10n.t('An empty list names no command, so this never decides.'))]
      : []),
    ...(isEmptyList(modes) ? [remark(['modes'], 'value', l10n.t('An empty list means every mode.'))] : []),
    ...(isForPlans && isRefused && values['mcpName'] === undefined
      ? [
          remark(
            ['modes'],
            'value',
            l10n.t('Plan mode refuses {0}, whatever rules say, so this changes nothing.', named.join(', ')),
          ),
        ]
      : []),
  ];
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
