import type { TableKind } from '../../policy/rules/policy-part.ts';
import { inFile } from '../../text/text-range.ts';
import type { TomlBlock, TomlEntry, TomlValue } from '../../text/toml-syntax.ts';
import type { ConfigDocument } from '../config-document.ts';
import type { SemanticToken } from '../semantic-tokens.ts';
import { keysOf, type ValueKind } from './policy-keys.ts';
import { writtenParts } from './policy-syntax.ts';

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
  return writtenParts(file).flatMap(({ part, offset }) =>
    part.blocks
      .flatMap((block) => tokensIn(block, part.kind ?? 'rule'))
      .map(({ type, ...span }) => ({ type, ...inFile({ offset }, span) })),
  );
}

function tokensIn({ header, entries, comments }: TomlBlock, kind: TableKind): readonly SemanticToken[] {
  return [
    ...(header?.names ?? []).map(({ start, end }) => ({ type: 'class' as const, start, end })),
    ...entries.flatMap((entry) => tokensOf(entry, kind)),
    ...comments.map(({ start, end }) => ({ type: 'comment' as const, start, end })),
  ];
}

function tokensOf({ names, value }: TomlEntry, kind: TableKind): readonly SemanticToken[] {
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
  table: TableKind,
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
