import * as z from 'zod';
import { isObject } from '../../base/objects.ts';
import type { JsonPath } from '../../text/json-tree.ts';

/** A JSON schema of draft 7, as far as the readers use it, with what VS Code adds. */
export interface JsonSchema {
  readonly $schema?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  /** Not offered by completion. */
  readonly doNotSuggest?: boolean;
  readonly allowComments?: boolean;
  readonly allowTrailingCommas?: boolean;
}

/** Descriptions by path: names joined by dots, `*` for any name, `[]` for the items of a list. */
export type Descriptions = Readonly<Record<string, string>>;

/** The JSON schema of what a reader accepts. */
export function schemaOf(type: z.ZodType, descriptions: Descriptions = {}): JsonSchema {
  const { $schema, ...schema } = z.toJSONSchema(type, { target: 'draft-7', io: 'input', unrepresentable: 'any' });
  const made = asSchema(schema);
  return Object.entries(descriptions).reduce((described, [path, text]) => {
    return changedAt(described, path.split('.'), (inner) => ({ ...inner, description: text }));
  }, made);
}

function changedAt(
  schema: JsonSchema,
  [step, ...rest]: readonly string[],
  change: (schema: JsonSchema) => JsonSchema,
): JsonSchema {
  if (step === undefined) return change(schema);
  const changed = (inner: JsonSchema): JsonSchema => changedAt(inner, rest, change);
  const { properties, additionalProperties, items, anyOf } = schema;
  if (step === '[]' && items) return { ...schema, items: changed(items) };
  if (step === '*' && typeof additionalProperties === 'object')
    return { ...schema, additionalProperties: changed(additionalProperties) };
  const property = properties && Object.hasOwn(properties, step) ? properties[step] : undefined;
  if (property) return { ...schema, properties: { ...properties, [step]: changed(property) } };
  return anyOf ? { ...schema, anyOf: anyOf.map((one) => changedAt(one, [step, ...rest], change)) } : schema;
}

/** What the library makes has the shape of a schema, but a type of its own, and `oneOf` for unions with a fixed key. */
function asSchema(made: unknown): JsonSchema {
  const withAnyOf = JSON.parse(JSON.stringify(made), (_, value: unknown) => {
    if (!isObject(value) || !Array.isArray(value['oneOf'])) return value;
    const { oneOf: anyOf, ...rest } = value;
    return { ...rest, anyOf };
  });
  return isObject(withAnyOf) ? withAnyOf : {};
}

/** The schemas that a value at this path has to fit. There are several where one of them is enough. */
export function schemasAt(schema: JsonSchema, path: JsonPath): readonly JsonSchema[] {
  const alternatives = [schema, ...(schema.anyOf ?? [])];
  const [step, ...rest] = path;
  if (step === undefined) return alternatives;
  return alternatives.flatMap(({ properties, additionalProperties, items }) => {
    const named = properties && Object.hasOwn(properties, step) ? properties[step] : undefined;
    const others = typeof additionalProperties === 'object' ? additionalProperties : undefined;
    const inner = typeof step === 'number' ? items : (named ?? others);
    return inner ? schemasAt(inner, rest) : [];
  });
}
