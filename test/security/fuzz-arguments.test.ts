import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { z } from 'zod';
import type { AgentSession } from '../../extension/protocol/agent/agent-session.ts';
import { productTools } from '../../extension/tools/product-tools.ts';
import { fakeEditor } from '../support/fake-editor.ts';
import { type Attempt, contentsOf, useObedientModel } from '../support/obedient-model.ts';
import { runs } from '../support/test-size.ts';
import { toolParts } from '../support/tool-parts.ts';

const tools = productTools({ ...toolParts(), editor: fakeEditor() });

const NASTY = [
  '',
  ' ',
  '\0',
  '../x',
  '/',
  '.',
  '~',
  'C:\\x',
  '\\\\?\\x',
  '-rf',
  '$(touch pwned)',
  '\u202e',
  '\ud800',
  'a.txt',
  '*',
  '[',
  '**/',
];
const text = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constant('x'.repeat(40_000)),
);
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>,
  text,
  fc.constantFrom<unknown>(-1, 1e308, 2 ** 53, null, true, [], [[[[[[]]]]]], {
    __proto__x: 1,
    constructor: 1,
    toString: null,
  }),
);

interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
}

/** Values that fit a schema, more or less. */
function fitting({ type, enum: values, const: only, properties, items }: JsonSchema): fc.Arbitrary<unknown> {
  if (only !== undefined) return fc.constant(only);
  if (values) return fc.constantFrom(...values);
  switch (type) {
    case 'string':
      return text;
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer({ min: -2, max: 50 }), fc.maxSafeInteger());
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(fitting(items ?? {}), { maxLength: 4 });
    case 'object':
      return fc.record(mapped(properties ?? {}), { requiredKeys: [] });
    default:
      return anything;
  }
}

function mapped(properties: Readonly<Record<string, JsonSchema>>): Record<string, fc.Arbitrary<unknown>> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, fitting(schema)]));
}

/** A command that does nothing; everything else about the call is wild. */
function harmless(name: string, args: Record<string, unknown>): Record<string, unknown> {
  if (name === 'run_shell_command' && typeof args['command'] === 'string')
    return { ...args, command: 'true', delay_ms: 0 };
  const isSlow = 'delay_ms' in args && typeof args['delay_ms'] === 'number';
  return isSlow ? { ...args, delay_ms: 0 } : args;
}

function wildArguments(schema: z.ZodObject): fc.Arbitrary<Record<string, unknown>> {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input' }) as JsonSchema;
  const fits = fc.record(mapped(properties));
  const loose = fc.record(mapped(properties), { requiredKeys: [] });
  const wrong = fc.record(Object.fromEntries(Object.keys(properties).map((name) => [name, anything])));
  const foreign = fc.dictionary(fc.constantFrom('__proto__', 'constructor', 'toString', 'x', 'file_path'), anything);
  return fc.oneof(fits, loose, wrong, foreign) as fc.Arbitrary<Record<string, unknown>>;
}

const SAMPLES = runs(10, 100);

function allowAll(session: AgentSession): void {
  session.subscribe((event) => {
    if (event.type !== 'elicitation_request') return;
    const { requestId } = event;
    void session.send({ elicitations: [{ requestId, action: 'accept', content: { decision: 'once' } }] });
  });
}

describe('wild arguments', () => {
  const suite = useObedientModel();

  for (const { name, schema, describe: describeCall, touches } of tools) {
    it(`of ${name} are answered, each once, and nothing breaks`, async function () {
      this.timeout(20_000);
      const world = await suite.obedient({
        approvalMode: 'yolo',
        files: { 'a.txt': 'a\n', 'src/b.ts': 'thing\n' },
        editor: fakeEditor(),
      });
      const samples = fc.sample(wildArguments(schema), { numRuns: SAMPLES, seed: name.length });
      const attempts: Attempt[] = samples.map((args) => ({ name, args: harmless(name, args) }));
      const outside = await contentsOf(world.home.path);
      for (const { args } of attempts) {
        assert.equal(typeof describeCall(args, world.host.workspace), 'string');
        const parsed = schema.safeParse(args);
        if (parsed.success) assert.ok(Array.isArray(touches?.(parsed.data) ?? []));
      }
      // All of them change one file, which asks in every mode: each waits for the answer to the one before.
      if (name === 'save_memory') allowAll(world.session);
      const fates = await world.tries(...attempts);
      assert.equal(fates.length, attempts.length);
      const broken = fates.filter(({ end }) => end === 'unhandled_exception' || end === 'open');
      assert.deepEqual(
        broken.map(({ args, response }) => [args, response?.content]),
        [],
      );
      await world.session.abort();
      const answers = world.session.events.filter((event) => event.type === 'tool_response');
      assert.equal(new Set(answers.map(({ requestId }) => requestId)).size, attempts.length);
      assert.equal(answers.length, attempts.length);
      assert.deepEqual(await contentsOf(world.home.path), outside);
      assert.ok(!('pwned' in (await contentsOf(world.root))));
      assert.deepEqual(world.host.complaints, []);
    });
  }
});
