import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Schema, Validator } from '@cfworker/json-schema';
import { isObject } from '../../extension/base/objects.ts';
import { repoRoot } from './repo.ts';

/** The published schema of ACP 1. */
const file = join(repoRoot, 'node_modules/@agentclientprotocol/sdk/schema/v1/schema.json');
const definitions = closed((JSON.parse(readFileSync(file, 'utf8')) as { readonly $defs: Schema }).$defs) as Schema;

/**
 * Whether an agent may write this message: it has the method and the fields that the schema says, and no others. The SDK's
 * client checks responses.
 */
export function isOfAcp(message: unknown): boolean {
  if (!isObject(message) || message['jsonrpc'] !== '2.0') return false;
  const { method, params } = message;
  if (method === undefined) return true;
  const name = Object.keys(definitions).find((each) => {
    const { 'x-method': of, 'x-side': side } = definitions[each];
    return of === method && side === 'client' && /(Request|Notification)$/.test(each);
  });
  if (name === undefined) return false;
  return new Validator({ $defs: definitions, $ref: `#/$defs/${name}` }, '2020-12').validate(params).valid;
}

/** The schema without room for other fields, but in `_meta` and in values of any type. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (!isObject(schema)) return schema;
  const entries = Object.entries(schema).map(([key, value]) => [
    key,
    key === 'properties' ? fields(value) : closed(value),
  ]);
  return Object.fromEntries(entries);
}

function fields(properties: unknown): unknown {
  const all = Object.entries(isObject(properties) ? properties : {});
  return Object.fromEntries(
    all.map(([name, schema]) => [name, name === '_meta' ? schema : withoutOthers(closed(schema))]),
  );
}

function withoutOthers(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const { items } = schema;
  const isTyped = ['$ref', 'allOf', 'anyOf', 'oneOf', 'properties'].some((key) => key in schema);
  return {
    ...schema,
    ...(isTyped && { unevaluatedProperties: false }),
    ...(isObject(items) && { items: withoutOthers(items) }),
  };
}
