/**
 * The text of a call's arguments for matching patterns: JSON with sorted keys, each top-level pair between two NUL
 * characters. JSON escapes a NUL in the data, so `\x00"file_path":"a"\x00` can only be a real argument.
 */
export function stableText(args: unknown): string {
  return textOf(args, new Set(), true);
}

function textOf(value: unknown, ancestors: Set<object>, isTop: boolean): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return JSON.stringify(String(value));
  if (value === null || isOmitted(value)) return 'null';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (ancestors.has(value)) return '"[Circular]"';
  ancestors.add(value);
  try {
    const converted = convert(value);
    if (converted) return textOf(converted.json, ancestors, isTop);
    if (Array.isArray(value)) return `[${value.map((item) => textOf(item, ancestors, false)).join(',')}]`;
    return `{${pairsOf(value, ancestors, isTop).join(',')}}`;
  } finally {
    ancestors.delete(value);
  }
}

function pairsOf(value: object, ancestors: Set<object>, isTop: boolean): string[] {
  const items = value as Readonly<Record<string, unknown>>;
  const edge = isTop ? '\0' : '';
  const pairs: string[] = [];
  // Sorted by code unit, not by locale: the order must be the same on every machine.
  for (const key of Object.keys(items).sort()) {
    const item = items[key];
    if (!isOmitted(item)) pairs.push(`${edge}${JSON.stringify(key)}:${textOf(item, ancestors, false)}${edge}`);
  }
  return pairs;
}

function isOmitted(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol';
}

function convert(value: object): { readonly json: unknown } | undefined {
  if (!('toJSON' in value) || typeof value.toJSON !== 'function') return undefined;
  try {
    return { json: value.toJSON() };
  } catch {
    return undefined;
  }
}
