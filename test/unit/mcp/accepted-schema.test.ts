import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { acceptedSchema } from '../../../extension/mcp/accepted-schema.ts';
import { argumentSchema } from '../../../extension/mcp/argument-check.ts';
import { processorTime } from '../../support/processor-time.ts';

const object = (properties: Record<string, unknown>, more = {}) => ({ type: 'object', properties, ...more });
const property = (schema: unknown, more = {}): unknown => {
  const { properties } = acceptedSchema(object({ a: schema }, more));
  return (properties as Record<string, unknown>)['a'];
};

describe('A schema of an MCP server, as Gemini takes it', () => {
  const cases: [string, unknown, unknown][] = [
    [
      'what is understood stays',
      { type: 'integer', minimum: 1, maximum: 9 },
      { type: 'integer', minimum: 1, maximum: 9 },
    ],
    [
      'what is not is told in words',
      { type: 'string', description: 'A name.', pattern: '^a', minLength: 2, default: 'ab' },
      { type: 'string', description: 'A name. (pattern: "^a"; minLength: 2; default: "ab")' },
    ],
    ['a constant is a choice of one', { const: 'x' }, { enum: ['x'] }],
    ['a choice with an empty text is told in words', { enum: ['', 'x'] }, { description: '(enum: ["","x"])' }],
    ['a choice of numbers stays', { enum: [1, 2] }, { enum: [1, 2] }],
    [
      'one of several is any of them',
      { oneOf: [{ type: 'string' }, { type: 'null' }] },
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
    ],
    [
      'an unknown format is told in words',
      { type: 'string', format: 'uri' },
      { type: 'string', description: '(format: "uri")' },
    ],
    ['a known format stays', { type: 'string', format: 'date' }, { type: 'string', format: 'date' }],
    ['lists of types stay', { type: ['string', 'null'] }, { type: ['string', 'null'] }],
    ['a tuple of older drafts', { items: [{ type: 'string' }] }, { prefixItems: [{ type: 'string' }] }],
    [
      'a schema that is only true or false',
      { items: true, additionalProperties: false },
      { items: {}, additionalProperties: false },
    ],
    [
      'parts that all have to be true are one',
      { allOf: [object({ b: {} }, { required: ['b'] }), object({ c: { type: 'string' } }, { required: ['c'] })] },
      object({ b: {}, c: { type: 'string' } }, { required: ['b', 'c'] }),
    ],
    [
      'unless they contradict each other',
      { allOf: [{ minimum: 1 }, { minimum: 2 }] },
      { description: '(allOf: [{"minimum":1},{"minimum":2}])' },
    ],
    ['what is required is described', object({}, { required: ['b'] }), object({ b: {} }, { required: ['b'] })],
  ];
  for (const [what, schema, expected] of cases) {
    it(what, () => assert.deepEqual(property(schema), expected));
  }

  it('has references written out, and those without end named', () => {
    const $defs = {
      point: object({ x: { type: 'number' } }),
      tree: object({ children: { type: 'array', items: { $ref: '#/$defs/tree' } } }),
      'a/b': { type: 'boolean' },
    };
    assert.deepEqual(property({ $ref: '#/$defs/point', description: 'Where' }, { $defs }), {
      ...object({ x: { type: 'number' } }),
      description: 'Where',
    });
    assert.deepEqual(property({ $ref: '#/$defs/a~1b' }, { $defs }), { type: 'boolean' });
    assert.deepEqual(
      property({ $ref: '#/$defs/tree' }, { $defs }),
      object({ children: { type: 'array', items: { description: '(again as tree)' } } }),
    );
    assert.deepEqual(property({ $ref: '#/$defs/none' }, { $defs }), { description: ' (#/$defs/none)' });
  });

  it('is an object, whatever was sent', () => {
    assert.deepEqual(acceptedSchema({}), { type: 'object', properties: {} });
    assert.deepEqual(acceptedSchema({ type: 'string', properties: 7 }), {
      type: 'object',
      properties: {},
      description: '(properties: 7)',
    });
  });

  it('is bounded where references multiply', () => {
    const $defs: Record<string, unknown> = { p0: { type: 'string' } };
    for (let level = 1; level < 30; level++) {
      const inner = { $ref: `#/$defs/p${level - 1}` };
      $defs[`p${level}`] = object({ a: inner, b: inner, c: inner, d: inner });
    }
    const size = JSON.stringify(acceptedSchema(object({ a: { $ref: '#/$defs/p29' } }, { $defs }))).length;
    assert.ok(size < 300_000, `${size}`);
  });

  it('is one for anything that is JSON, and takes over nobody', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (schema) => {
        assert.equal(acceptedSchema(schema)['type'], 'object');
        argumentSchema(schema).safeParse({ a: 1 });
      }),
    );
    acceptedSchema(JSON.parse('{"properties":{"__proto__":{"polluted":1}}}'));
    assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false);
  });

  it('loses no keyword without a word', () => {
    const keyword = fc.constantFrom(
      'pattern',
      'multipleOf',
      'uniqueItems',
      'not',
      'if',
      'dependentRequired',
      'minLength',
      'x-own',
    );
    fc.assert(
      fc.property(fc.dictionary(keyword, fc.oneof(fc.integer(), fc.string({ maxLength: 20 }))), (schema) => {
        const text = JSON.stringify(property(schema));
        for (const key of Object.keys(schema)) assert.ok(text.includes(`${key}: `), key);
      }),
    );
  });
});

