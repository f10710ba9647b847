import fc from 'fast-check';
import { configSchemas, type SchemaKind } from '../../../extension/language-server/json/config-schemas.ts';
import type { JsonSchema } from '../../../extension/language-server/json/json-schema.ts';

/** Values and names that mean something somewhere, and some that mean nothing anywhere. */
const TEXTS = fc.constantFrom(
  'docs',
  'mine',
  'node',
  './server.sh',
  'write_file',
  'mcp_docs_*',
  'run_shell_command(rm)',
  'generalist',
  'flash',
  'startup',
  'https://example.test/mcp',
  '$HOME/$GEMINI_API_KEY',
  `\${input:key} \${env:HOME}`,
  '1.0.0',
  '../secret.md',
  'ftp://x',
  '(',
  'true',
  ' ',
  '',
);
const NAMES = fc.constantFrom(
  'docs',
  'mine',
  'generalist',
  'a b',
  'colour',
  'BeforeTol',
  'enabled',
  '',
  '__proto__',
  'x\u200By',
);
const ANYTHING = fc.constantFrom<unknown>(null, true, 0, -1, 2.5, 'x', '', [], {}, [5], { a: 1 });
/** Sections with readers of their own. In others, hardly anything can be wrong. */
const OFTEN = [
  'hooks',
  'hooksConfig',
  'mcpServers',
  'servers',
  'mcp',
  'agents',
  'modelConfigs',
  'tools',
  'security',
  'admin',
  'name',
  'version',
];

/** Texts of such files: mostly what the readers accept, and everything wrong in some of them. */
export function wildConfig(kind: SchemaKind): fc.Arbitrary<string> {
  const indentation = fc.constantFrom<number | undefined>(undefined, 1, 2);
  const damage = fc.option(fc.tuple(fc.nat(), fc.constantFrom('', ',', '"', '{', '}', '//', '\n')), { freq: 8 });
  return fc.tuple(wildValue(configSchemas()[kind]), indentation, damage).map(([value, spaces, damaged]) => {
    const text = JSON.stringify(value, undefined, spaces) ?? '';
    if (!damaged) return text;
    const at = damaged[0] % (text.length + 1);
    return text.slice(0, at) + damaged[1] + text.slice(at + 1);
  });
}

/** Values that fit a schema, and some that don't. */
export function wildValue(schema: JsonSchema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: fitting(schema) }, { weight: 1, arbitrary: ANYTHING });
}

function fitting(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(fitting));
  const types = schema.type === undefined ? [] : [schema.type].flat();
  return types.length === 0 ? fc.oneof(TEXTS, ANYTHING) : fc.oneof(...types.map((type) => ofType(type, schema)));
}

function ofType(type: string, schema: JsonSchema): fc.Arbitrary<unknown> {
  switch (type) {
    case 'object':
      return wildObject(schema);
    case 'array':
      return fc.array(wildValue(schema.items ?? {}), { maxLength: 2 });
    case 'boolean':
      return fc.boolean();
    case 'number':
    case 'integer':
      return fc.constantFrom(1, 2, 1000, 0.5);
    case 'null':
      return fc.constant(null);
    default:
      return TEXTS;
  }
}

function wildObject({ properties = {}, additionalProperties, required = [] }: JsonSchema): fc.Arbitrary<unknown> {
  const names = Object.keys(properties);
  const often = names.filter((name) => OFTEN.includes(name));
  const others = typeof additionalProperties === 'object' ? additionalProperties : {};
  const one = (name: string): fc.Arbitrary<[string, unknown]> => {
    const inner = Object.hasOwn(properties, name) ? properties[name] : others;
    return fc.tuple(fc.constant(name), wildValue(inner ?? {}));
  };
  const some =
    names.length === 0 ? fc.constant<string[]>([]) : fc.uniqueArray(fc.constantFrom(...names), { maxLength: 3 });
  const more = often.length === 0 ? fc.constant<string[]>([]) : fc.subarray(often);
  const extra = fc.array(NAMES, { maxLength: names.length === 0 ? 3 : 1 });
  const needed = fc.subarray([...required], { minLength: Math.max(0, required.length - 1) });
  return fc
    .tuple(some, more, extra, needed)
    .chain((chosen) => fc.tuple(...[...new Set(chosen.flat())].map(one)))
    .map((entries) => Object.fromEntries(entries));
}
