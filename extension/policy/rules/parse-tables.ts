import * as l10n from '@vscode/l10n';
import { parse } from 'smol-toml';
import type { Span } from '../../text/text-range.ts';
import { type PartFault, type PolicyPart, TABLE_KINDS, type TableKind } from './policy-part.ts';
import { salvage } from './salvage-tables.ts';
import { TablePlaces } from './table-places.ts';

/** One `[[rule]]` or `[[safety_checker]]`, not validated. */
export interface PolicyTable {
  readonly kind: TableKind;
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether values are missing or wrong. */
  readonly isDamaged: boolean;
  readonly damage: readonly PartFault[];
  /** The place of a key or value, or of the nearest part of the table that is there. */
  readonly placeOf: (path: readonly PropertyKey[], what?: 'key' | 'value') => Span;
}

export interface ParsedTables {
  readonly tables: readonly PolicyTable[];
  /** Faults outside of the returned tables. */
  readonly faults: readonly PartFault[];
}

/** Parses the tables of a part. A statement that is invalid is ignored; the rest still counts. */
export function parseTables(part: PolicyPart): ParsedTables {
  try {
    return tablesOf(part, parse(part.text.replaceAll('\r\n', '\n')), []);
  } catch (error) {
    const { document, faults } = salvage(part, error);
    return tablesOf(part, document, faults);
  }
}

function tablesOf(
  { blocks, header, kind: own }: PolicyPart,
  document: Readonly<Record<string, unknown>>,
  damage: readonly PartFault[],
): ParsedTables {
  const tables: PolicyTable[] = [];
  const faults: PartFault[] = [];
  for (const kind of TABLE_KINDS) {
    const value = document[kind];
    if (value === undefined) continue;
    const isList = Array.isArray(value);
    for (const [index, values] of (isList ? value : [value]).entries()) {
      const base = kind === own ? [] : isList ? [kind, index] : [kind];
      let places: TablePlaces | undefined;
      const placeOf: PolicyTable['placeOf'] = (path, what = 'value') => {
        if (header && base.length + path.length === 0) return header;
        places ??= new TablePlaces(blocks, kind === own ? 1 : 0);
        return places.find([...base, ...path], what) ?? header ?? START;
      };
      const wrong = isList && isTable(values) ? [] : [notATable(kind, placeOf([], 'key'), kind === own)];
      if (!isTable(values)) faults.push(...wrong);
      // What is wrong in the text around several tables is reported with the first.
      else {
        const all = [...(tables.length === 0 ? damage : []), ...wrong];
        tables.push({ kind, values, isDamaged: damage.length > 0 || wrong.length > 0, damage: all, placeOf });
      }
    }
  }
  return { tables, faults: tables.length === 0 ? [...damage, ...faults] : faults };
}

const START: Span = { start: 0, end: 0 };

function notATable(kind: TableKind, { start, end }: Span, isHeader: boolean): PartFault {
  const reason = l10n.t('"{0}" has to be a list of tables: write [[{0}]] above each.', kind);
  const instead = isHeader ? { instead: `[[${kind}]]` } : {};
  return { kind: 'schema_validation', severity: 'error', start, end, reason, ...instead };
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