describe('Arguments for an MCP server', () => {
  const problems = (schema: Record<string, unknown>, args: Record<string, unknown>): string[] => {
    const { success, error } = argumentSchema(schema).safeParse(args);
    return success ? [] : error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  };

  it('that are required and have a default need not be given', () => {
    const inner = object({ depth: { type: 'integer', default: 2 }, free: { default: 1 } }, { required: ['depth'] });
    const schema = object(
      {
        query: { type: 'string' },
        limit: { type: 'integer', default: 10 },
        inner,
        list: { type: 'array', items: inner },
      },
      { required: ['query', 'limit'] },
    );
    const filled = (args: Record<string, unknown>): unknown => argumentSchema(schema).parse(args);
    assert.deepEqual(filled({ query: 'x' }), { query: 'x', limit: 10 });
    assert.deepEqual(filled({ query: 'x', limit: 3, inner: {}, list: [{}, { depth: 1 }] }), {
      query: 'x',
      limit: 3,
      inner: { depth: 2 },
      list: [{ depth: 2 }, { depth: 1 }],
    });
    assert.match(problems(schema, {}).join(), /query/);
    assert.deepEqual(problems(object({ a: { type: 'string', default: 1 } }, { required: ['a'] }), {}).length, 1);
    const hostile = JSON.parse('{"properties":{"__proto__":{"default":{"polluted":1}}},"required":["__proto__"]}');
    argumentSchema(hostile).safeParse({});
    assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false);
  });

  it('are checked with the schema as the server wrote it', () => {
    const schema = object(
      { a: { type: 'string', pattern: '^x' }, b: object({ c: { type: 'integer' } }) },
      { required: ['a'] },
    );
    assert.deepEqual(problems(schema, { a: 'xy', b: { c: 1 }, more: true }), []);
    assert.match(problems(schema, {}).join(), /"a"/);
    assert.match(problems(schema, { a: 'y' }).join(), /^a: .*pattern/i);
    assert.match(problems(schema, { a: 'x', b: { c: 1.5 } }).join(), /^b\.c: /);
  });

  it('come out as they went in', () => {
    const args = { a: { b: [1, null] }, c: 'x' };
    assert.deepEqual(argumentSchema({}).parse(args), args);
  });

  it('are left to the server where its schema makes no sense, or would take for ever', () => {
    assert.deepEqual(problems({ $ref: 'https://elsewhere/schema' }, { a: 1 }), []);
    assert.deepEqual(problems({ $id: 'not a url' }, { a: 1 }), []);
    const slow = '(a+)+$';
    const took = processorTime(() => {
      assert.deepEqual(problems(object({ a: { pattern: slow } }), { a: `${'a'.repeat(40)}!` }), []);
      assert.deepEqual(problems({ patternProperties: { [slow]: false } }, { [`${'a'.repeat(40)}!`]: 1 }), []);
    });
    assert.ok(took < 2000, `${took} ms`);
  });

  it('may be called as keywords are', () => {
    const schema = object({ pattern: { type: 'string' }, required: { type: 'number' } });
    assert.deepEqual(problems(schema, { pattern: '(a+)+', required: 1 }), []);
    assert.equal(problems(schema, { pattern: 1 }).length, 1);
  });
});
