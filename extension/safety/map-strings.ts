/** Applies `change` to every string in the value, including keys. Returns the same object if nothing changes. */
export function mapStrings<Value>(value: Value, change: (text: string) => string): Value {
  return mapped(value, change) as Value;
}

function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => mapped(item, change));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (isBlob(value)) return mappedBlob(value, change);
  const entries = Object.entries(value);
  const changed = entries.map(([key, item]) => [change(key), mapped(item, change)] as const);
  const isSame = changed.every(([key, item], index) => key === entries[index]?.[0] && item === entries[index]?.[1]);
  return isSame ? value : Object.fromEntries(changed);
}

interface Blob {
  readonly data: string;
  readonly mimeType: string;
}

/**
 * Whether the value is binary data in the form of the API. Short values may be ordinary text in fields of these names.
 */
function isBlob(value: object): value is Blob {
  const { data, mimeType } = value as Partial<Blob>;
  if (typeof data !== 'string' || typeof mimeType !== 'string') return false;
  return data.length > SHORTEST_BLOB && /^[A-Za-z0-9+/_-]*={0,2}$/.test(data);
}

const SHORTEST_BLOB = 256;
const IS_TEXT = /^text\/|[/+](?:json|xml|yaml|javascript|x-sh)\b/i;

function mappedBlob(blob: Blob, change: (text: string) => string): Blob {
  if (!IS_TEXT.test(blob.mimeType)) return blob;
  const text = Buffer.from(blob.data, 'base64').toString('utf8');
  const changed = change(text);
  return changed === text ? blob : { ...blob, data: Buffer.from(changed, 'utf8').toString('base64') };
}
