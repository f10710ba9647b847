import * as l10n from '@vscode/l10n';
import { onceEach } from '../../base/once.ts';
import { inFile } from '../../text/text-range.ts';
import type { ConfigDocument } from '../config-document.ts';
import { type NameUse, RenameRefused } from '../names.ts';
import { textsUnder, type WrittenTable, writtenTables } from './policy-syntax.ts';

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
    textsUnder(table, key).flatMap((written): NameUse[] => {
      const { text, inner } = written;
      // In a text with escapes, a part of the name can't be found.
      if (text === '' || table.source.slice(inner.start, inner.end) !== text) return [];
      const write = table.source[written.start] === "'" ? literal : escaped;
      return [{ kind, name: text, ...inFile(table, inner), write }];
    }),
  );
}

function escaped(name: string): string {
  return JSON.stringify(name).slice(1, -1);
}

function literal(name: string): string {
  if (name.includes("'")) throw new RenameRefused(l10n.t('"{0}" can\'t be written in single quotes.', name));
  return name;
}
