import type { Span } from '../../text/text-range.ts';
import { scanTomlPart, type TomlHeader, type TomlPart } from '../../text/toml-syntax.ts';
import type { RuleProblemKind } from './rule-set.ts';

export const TABLE_KINDS = ['rule', 'safety_checker'] as const;
export type TableKind = (typeof TABLE_KINDS)[number];

/** A part of a policy file that is read by itself: a table with the tables inside it, or text between such tables. */
export interface PolicyPart extends TomlPart {
  readonly text: string;
  /** The header. Absent from text before the first one. */
  readonly header: TomlHeader | undefined;
  /** The kind of table, unless it is another text. */
  readonly kind: TableKind | undefined;
}

/** Something wrong at a place of a part. */
export interface PartFault extends Span {
  readonly kind: RuleProblemKind;
  readonly severity: 'error' | 'warning';
  readonly reason: string;
  /** The text that was probably meant. */
  readonly instead?: string;
}

/** Finds the part that begins with this line. */
export function scanPolicyPart(text: string, from: number): PolicyPart {
  const part = scanTomlPart(text, from, (first, next) => {
    const kind = first && kindOf(first);
    return kind !== undefined && kind === kindOf(next) && next.names.length > 1;
  });
  const header = part.blocks[1]?.header;
  return { ...part, text: text.slice(from, from + part.length), header, kind: header && kindOf(header) };
}

function kindOf({ names }: TomlHeader): TableKind | undefined {
  return TABLE_KINDS.find((kind) => kind === names[0]?.text);
}
