import { isObject } from '../../base/objects.ts';
import type { YamlNode } from '../../text/yaml-tree.ts';
import type { JsonSchema } from '../json/json-schema.ts';
import type { YamlPath } from './yaml-cursor.ts';

/** The schemas that a value at this path can have, by what is written in and around it. */
export function schemasFor(
  schemas: readonly JsonSchema[],
  path: YamlPath,
  node: YamlNode | undefined,
): readonly JsonSchema[] {
  const [step, ...rest] = path;
  const alternatives = schemas.flatMap((schema) => [schema, ...(schema.anyOf ?? [])]);
  const fitting = alternatives.filter((schema) => fits(schema, node, step));
  if (step === undefined) return fitting;
  const inner = fitting.flatMap((schema) => innerSchema(schema, step) ?? []);
  const next = typeof step === 'number' ? node?.items[step] : node?.entries.find(({ name }) => name === step)?.node;
  return schemasFor(inner, rest, next);
}

function innerSchema(
  { properties, additionalProperties, items }: JsonSchema,
  step: string | number,
): JsonSchema | undefined {
  if (typeof step === 'number') return items;
  if (properties && Object.hasOwn(properties, step)) return properties[step];
  return isObject(additionalProperties) ? additionalProperties : undefined;
}

/**
 * Whether the keys with a fixed value have that value, as far as they are written: `type: oauth` has other keys. The key
 * that is asked for may get another value.
 */
function fits(
  { properties = {} }: JsonSchema,
  node: YamlNode | undefined,
  asked: string | number | undefined,
): boolean {
  return Object.entries(properties).every(([name, inner]) => {
    if (name === asked) return true;
    const written = node?.entries.find((entry) => entry.name === name)?.node.value;
    return inner.const === undefined || !isWritten(written) || written === inner.const;
  });
}

function isWritten(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** The keys of an object, with their schemas. */
export function keysIn(schemas: readonly JsonSchema[]): ReadonlyMap<string, JsonSchema> {
  const keys = new Map<string, JsonSchema>();
  for (const { properties = {} } of schemas) {
    // The first of several schemas describes a key.
    for (const [key, schema] of Object.entries(properties)) keys.set(key, keys.get(key) ?? schema);
  }
  return keys;
}

/** Whether an object may have any keys. */
export function hasFreeKeys(schemas: readonly JsonSchema[]): boolean {
  return schemas.some(({ properties, additionalProperties }) => isObject(additionalProperties) && !properties);
}

export function isRequiredKey(schemas: readonly JsonSchema[], key: string): boolean {
  return schemas.some(({ required = [] }) => required.includes(key));
}

/** The values to choose from, if the schema lists them. */
export function listedValues(schemas: readonly JsonSchema[]): readonly string[] {
  const values = schemas.flatMap((schema) => {
    if (schema.const !== undefined) return [schema.const];
    return schema.enum ?? (schema.type === 'boolean' ? [true, false] : []);
  });
  return [...new Set(values.map(String))];
}

export function isOfType(schemas: readonly JsonSchema[], type: string): boolean {
  return schemas.some((schema) => schema.type === type || (Array.isArray(schema.type) && schema.type.includes(type)));
}
