import { onceEach } from '../../base/once.ts';
import type { ConfigDocument } from '../config-document.ts';
import type { NameUse } from '../names.ts';
import { entryOf, type WrittenTable, writtenTables, writtenTexts } from './policy-syntax.ts';

/** The keys whose texts are names that other files define. */
const KINDS = [
  ['toolName', 'tool'],
  ['mcpName', 'server'],
  ['subagent', 'agent'],
] as const;

/** What rules are about: tools, servers and agents. */
export const policyNames = onceEach((file: ConfigDocument): readonly NameUse[] =>
  writtenTables(file).flatMap((table) => namesIn(table, file.text)),
);

function namesIn(table: WrittenTable, source: string): readonly NameUse[] {
  return KINDS.flatMap(([key, kind]) =>
    writtenTexts(source, entryOf(table, key)?.value).flatMap(({ text, inner, start }): NameUse[] => {
      // In a text with escapes, a part of the name can't be found.
      if (text === '' || source.slice(inner.start, inner.end) !== text) return [];
      return [{ kind, name: text, ...inner, ...(source[start] === '"' && { write: escaped }) }];
    }),
  );
}

function escaped(name: string): string {
  return JSON.stringify(name).slice(1, -1);
}
