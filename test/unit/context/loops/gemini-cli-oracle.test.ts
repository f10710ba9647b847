import assert from 'node:assert/strict';
import { GeminiEventType } from '@google/gemini-cli-core/dist/src/core/turn.js';
import { LoopDetectionService } from '@google/gemini-cli-core/dist/src/services/loopDetectionService.js';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { CallCycles } from '../../../../extension/context/loops/call-cycles.ts';
import { RepeatedText } from '../../../../extension/context/loops/repeated-text.ts';

/**
 * Gemini CLI is asked the same questions. Where we differ on purpose:
 * 1. The order of arguments makes no other call.
 * 2. Calls whose results change, or that wait for something, are no loop. Gemini CLI does not look at results.
 * 3. How an answer is cut into pieces makes no difference: lines are looked at, not chunks. There a piece that is longer
 *    than 5,000 characters is only read from its end, and an element is only seen when one chunk has its whole beginning.
 * 4. List items may begin with `-`, `•` or `1)`; a chunk such as `OK` or `42` is no divider and resets nothing.
 * 5. Rows of tables and indented code are not analysed at all; tables without bars at their edges are tables, too.
 * 6. Rules and leaders of up to 200 characters inside a line are no loop.
 * 7. A fence opens a block at the beginning of a line only, and is closed by its like; each answer begins outside of one.
 * 8. After a loop was found everything is forgotten, so the model has a fresh start.
 */
