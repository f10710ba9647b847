import assert from 'node:assert/strict';
import {
  ConfigSource,
  HookAggregator,
  type HookConfig,
  HookEventName,
  HookPlanner,
  HookRunner,
} from '@google/gemini-cli-core';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import { combine } from '../../../extension/hooks/aggregate.ts';
import { readHookOutput } from '../../../extension/hooks/hook-output.ts';
import type { HookEvent, HookGroup, HookOutput } from '../../../extension/hooks/hook-types.ts';
import { planHooks } from '../../../extension/hooks/plan-hooks.ts';
import { runs } from '../../support/test-size.ts';
import { commandHook } from './hook-builders.ts';

/**
 * Gemini CLI is asked the same questions. Where we differ on purpose:
 * 1. BeforeModel, AfterModel: there the last hook wins, so that a later "allow" undoes a "deny"; here deny and stop stay.
 * 2. "block" and "deny" are one thing, and "allow" is no decision: nothing follows from it.
 * 3. A reason to stop counts only from a hook that stops.
 * 4. Exit code 2 blocks even if nothing or an "allow" was printed.
 * 5. JSON of a hook that failed counts only as far as it forbids.
 * 6. Fields of the wrong type are left out; JSON that is no object is no output.
 * 7. A hook that was killed by a signal gave no answer; there it ended well.
 */
