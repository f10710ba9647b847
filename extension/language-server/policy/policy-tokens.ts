import type { TomlEntry, TomlValue } from '../../text/toml-syntax.ts';
import type { ConfigDocument } from '../config-document.ts';
import type { SemanticToken } from '../semantic-tokens.ts';
import { keysOf, type ValueKind } from './policy-keys.ts';
import { policyBlocks } from './policy-syntax.ts';

/** How a text is shown by what it is, where that isn't just a text. */
const TEXTS: Partial<Readonly<Record<ValueKind, SemanticToken['type']>>> = {
  tool: 'function',
  server: 'namespace',
  agent: 'class',
  decision: 'enumMember',
  mode: 'enumMember',
  pattern: 'regexp',
};

/** The parts of a file with what they are, so that clients without a grammar of TOML can colour them too. */
export function policyTokens(file: ConfigDocument): readonly SemanticToken[] {
  return policyBlocks(file).flatMap(({ header, entries, comments }): SemanticToken[] => [
    ...(header?.names ?? []).map(({ start, end }) => ({ type: 'class' as const, start, end })),
    ...entries.flatMap((entry) =>
      tokensOf(entry, header?.names[0]?.text === 'safety_checker' ? 'safety_checker' : 'rule'),
    ),
    ...comments.map(({ start, end }) => ({ type: 'comment' as const, start, end })),
  ]);
}

function tokensOf({ names, value }: TomlEntry, kind: 'rule' | 'safety_checker'): readonly SemanticToken[] {
  const key = names.length === 1 ? names[0]?.text : undefined;
  const values = keysOf(kind)[key ?? '']?.values;
  return [
    ...names.map(({ start, end }) => ({ type: 'property' as const, start, end })),
    ...(value ? valueTokens(value, (values && TEXTS[values]) ?? 'string', kind) : []),
  ];
}

function valueTokens(
  { kind, items, entries, start, end }: TomlValue,
  text: SemanticToken['type'],
  table: 'rule' | 'safety_checker',
): readonly SemanticToken[] {
  switch (kind) {
    case 'list':
      return items.flatMap((item) => valueTokens(item, text, table));
    case 'table':
      return entries.flatMap((entry) => tokensOf(entry, table));
    case 'string':
      return [{ type: text, start, end }];
    case 'number':
    case 'date':
      return [{ type: 'number', start, end }];
    case 'boolean':
      return [{ type: 'keyword', start, end }];
    case 'broken':
      return [];
  }
}
