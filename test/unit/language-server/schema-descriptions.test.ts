import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { agentJsonSchemas } from '../../../extension/language-server/agents/agent-texts.ts';
import { configSchemas } from '../../../extension/language-server/json/config-schemas.ts';
import { type JsonSchema, schemaOf, schemasAt } from '../../../extension/language-server/json/json-schema.ts';
import { keysOf } from '../../../extension/language-server/policy/policy-keys.ts';
import { skillSchema } from '../../../extension/language-server/skills/skill-keys.ts';
import { checkerFields, ruleFields } from '../../../extension/policy/rules/table-fields.ts';

describe('Keys that editors complete', () => {
  const schemas: readonly (readonly [what: string, schema: JsonSchema])[] = [
    ['agents', agentJsonSchemas().local],
    ['remote agents', agentJsonSchemas().remote],
    ['skills', skillSchema()],
    ['rules', explained(schemaOf(ruleFields()), 'rule')],
    ['safety checkers', explained(schemaOf(checkerFields()), 'safety_checker')],
    ...Object.entries(configSchemas()).map(([kind, schema]) => [`JSON files: ${kind}`, schema] as const),
  ];
  for (const [what, schema] of schemas) {
    it(`are explained: those of ${what}`, () => assert.deepEqual(unexplained(schema, ''), []));
  }

  it('are those that the reader of policy files knows, with lists where it wants lists', () => {
    for (const [kind, fields] of [
      ['rule', ruleFields()],
      ['safety_checker', checkerFields()],
    ] as const) {
      for (const path of [[], ['checker'], ['checker', 'config']]) {
        const keys = keysOf(kind, path);
        const [schema = {}] = schemasAt(schemaOf(fields), path);
        assert.deepEqual(Object.keys(keys).sort(), Object.keys(schema.properties ?? {}).sort());
        for (const [name, { list }] of Object.entries(keys)) {
          const types = schemasAt(schema, [name]).map(({ type }) => type);
          const expected = types.includes('array') ? (types.includes('string') ? 'may' : 'must') : undefined;
          assert.equal(list, expected, `${kind}: ${name}`);
        }
      }
    }
  });
});

/** A schema of a table of policy files, with what editors say about its keys. */
function explained(schema: JsonSchema, kind: 'rule' | 'safety_checker', path: readonly string[] = []): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, inner]) => {
    const description = keysOf(kind, path)[name]?.about();
    const described = explained(inner, kind, [...path, name]);
    return [name, { ...described, ...(description !== undefined && { description }) }] as const;
  });
  return { ...schema, ...(schema.properties && { properties: Object.fromEntries(properties) }) };
}

/** The keys without a description, by their paths. */
function unexplained(schema: JsonSchema, path: string): readonly string[] {
  const { properties = {}, additionalProperties, items, anyOf = [] } = schema;
  const named = Object.entries(properties).flatMap(([name, inner]) => {
    const here = path === '' ? name : `${path}.${name}`;
    return [...(inner.description ? [] : [here]), ...unexplained(inner, here)];
  });
  const others = typeof additionalProperties === 'object' ? unexplained(additionalProperties, `${path}.*`) : [];
  const alternatives = anyOf.flatMap((one) => unexplained(one, path));
  return [...named, ...others, ...(items ? unexplained(items, `${path}.[]`) : []), ...alternatives];
}
