import { onceEach } from '../../base/once.ts';
import type { ConfigDocument } from '../config-document.ts';
import type { NameUse } from '../names.ts';
import { inFile, textsUnder, type WrittenTable, writtenTables } from './policy-syntax.ts';

/** The keys whose texts are names that other files define. */
const KINDS = [
  ['toolName', 'tool'],
  ['mcpName', 'server'],
  ['subagent', 'agent'],
] as const;

/** What rules are about: tools, servers and agents. */
export const policyNames = onceEach((file: ConfigDocument): readonly NameUse[] => writtenTables(file).flatMap(namesIn));

function namesIn(table: WrittenTable): readonly NameUse[] {
  return KINDS.flatMap(([key, kind]) =>
    textsUnder(table, key).flatMap(({ text, inner, start }): NameUse[] => {
      // In a text with escapes, a part of the name can't be found.
      if (text === '' || table.source.slice(inner.start, inner.end) !== text) return [];
      return [{ kind, name: text, ...inFile(table, inner), ...(table.source[start] === '"' && { write: escaped }) }];
    }),
  );
}

function escaped(name: string): string {
  return JSON.stringify(name).slice(1, -1);
}
