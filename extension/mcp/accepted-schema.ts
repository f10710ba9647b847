import { isObject } from '../base/objects.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema keywords that Gemini supports (https://ai.google.dev/api/caching#FunctionDeclaration,
 * parametersJsonSchema).
 */
const KEPT = new Set(['type', 'title', 'minimum', 'maximum', 'minItems', 'maxItems']);
const FORMATS = new Set(['date-time', 'date', 'time', 'int32', 'int64', 'float', 'double']);
/** Keywords that don't restrict values. */
const SILENT = new Set([
  '$schema',
  '$id',
  '$anchor',
  '$comment',
  '$defs',
  'definitions',
  'description',
  'readOnly',
  'writeOnly',
]);

/** Real schemas have a few dozen parts, but references can multiply them. */
const MAX_PARTS = 2000;
const MAX_DEPTH = 20;
const MAX_NOTE = 500;

/**
 * Converts a server's schema to what Gemini accepts: references are inlined, and unsupported keywords are added to the
 * description, where the model can read them, so nothing is lost silently. Arguments are validated with the original
 * schema.
 */
export function acceptedSchema(schema: JsonObject): JsonObject {
  const made = new SchemaWriter(schema).object(schema, 0, []);
  // The arguments of a function are always an object, whatever the schema says.
  return { ...made, type: 'object', properties: isObject(made['properties']) ? made['properties'] : {} };
}

class SchemaWriter {
  private parts = 0;

  constructor(private readonly root: JsonObject) {}

  /** `within` lists the references that are currently being resolved. */
  object(schema: JsonObject, depth: number, within: readonly string[]): JsonObject {
    if (++this.parts > MAX_PARTS || depth > MAX_DEPTH) return { description: 'Too large to be described here.' };
    const { $ref: ref, ...own } = schema;
    if (typeof ref === 'string') return this.referred(ref, own, depth, within);
    const whole = merged(own);
    const notes: string[] = [];
    const made = Object.entries(whole).flatMap(([key, value]) => {
      if (SILENT.has(key)) return [];
      const kept = this.keyword(key, value, depth, within);
      if (kept === undefined) notes.push(`${key}: ${shortJson(value)}`);
      return kept === undefined ? [] : kept;
    });
    return withRequired({ ...Object.fromEntries(made), ...described(whole['description'], notes) });
  }

  private referred(ref: string, own: JsonObject, depth: number, within: readonly string[]): JsonObject {
    const target = ref.startsWith('#') ? pointed(this.root, ref.slice(1)) : undefined;
    const name = ref.split('/').at(-1) ?? ref;
    if (within.includes(ref)) return described(own['description'], [`again as ${name || 'the whole'}`]);
    if (!isObject(target))
      return this.object({ ...own, description: `${own['description'] ?? ''} (${ref})` }, depth, within);
    return this.object({ ...target, ...own }, depth + 1, [...within, ref]);
  }

  /** The entries that replace a keyword. Undefined if only the description can express it. */
  private keyword(
    key: string,
    value: unknown,
    depth: number,
    within: readonly string[],
  ): [string, unknown][] | undefined {
    if (KEPT.has(key)) return [[key, value]];
    const inner = (each: unknown): JsonObject => this.any(each, depth + 1, within);
    switch (key) {
      case 'properties':
        if (!isObject(value)) return undefined;
        return [[key, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inner(each)]))]];
      case 'required':
        return Array.isArray(value) ? [[key, value.filter((name) => typeof name === 'string')]] : undefined;
      case 'items':
        // In older drafts, a list of `items` means `prefixItems`.
        return Array.isArray(value) ? [['prefixItems', value.map(inner)]] : [[key, inner(value)]];
      case 'prefixItems':
        return Array.isArray(value) ? [[key, value.map(inner)]] : undefined;
      case 'anyOf':
      case 'oneOf':
        return Array.isArray(value) && value.length > 0 && depth > 0 ? [['anyOf', value.map(inner)]] : undefined;
      case 'additionalProperties':
        return [[key, typeof value === 'boolean' ? value : inner(value)]];
      case 'enum':
        return isPlainList(value) ? [[key, value]] : undefined;
      case 'const':
        return isPlainList([value]) ? [['enum', [value]]] : undefined;
      case 'format':
        return typeof value === 'string' && FORMATS.has(value) ? [[key, value]] : undefined;
      default:
        return undefined;
    }
  }

  private any(schema: unknown, depth: number, within: readonly string[]): JsonObject {
    if (isObject(schema)) return this.object(schema, depth, within);
    return schema === false ? { description: 'Nothing is accepted here.' } : {};
  }
}

/** Merges the parts of `allOf` into one schema, unless they contradict each other. */
function merged(schema: JsonObject): JsonObject {
  const { allOf, ...own } = schema;
  if (!Array.isArray(allOf) || !allOf.every(isObject)) return schema;
  const parts: JsonObject[] = [own, ...allOf];
  const joined = new Map<string, unknown>();
  for (const [key, value] of parts.flatMap((part) => Object.entries(part))) {
    const known = joined.get(key);
    const both = known === undefined ? value : joinedValue(key, known, value);
    if (both === undefined) return schema;
    joined.set(key, both);
  }
  return Object.fromEntries(joined);
}

function joinedValue(key: string, left: unknown, right: unknown): unknown {
  if (JSON.stringify(left) === JSON.stringify(right)) return left;
  if (key === 'description') return `${left} ${right}`;
  if (key === 'required' && Array.isArray(left) && Array.isArray(right)) return [...new Set([...left, ...right])];
  if (key !== 'properties' || !isObject(left) || !isObject(right)) return undefined;
  const isApart = Object.keys(right).every((name) => !Object.hasOwn(left, name));
  return isApart ? { ...left, ...right } : undefined;
}

/** Gemini refuses a request in which a required property is not described. */
function withRequired(schema: JsonObject): JsonObject {
  const { required, properties } = schema;
  if (!Array.isArray(required)) return schema;
  const known = isObject(properties) ? properties : {};
  const missing = required.filter((name: string) => !Object.hasOwn(known, name));
  const all = Object.fromEntries([...Object.entries(known), ...missing.map((name) => [name, {}])]);
  return { ...schema, properties: all };
}

/** Values that Gemini accepts in an enum. An empty text is not accepted. */
function isPlainList(values: unknown): boolean {
  if (!Array.isArray(values) || values.length === 0) return false;
  const areTexts = values.every((value) => typeof value === 'string' && value !== '');
  return areTexts || values.every((value) => typeof value === 'number');
}

function described(description: unknown, notes: readonly string[]): JsonObject {
  const said = typeof description === 'string' ? description : '';
  const text = [said, notes.length > 0 ? `(${notes.join('; ')})` : ''].filter((part) => part !== '').join(' ');
  return text === '' ? {} : { description: text };
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > MAX_NOTE ? `${text.slice(0, MAX_NOTE)}…` : text;
}

/** The value that a JSON pointer refers to (RFC 6901). */
function pointed(root: unknown, pointer: string): unknown {
  if (pointer === '') return root;
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((at, part) => {
      const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
      if (Array.isArray(at)) return at[Number(key)];
      return isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
    }, root);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
