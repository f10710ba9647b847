import { isObject } from '../base/objects.ts';
import type { ClientTool } from '../ports/tool.ts';
import { malformed } from './errors.ts';

/** All of them are sent with every request, and the model takes 512 tools in total. */
const MOST_TOOLS = 128;
/** For the name, description and schema of one tool, and of all of them. */
const MOST_CHARS = { one: 32_000, all: 400_000 };
/** A name for the model has up to 63 characters, and `mcp_tools_` is part of it. */
const NAME = /^[A-Za-z0-9_.:-]{1,53}$/;
const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);

/** Reads `metadata.clientTools`: the tools that run in the client. Throws if one of them cannot be offered. */
export function clientTools(given: unknown): ClientTool[] {
  if (!Array.isArray(given)) throw malformed('"clientTools" is a list of tools.');
  const names = new Set<string>();
  let chars = 0;
  return given.map((each: unknown, index) => {
    const { name, description = '', parameters = {} }: Readonly<Record<string, unknown>> = isObject(each) ? each : {};
    if (typeof name !== 'string') throw malformed(`The client tool ${index + 1} has no name.`);
    const refused = (why: string): Error => malformed(`The client tool "${name.slice(0, 100)}" ${why}.`);
    if (!NAME.test(name)) throw refused('needs a name of up to 53 letters, digits and the characters _ . : -');
    if (names.has(name)) throw refused('is listed twice');
    names.add(name);
    if (index >= MOST_TOOLS) throw refused(`is one too many: a session has up to ${MOST_TOOLS}`);
    if (typeof description !== 'string' || description.trim() === '') throw refused('needs a description');
    const fault = isObject(parameters) ? schemaFault(parameters, '') : 'is not an object';
    if (fault !== undefined) throw refused(`has a schema that is not valid: "parameters" ${fault}`);
    if (!isObject(parameters) || (parameters['type'] ?? 'object') !== 'object') {
      throw refused('has a schema that is not valid: its arguments are an object');
    }
    const size = description.length + JSON.stringify(parameters).length;
    chars += size;
    if (size > MOST_CHARS.one || chars > MOST_CHARS.all) throw refused('is too long, or all of them together are');
    return { name, description, parameters };
  });
}

/** Keywords by what their value has to be. Unknown keywords are allowed, as JSON Schema says. */
const SCHEMAS = new Set(['items', 'additionalProperties', 'not', 'contains', 'propertyNames', 'if', 'then', 'else']);
const SCHEMA_MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
const SCHEMA_LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const TEXTS = new Set(['$ref', '$schema', '$id', 'title', 'description', 'format', 'pattern']);
const SIZES = new Set(['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties']);
const NUMBERS = new Set(['minimum', 'maximum', 'multipleOf']);

/** What is wrong with a JSON Schema, such as `properties/age/type is not a type`; undefined if it is valid. */
function schemaFault(schema: unknown, at: string): string | undefined {
  if (typeof schema === 'boolean') return undefined;
  if (!isObject(schema)) return `${at} is not a schema`.trim();
  for (const [key, value] of Object.entries(schema)) {
    const fault = keywordFault(key, value, at === '' ? key : `${at}/${key}`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function keywordFault(key: string, value: unknown, at: string): string | undefined {
  const first = (entries: readonly (readonly [string, unknown])[]): string | undefined =>
    entries.map(([name, each]) => schemaFault(each, `${at}/${name}`)).find((fault) => fault !== undefined);
  if (SCHEMA_MAPS.has(key)) return isObject(value) ? first(Object.entries(value)) : `${at} is not an object`;
  // In older drafts, `items` can be a list.
  if (SCHEMA_LISTS.has(key) || (key === 'items' && Array.isArray(value))) {
    return Array.isArray(value) ? first(value.map((each, index) => [String(index), each])) : `${at} is not a list`;
  }
  if (SCHEMAS.has(key)) return schemaFault(value, at);
  if (TEXTS.has(key)) return typeof value === 'string' ? undefined : `${at} is not a text`;
  if (NUMBERS.has(key)) return typeof value === 'number' ? undefined : `${at} is not a number`;
  if (SIZES.has(key)) return Number.isInteger(value) && Number(value) >= 0 ? undefined : `${at} is not a whole number`;
  if (key === 'enum') return Array.isArray(value) ? undefined : `${at} is not a list`;
  if (key === 'required') {
    const isNames = Array.isArray(value) && value.every((name) => typeof name === 'string');
    return isNames ? undefined : `${at} is not a list of names`;
  }
  if (key !== 'type') return undefined;
  const types: readonly unknown[] = Array.isArray(value) ? value : [value];
  return types.every((type) => TYPES.has(String(type))) ? undefined : `${at} is not a type`;
}
