import assert from 'node:assert/strict';
import type { Content } from '@google/genai';
import { describe, it } from 'mocha';
import { type AskAboutLoop, contentsToJudge, LoopCheck } from '../../../../extension/context/loops/loop-check.ts';

const SIGNAL = new AbortController().signal;
const says = (confidence: unknown): unknown => ({
  unproductive_state_analysis: `sure: ${confidence}`,
  unproductive_state_confidence: confidence,
});

/** Lets a check that is under way come to its end. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The rounds in which models were asked, and in which a loop was found. Answers arrive between two rounds. */
async function run(
  rounds: number,
  answer: (alias: string, nth: number) => unknown,
  isAvailable: (alias: string) => boolean = () => true,
): Promise<{ asked: string[]; found: string[] }> {
  const asked: string[] = [];
  const found: string[] = [];
  let round = 0;
  const ask: AskAboutLoop = async (alias) => {
    asked.push(`${round} ${alias === 'loop-detection' ? 'first' : 'second'}`);
    return answer(alias, asked.length - 1);
  };
  const check = new LoopCheck({ ask, isAvailable });
  for (round = 1; round <= rounds; round++) {
    const analysis = check.beforeRequest('go', () => [], SIGNAL);
    if (analysis !== undefined) found.push(`${round} ${analysis}`);
    await settled();
  }
  return { asked, found };
}

describe('The check by a model', () => {
  it('begins with the thirtieth request and comes seldom while nothing is wrong', async () => {
    const { asked, found } = await run(70, () => says(0));
    assert.deepEqual(asked, ['30 first', '45 first', '60 first']);
    assert.deepEqual(found, []);
  });

  it('comes more often the surer the model is', async () => {
    assert.deepEqual((await run(50, () => says(0.8))).asked, ['30 first', '37 first', '44 first']);
    assert.deepEqual((await run(50, () => says(0.5))).asked, ['30 first', '40 first', '50 first']);
  });

  it('needs two models that are sure', async () => {
    const { asked, found } = await run(41, () => says(0.9));
    assert.deepEqual(asked, ['30 first', '30 second', '40 first', '40 second']);
    assert.deepEqual(found, ['31 sure: 0.9', '41 sure: 0.9']);
  });

  it('believes the second model when it is not sure', async () => {
    const { asked, found } = await run(40, (alias) => says(alias === 'loop-detection' ? 1 : 0.7));
    assert.deepEqual(asked, ['30 first', '30 second', '38 first', '38 second']);
    assert.deepEqual(found, []);
  });

  it('makes do with the first when the second is not available', async () => {
    const { asked, found } = await run(
      31,
      () => says(0.95),
      (alias) => alias === 'loop-detection',
    );
    assert.deepEqual([asked, found], [['30 first'], ['31 sure: 0.95']]);
  });

  for (const [what, answer] of [
    ['fails', () => Promise.reject(new Error('no'))],
    ['says nothing', () => undefined],
    ['says something else', () => ({ confidence: 1 })],
    ['has a word for a number', () => says('1')],
    ['is surer than sure', () => says(7)],
    ['has no number', () => says(Number.NaN)],
  ] as const) {
    it(`finds nothing when the model ${what}`, async () => {
      const { asked, found } = await run(41, answer);
      assert.deepEqual([asked, found], [['30 first', '40 first'], []]);
    });
  }

  it('counts from the beginning after a new message', () => {
    const asked: number[] = [];
    const check = new LoopCheck({ ask: async () => asked.push(1), isAvailable: () => true });
    for (let at = 0; at < 29; at++) check.beforeRequest('a', () => [], SIGNAL);
    check.clear();
    for (let at = 0; at < 29; at++) check.beforeRequest('b', () => [], SIGNAL);
    assert.deepEqual(asked, []);
  });

  describe('that is under way', () => {
    /** A check in which each question waits until the test answers it. */
    function waiting(): { asked: { answer: (value: unknown) => void; signal: AbortSignal }[]; check: LoopCheck } {
      const asked: { answer: (value: unknown) => void; signal: AbortSignal }[] = [];
      const ask: AskAboutLoop = (_alias, _question, signal) =>
        new Promise((answer) => void asked.push({ answer, signal }));
      const check = new LoopCheck({ ask, isAvailable: (alias) => alias === 'loop-detection' });
      return { asked, check };
    }
    const rounds = (check: LoopCheck, count: number, signal = SIGNAL): (string | undefined)[] =>
      Array.from({ length: count }, () => check.beforeRequest('go', () => [], signal));

    it('is the only one, and counts with the first request after its answer', async () => {
      const { asked, check } = waiting();
      assert.ok(rounds(check, 90).every((found) => found === undefined));
      assert.equal(asked.length, 1);
      asked[0]?.answer(says(1));
      await settled();
      assert.deepEqual(rounds(check, 2), ['sure: 1', undefined]);
      assert.equal(asked.length, 2, 'the next one is due by then');
    });

    for (const [what, cancel] of [
      ['after a new message', (check: LoopCheck) => check.clear()],
      ['after its run', (check: LoopCheck) => check.cancel()],
      ['when its run is stopped', (_check: LoopCheck, run: AbortController) => run.abort()],
    ] as const) {
      it(`is cancelled ${what}, and its answer does not count`, async () => {
        const { asked, check } = waiting();
        const run = new AbortController();
        rounds(check, 30, run.signal);
        cancel(check, run);
        assert.equal(asked[0]?.signal.aborted, true);
        asked[0]?.answer(says(1));
        await settled();
        assert.deepEqual(rounds(check, 1), [undefined]);
      });
    }
  });

  describe('is shown', () => {
    const said = (text: string): Content => ({ role: 'model', parts: [{ text }] });
    const calls = (name: string): Content => ({ role: 'model', parts: [{ functionCall: { name, args: {} } }] });
    const answers = (name: string): Content => ({
      role: 'user',
      parts: [{ functionResponse: { name, response: {} } }],
    });
    const outline = (contents: readonly Content[]): string[] =>
      contents.map(
        ({ parts: [part] = [] }) => part?.functionCall?.name ?? part?.functionResponse?.name ?? part?.text ?? '',
      );

    it('the request, the last twenty contents and the question', () => {
      const contents = Array.from({ length: 30 }, (_, at) => said(`${at}`));
      const shown = outline(contentsToJudge('Do it.', contents));
      assert.equal(shown.length, 22);
      assert.match(shown[0] ?? '', /<original_user_request>\nDo it\.\n/);
      assert.deepEqual([shown[1], shown[20]], ['10', '29']);
    });

    it('no call without an answer and no answer without a call', () => {
      const shown = contentsToJudge('', [answers('gone'), answers('too'), calls('a'), answers('a'), calls('open')]);
      assert.deepEqual(outline(shown).slice(1, -1), ['a', 'a']);
      assert.equal(shown[0]?.role, 'user');
    });

    it('the contents as they are, untouched', () => {
      const contents = Object.freeze([Object.freeze(said('x'))]);
      assert.equal(contentsToJudge('go', contents)[1], contents[0]);
    });
  });
});
