import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { agentJsonSchemas } from '../../../extension/language-server/agents/agent-texts.ts';
import type { JsonSchema } from '../../../extension/language-server/json/json-schema.ts';

describe('Keys that editors complete', () => {
  const schemas: readonly (readonly [what: string, schema: JsonSchema])[] = [
    ['agents', agentJsonSchemas().local],
    ['remote agents', agentJsonSchemas().remote],
  ];
  for (const [what, schema] of schemas) {
    it(`are explained: those of ${what}`, () => assert.deepEqual(unexplained(schema, ''), []));
  }
});

/** The keys without a description, by their paths. */
function unexplained(schema: JsonSchema, path: string): readonly string[] {
  const { properties = {}, additionalProperties, items, anyOf = [] } = schema;
  const named = Object.entries(properties).flatMap(([name, inner]) => {
    const here = path === '' ? name : `${path}.${name}`;
    return [...(inner.description === undefined ? [here] : []), ...unexplained(inner, here)];
  });
  const others = typeof additionalProperties === 'object' ? unexplained(additionalProperties, `${path}.*`) : [];
  const alternatives = anyOf.flatMap((one) => unexplained(one, path));
  return [...named, ...others, ...(items ? unexplained(items, `${path}.[]`) : []), ...alternatives];
}
