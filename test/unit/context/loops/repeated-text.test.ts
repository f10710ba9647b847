import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { RepeatedText } from '../../../../extension/context/loops/repeated-text.ts';
import type { Repetition } from '../../../../extension/context/loops/repeated-windows.ts';
import { CHUNKINGS, HARMLESS, LOOPS, words } from '../../../support/loop-corpus.ts';
import { growthOf, LINEAR } from '../../../support/processor-time.ts';

/** What is found, and how much of the text was there by then. */
function read(chunks: readonly string[], reader = new RepeatedText()): (Repetition & { at: number }) | undefined {
  let at = 0;
  for (const chunk of chunks) {
    at += chunk.length;
    const found = reader.add(chunk);
    if (found) return { ...found, at };
  }
  return undefined;
}

describe('Repeated words', () => {
  for (const [how, chunk] of Object.entries(CHUNKINGS)) {
    describe(how, () => {
      for (const { name, text } of HARMLESS) {
        it(`are not found in ${name}`, () => assert.equal(read(chunk(text)), undefined));
      }
      for (const { name, text } of LOOPS) {
        it(`are found: ${name}`, () => assert.notEqual(read(chunk(text)), undefined));
      }
    });
  }

  it('are found at the same place however the text is cut', () => {
    const texts = [...HARMLESS, ...LOOPS].map(({ text }) => text);
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1 }),
        (text, cuts) => {
          const chunks: string[] = [];
          for (let at = 0, next = 0; at < text.length; next++) {
            const size = cuts[next % cuts.length] ?? 1;
            chunks.push(text.slice(at, at + size));
            at += size;
          }
          const single = read(text.split(''));
          const found = read(chunks);
          assert.equal(found?.sample, single?.sample);
          if (found && single) assert.equal(found.at - found.length, single.at - single.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('are reported with where they begin and what they are', () => {
    const lead = 'Something else first. ';
    const unit = 'I will open the file and look whether the port is right. ';
    const found = read([...(lead + unit.repeat(30))]);
    assert.ok(found);
    // What stays is the lead and the words once, up to one of their characters.
    assert.ok(Math.abs(found.at - found.length - (lead.length + unit.length)) < unit.length);
    assert.equal(found.sample.length, unit.length);
  });

  it('of another answer do not count', () => {
    const reader = new RepeatedText();
    const unit = 'I will open the file and look whether the port is right. ';
    assert.equal(read([unit.repeat(8)], reader), undefined);
    reader.clear();
    assert.equal(read([unit.repeat(8)], reader), undefined);
  });

  it('are found again after a block of code that was never closed, in the next answer', () => {
    const reader = new RepeatedText();
    const unit = 'I will open the file and look whether the port is right. ';
    assert.equal(read([`\`\`\`\n${unit.repeat(40)}`], reader), undefined);
    reader.clear();
    assert.ok(read([unit.repeat(40)], reader));
  });

  it('cost the same for each character, however long the answer is', () => {
    const textOf = (count: number): readonly string[] => CHUNKINGS['in sevens']?.(words(5, count)) ?? [];
    const texts = new Map([2000, 16_000].map((count) => [count, textOf(count)]));
    const growth = growthOf((count) => assert.equal(read(texts.get(count) ?? []), undefined), 2000);
    assert.ok(growth < LINEAR, `${growth} times`);
  });
});
