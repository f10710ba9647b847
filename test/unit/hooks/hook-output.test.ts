import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { readHookOutput } from '../../../extension/hooks/hook-output.ts';
import type { HookOutput } from '../../../extension/hooks/hook-types.ts';

const allows = JSON.stringify({
  decision: 'allow',
  reason: 'fine',
  systemMessage: 'hello',
  hookSpecificOutput: { tool_input: { a: 1 }, additionalContext: 'more' },
});
const asks = JSON.stringify({ decision: 'ask', reason: 'unsure' });
const stops = JSON.stringify({ continue: false, stopReason: 'enough' });

/** Exit code, stdout, stderr, what comes of it. */
const CASES: readonly [number, string, string, HookOutput | undefined][] = [
  [0, '', '', undefined],
  [0, 'hi\n', '', { systemMessage: 'hi' }],
  [0, ' \n', 'on stderr', { systemMessage: 'on stderr' }],
  [0, allows, 'ignored', JSON.parse(allows)],
  [0, JSON.stringify(asks), '', JSON.parse(asks)],
  [0, '"just a string"', '', { systemMessage: '"just a string"' }],
  [0, '5', '', undefined],
  [0, 'null', '', undefined],
  [0, '[1]', '', undefined],
  [0, '{"decision": "maybe", "reason": 5, "continue": "no", "hookSpecificOutput": []}', '', {}],
  [0, '{"decision": "deny"', '', { systemMessage: '{"decision": "deny"' }],
  [1, 'careful', '', { systemMessage: 'Warning: careful' }],
  [1, '', '', undefined],
  [1, allows, '', { reason: 'fine', systemMessage: 'hello' }],
  [1, asks, '', { decision: 'ask', reason: 'unsure' }],
  [1, stops, '', { continue: false, stopReason: 'enough' }],
  [2, '', 'not here', { decision: 'deny', reason: 'not here' }],
  [2, '', '', { decision: 'deny' }],
  [2, '5', '', { decision: 'deny' }],
  [2, allows, '', { decision: 'deny', reason: 'fine', systemMessage: 'hello' }],
  [2, stops, '', { continue: false, stopReason: 'enough', decision: 'deny' }],
  [3, 'broken', '', { decision: 'deny', reason: 'broken' }],
  [127, '', 'bash: nope: command not found', { decision: 'deny', reason: 'bash: nope: command not found' }],
  [3, '', '', undefined],
  [3, allows, '', { reason: 'fine', systemMessage: 'hello' }],
];

describe('What a hook said', () => {
  for (const [exitCode, stdout, stderr, expected] of CASES) {
    const said = stdout.trim() || stderr || 'nothing';
    it(`with exit code ${exitCode} and ${said.slice(0, 40)}`, () => {
      const output = readHookOutput({ exitCode, stdout, stderr });
      assert.deepEqual(output && given(output), expected);
    });
  }

  it('is shortened before it reaches a conversation', () => {
    const long = 'x'.repeat(100_000);
    for (const stdout of [long, JSON.stringify({ systemMessage: long })]) {
      assert.equal(readHookOutput({ exitCode: 0, stdout, stderr: '' })?.systemMessage?.length, 32_001);
    }
  });

  it('can only forbid when it failed', () => {
    const anything = fc.record(
      {
        continue: fc.boolean(),
        decision: fc.constantFrom('allow', 'approve', 'ask', 'block', 'deny'),
        hookSpecificOutput: fc.dictionary(fc.string(), fc.anything()),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(anything, fc.integer({ min: 1, max: 255 }), (said, exitCode) => {
        const output = readHookOutput({ exitCode, stdout: JSON.stringify(said), stderr: '' }) ?? {};
        assert.equal(output.hookSpecificOutput, undefined);
        assert.ok(!['allow', 'approve'].includes(output.decision ?? ''));
        assert.notEqual(output.continue, true);
        if (said.decision === 'deny' || said.decision === 'block') assert.match(output.decision ?? '', /deny|block/);
        if (said.continue === false) assert.equal(output.continue, false);
      }),
    );
  });
});

function given(output: HookOutput): HookOutput {
  return Object.fromEntries(Object.entries(output).filter(([, value]) => value !== undefined));
}