describe('Loops beside those of Gemini CLI', () => {
  const oracle = (): LoopDetectionService => {
    const config = {
      getDisableLoopDetection: () => false,
      getTelemetryEnabled: () => false,
      getTelemetryLogPromptsEnabled: () => false,
      getUsageStatisticsEnabled: () => false,
      getSessionId: () => 'session',
      getDebugMode: () => false,
    };
    const service = new LoopDetectionService({ config } as unknown as ConstructorParameters<
      typeof LoopDetectionService
    >[0]);
    service.reset('prompt', 'go');
    return service;
  };
  type OracleEvent = Parameters<LoopDetectionService['addAndCheck']>[0];
  type Call = { readonly name: string; readonly args: Record<string, unknown> };

  const callEvent = ({ name, args }: Call): OracleEvent => ({
    type: GeminiEventType.ToolCallRequest,
    value: { callId: 'call', name, args, isClientInitiated: false, prompt_id: 'prompt' },
  });

  const oracleCalls = (calls: readonly Call[]): number => {
    const service = oracle();
    return calls.findIndex((call) => service.addAndCheck(callEvent(call)).count > 0);
  };
  const ourCalls = (calls: readonly Call[]): number => {
    const cycles = new CallCycles();
    return calls.findIndex((call, at) => {
      const found = cycles.add({ id: `${at}`, ...call });
      cycles.finished(`${at}`, { text: 'the same', waits: false });
      return found;
    });
  };
  const oracleText = (chunks: readonly string[]): number => {
    const service = oracle();
    return chunks.findIndex(
      (value) => service.addAndCheck({ type: GeminiEventType.Content, value } as OracleEvent).count > 0,
    );
  };
  const ourText = (chunks: readonly string[]): number => {
    const reader = new RepeatedText();
    return chunks.findIndex((chunk) => reader.add(chunk) !== undefined);
  };

  const call: fc.Arbitrary<Call> = fc.record({
    name: fc.constantFrom('read_file', 'replace', 'run_shell_command'),
    args: fc.constantFrom<Record<string, unknown>>({}, { a: 1 }, { a: 2, b: 'x' }),
  });

  it('are found with the same call', () => {
    let loops = 0;
    const cycle = fc.array(call, { minLength: 1, maxLength: 7 });
    const calls = fc
      .tuple(fc.array(call, { maxLength: 8 }), cycle, fc.integer({ min: 1, max: 8 }), fc.array(call, { maxLength: 8 }))
      .map(([before, again, times, after]) => [
        ...before,
        ...Array.from({ length: times }, () => again).flat(),
        ...after,
      ]);
    fc.assert(
      fc.property(calls, (made) => {
        const found = ourCalls(made);
        if (found >= 0) loops++;
        assert.equal(found, oracleCalls(made));
      }),
      { numRuns: 500 },
    );
    assert.ok(loops > 50, `${loops} loops`);
  });

  it('are found with the same piece of prose', () => {
    let loops = 0;
    // Prose as both read it: no line begins like an element, and no chunk is made of rule characters alone.
    const word = fc.constantFrom('the', 'file', 'is', 'open', 'so', 'read', 'it', 'again', 'port', 'wrong', 'looks');
    const sentence = fc.array(word, { minLength: 3, maxLength: 30 }).map((all) => `${all.join(' ')} `);
    const prose = fc
      .tuple(
        fc.array(sentence, { maxLength: 6 }),
        fc.array(sentence, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 25 }),
        fc.array(sentence, { maxLength: 4 }),
      )
      .map(([before, again, times, after]) =>
        [...before, ...Array.from({ length: times }, () => again).flat(), ...after].join(''),
      );
    fc.assert(
      fc.property(prose, fc.integer({ min: 1, max: 400 }), (text, size) => {
        const chunks = text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
        const found = ourText(chunks);
        if (found >= 0) loops++;
        assert.equal(found, oracleText(chunks));
      }),
      { numRuns: 150 },
    );
    assert.ok(loops > 15, `${loops} loops`);
  });

  describe('differ', () => {
    const STEP = 'I will open the file now and see whether the port in it is the right one. ';
    const times = <T>(count: number, make: (at: number) => T): T[] =>
      Array.from({ length: count }, (_, at) => make(at));

    const chars = (text: string): string[] => text.split('');
    const lines = (count: number, line: string): string[] => times(count, () => `${line}\n`);
    const cases: readonly [string, readonly string[], ours: boolean, theirs: boolean][] = [
      [
        '3: headings that come in single characters',
        chars(lines(40, '# write a test for the function and run it again').join('')),
        false,
        true,
      ],
      [
        '3: a loop in front of 5,000 other characters, in one piece',
        [STEP.repeat(20) + times(900, (at) => `word${at}`).join(' ')],
        true,
        false,
      ],
      [
        '4: list items with a dash',
        lines(40, '- Write a test for the function and run it until it passes'),
        false,
        true,
      ],
      ['4: capitals between repetitions', times(60, (at) => (at % 2 ? 'OK' : STEP)), true, false],
      ['5: the rule of a wide table', [`|${'-'.repeat(300)}|\n`], false, true],
      [
        '5: a table without bars at its edges',
        lines(40, 'a-package-with-a-rather-long-name-for-a-table | MIT | yes'),
        false,
        true,
      ],
      [
        '5: code that is only indented',
        lines(40, '    { id: 0, name: "", value: null, enabled: false, tags: [] },'),
        false,
        true,
      ],
      ['6: leaders of dots', [`Chapter one ${'.'.repeat(90)} 7\n`], false, true],
      ['7: a fence inside a line', ['Use ``` for code.\n', ...times(40, () => STEP)], true, false],
    ];
    for (const [name, chunks, ours, theirs] of cases) {
      it(name, () => assert.deepEqual([ourText(chunks) >= 0, oracleText(chunks) >= 0], [ours, theirs]));
    }

    it('1: the order of arguments', () => {
      const calls = times(5, (at) => ({ name: 'read_file', args: at % 2 ? { a: 1, b: 2 } : { b: 2, a: 1 } }));
      assert.deepEqual([ourCalls(calls), oracleCalls(calls)], [4, -1]);
    });

    it('2: results that change', () => {
      const cycles = new CallCycles();
      const service = oracle();
      const found = times(8, (at) => {
        const ours = cycles.add({ id: `${at}`, name: 'look', args: {} });
        cycles.finished(`${at}`, { text: `${at} %`, waits: false });
        return [ours, service.addAndCheck(callEvent({ name: 'look', args: {} })).count > 0];
      });
      assert.ok(found.every(([ours]) => !ours));
      assert.ok(found.some(([, theirs]) => theirs));
    });

    it('7: a block of code that was never closed, in the next prompt', () => {
      const reader = new RepeatedText();
      const service = oracle();
      reader.add('```\nx\n');
      service.addAndCheck({ type: GeminiEventType.Content, value: '```\nx\n' } as OracleEvent);
      reader.clear();
      service.reset('next', 'go on');
      const chunks = times(40, () => STEP);
      assert.ok(chunks.some((chunk) => reader.add(chunk)));
      assert.ok(
        !chunks.some((value) => service.addAndCheck({ type: GeminiEventType.Content, value } as OracleEvent).count > 0),
      );
    });

    it('8: what comes after a loop was found', () => {
      const cycles = new CallCycles();
      const service = oracle();
      const look = { name: 'look', args: {} };
      times(5, (at) => [cycles.add({ id: `${at}`, ...look }), service.addAndCheck(callEvent(look))]);
      cycles.clear();
      service.clearDetection();
      assert.equal(cycles.add({ id: 'x', ...look }), false);
      assert.equal(service.addAndCheck(callEvent(look)).count, 2);
    });
  });
});
