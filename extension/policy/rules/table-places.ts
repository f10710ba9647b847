import type { Span } from '../../text/text-range.ts';
import type { TomlBlock, TomlEntry, TomlValue } from '../../text/toml-syntax.ts';

/** A key of a table, or the header of a table inside it, by its full path. */
interface Placed {
  readonly path: readonly string[];
  readonly key: Span;
  readonly value?: TomlValue;
}

/** Finds the places of keys and values by their paths. The first `depth` names of headers don't count. */
export class TablePlaces {
  private readonly byName = new Map<string, Placed[]>();

  constructor(blocks: readonly TomlBlock[], depth: number) {
    for (const { header, entries } of blocks) {
      const above = (header?.names ?? []).slice(depth).map(({ text }) => text);
      if (header) this.add({ path: above, key: header });
      for (const entry of entries) this.add(placedBelow(above, entry));
    }
  }

  /** The place of the value, or of the nearest value around it. Undefined if there is none. */
  find(path: readonly PropertyKey[], what: 'key' | 'value'): Span | undefined {
    for (let length = path.length; length > 0; length--) {
      const found = this.exactly(path.slice(0, length), what);
      if (found) return found;
    }
    return undefined;
  }

  private exactly(path: readonly PropertyKey[], what: 'key' | 'value'): Span | undefined {
    const placed = this.byName.get(String(path[0])) ?? [];
    const around = placed.filter((one) => one.path.every((name, at) => name === String(path[at])));
    const nearest = around.reduce<Placed | undefined>(
      (best, one) => (best && best.path.length >= one.path.length ? best : one),
      undefined,
    );
    const found = nearest && below(nearest, path.slice(nearest.path.length), what);
    // `toolAnnotations.readOnlyHint = true` has no place for the table alone.
    return found ?? placed.find((one) => path.every((name, at) => String(name) === one.path[at]))?.key;
  }

  private add(placed: Placed): void {
    const [name] = placed.path;
    if (name === undefined) return;
    const same = this.byName.get(name);
    if (same) same.push(placed);
    else this.byName.set(name, [placed]);
  }
}

function placedBelow(above: readonly string[], { names, value }: TomlEntry): Placed {
  const [first] = names;
  const key = { start: first?.start ?? 0, end: names.at(-1)?.end ?? 0 };
  return { path: [...above, ...names.map(({ text }) => text)], key, ...(value && { value }) };
}

function below({ key, value }: Placed, path: readonly PropertyKey[], what: 'key' | 'value'): Span | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return what === 'key' ? key : (value ?? key);
  if (typeof name === 'number') {
    const item = value?.items[name];
    return item && below({ key: item, value: item, path: [] }, rest, what);
  }
  const entry = value?.entries.find(({ names }) => names[0]?.text === String(name));
  return entry && below(placedBelow([], entry), rest, what);
}