describe('Hooks beside those of Gemini CLI', () => {
  const { debug } = console;
  const { SHLVL } = process.env;
  before(() => {
    console.debug = () => undefined;
    // Its hooks would read the ~/.bashrc of whoever runs the tests where no shell started them.
    process.env['SHLVL'] = '2';
  });
  after(() => {
    console.debug = debug;
    if (SHLVL === undefined) delete process.env['SHLVL'];
    else process.env['SHLVL'] = SHLVL;
  });

  const OR_EVENTS = ['BeforeTool', 'AfterTool', 'BeforeAgent', 'AfterAgent', 'SessionStart'] as const;
  const text = fc.constantFrom('one', 'two', 'three');
  const output = fc.record(
    {
      continue: fc.boolean(),
      stopReason: text,
      suppressOutput: fc.boolean(),
      systemMessage: text,
      decision: fc.constantFrom('ask', 'block', 'deny', 'approve', 'allow'),
      reason: text,
      hookSpecificOutput: fc.record(
        {
          additionalContext: text,
          clearContext: fc.boolean(),
          tool_input: fc.dictionary(text, text, { noNullPrototype: true }),
          toolConfig: fc.record(
            { mode: fc.constantFrom('AUTO', 'ANY', 'NONE'), allowedFunctionNames: fc.array(text) },
            { requiredKeys: [] },
          ),
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  );
  const outputs = fc
    .array(output, { minLength: 1, maxLength: 5 })
    .map((said): HookOutput[] => JSON.parse(JSON.stringify(said)));

  const theirs = (said: readonly HookOutput[], event: HookEvent) => {
    const results = said.map((each) => ({
      hookConfig: { type: 'command', command: 'x' } as never,
      eventName: HookEventName[event],
      success: true,
      output: structuredClone(each) as never,
      duration: 0,
    }));
    return new HookAggregator().aggregateResults(results, HookEventName[event]).finalOutput;
  };

  it('say the same together', () => {
    fc.assert(
      fc.property(outputs, fc.constantFrom(...OR_EVENTS), (said, event) => {
        const [ours, upstream] = [combine(said), theirs(said, event)];
        assert.equal(ours.stop, upstream?.continue === false);
        const decided = upstream?.decision;
        // Where everything ends there, nobody looks at the decision.
        if (!ours.stop) assert.equal(ours.decision ?? 'allow', decided === 'block' ? 'deny' : decided);
        assert.equal(ours.reason, upstream?.reason);
        assert.equal(ours.systemMessage, upstream?.systemMessage);
        assert.equal(ours.additionalContext, upstream?.hookSpecificOutput?.['additionalContext']);
        assert.deepEqual(ours.specific['tool_input'], upstream?.hookSpecificOutput?.['tool_input']);
        const everyStops = said.every((each) => each.stopReason === undefined || each.continue === false);
        if (ours.stop && everyStops) assert.equal(ours.stopReason, upstream?.stopReason);
      }),
      { numRuns: runs(200, 2000) },
    );
  });

  it('are never more lenient around the model', () => {
    fc.assert(
      fc.property(outputs, fc.constantFrom<HookEvent>('BeforeModel', 'AfterModel'), (said, event) => {
        const [ours, upstream] = [combine(said), theirs(said, event)];
        if (upstream?.continue === false) assert.equal(ours.stop, true);
        if (upstream?.isBlockingDecision()) assert.equal(ours.decision, 'deny');
        const { additionalContext: _, ...fields } = upstream?.hookSpecificOutput ?? {};
        for (const [name, value] of Object.entries(fields)) assert.deepEqual(ours.specific[name], value);
      }),
      { numRuns: runs(200, 1000) },
    );
  });

  it('choose the same tools', () => {
    fc.assert(
      fc.property(outputs, (said) => {
        const upstream = theirs(said, 'BeforeToolSelection')?.hookSpecificOutput?.['toolConfig'];
        assert.deepEqual(combine(said).toolConfig, upstream);
      }),
      { numRuns: runs(200, 1000) },
    );
  });

  it('run in the same cases, the same ones, in the same way', () => {
    const events: readonly HookEvent[] = [
      'BeforeTool',
      'AfterTool',
      'SessionStart',
      'SessionEnd',
      'PreCompress',
      'BeforeModel',
    ];
    const matcher = fc.constantFrom(
      undefined,
      '',
      '*',
      'read',
      '^write_file$',
      '(',
      'write_file',
      'startup',
      'start',
      'auto',
    );
    const hook = fc.record({ command: text, name: fc.option(text, { nil: undefined }) });
    const definition = fc.record({
      event: fc.constantFrom(...events),
      matcher,
      sequential: fc.boolean(),
      hooks: fc.array(hook, { minLength: 1, maxLength: 3 }),
    });
    const toolName = fc.constantFrom('read_file', 'write_file');
    const trigger = fc.constantFrom('startup', 'auto');
    fc.assert(
      fc.property(
        fc.array(definition, { maxLength: 6 }),
        fc.constantFrom(...events),
        toolName,
        trigger,
        (all, event, tool, about) => {
          const occasion = event.endsWith('Tool')
            ? { toolName: tool }
            : event === 'BeforeModel'
              ? {}
              : { trigger: about };
          const groups = all.map(({ hooks, matcher: pattern, ...rest }): HookGroup => {
            const named = hooks.map(({ command, name }) => commandHook(command, name === undefined ? {} : { name }));
            return { ...rest, ...(pattern !== undefined && { matcher: pattern }), hooks: named };
          });
          const registry = {
            getHooksForEvent: (name: HookEventName) =>
              all
                .filter((each) => each.event === name)
                .flatMap((each) =>
                  each.hooks.map(({ command, name: called }) => ({
                    config: { type: 'command', command, ...(called !== undefined && { name: called }) } as HookConfig,
                    source: ConfigSource.User,
                    eventName: name,
                    ...(each.matcher !== undefined && { matcher: each.matcher }),
                    sequential: each.sequential,
                    enabled: true,
                  })),
                ),
          };
          const upstream = new HookPlanner(registry as never).createExecutionPlan(HookEventName[event], occasion);
          const ours = planHooks(groups, event, occasion);
          assert.equal(ours === undefined, upstream === null);
          assert.equal(ours?.sequential, upstream?.sequential);
          const commands = ours?.hooks.map((each) => (each.type === 'command' ? [each.command, each.name] : []));
          assert.deepEqual(
            commands,
            upstream?.hookConfigs.map(({ name, command }) => [command, name]),
          );
        },
      ),
      { numRuns: runs(200, 2000) },
    );
  });

  const SAID: readonly [string, number, string, string][] = [
    ['JSON', 0, '{"decision":"deny","reason":"no"}', ''],
    ['JSON in a string', 0, '"{\\"decision\\":\\"ask\\"}"', ''],
    ['a string', 0, '"plain"', ''],
    ['text', 0, 'hello', ''],
    ['text on stderr', 0, '', 'hello'],
    ['nothing', 0, '', ''],
    ['a number', 0, '5', ''],
    ['text and a warning code', 1, 'hello', ''],
    ['text and the blocking code', 2, '', 'no'],
    ['text and another code', 7, 'no', ''],
    ['nothing and another code', 7, '', ''],
    ['a refusal in JSON and another code', 7, '{"decision":"deny","reason":"no"}', ''],
  ];
  for (const [what, exitCode, stdout, stderr] of SAID) {
    it(`are understood alike: ${what}`, async () => {
      const runner = new HookRunner({
        isTrustedFolder: () => true,
        sanitizationConfig: {},
        storage: { getPlansDir: () => '/tmp' },
      } as never);
      const command = `printf %s '${stdout}'; printf %s '${stderr}' >&2; exit ${exitCode}`;
      const upstream = await runner.executeHook({ type: 'command', command } as never, HookEventName.BeforeTool, {
        session_id: 's',
        transcript_path: '',
        cwd: process.cwd(),
        hook_event_name: 'BeforeTool',
        timestamp: '',
      });
      assert.deepEqual(meaning(readHookOutput({ exitCode, stdout, stderr })), meaning(upstream.output as HookOutput));
    });
  }
});

/** Without "allow", from which nothing follows. */
function meaning(output: HookOutput | undefined): object {
  const { decision, ...rest } = output ?? {};
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), ...(decision !== 'allow' && decision !== undefined && { decision }) };
}
