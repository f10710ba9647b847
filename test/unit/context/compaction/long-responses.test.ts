import assert from 'node:assert/strict';
import type { Content } from '@google/genai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  CUT_CHARS,
  type Cut,
  longResponses,
  withCuts,
} from '../../../../extension/context/compaction/long-responses.ts';
import { cutLongOutput } from '../../../../extension/text/long-output.ts';
import { answered, called, conversation, frozen, said, sizeOf } from './builders.ts';

const LONG = 'line '.repeat(20_000);

describe('Outputs of tools beyond their budget', () => {
  it('are cut from the newest to the oldest, when they are long', () => {
    const contents = [
      said('user', 'read'),
      called('a', 'b'),
      answered({ a: LONG, b: 'short' }),
      called('c'),
      answered({ c: LONG }),
      called('d'),
      answered({ d: LONG }),
    ];
    assert.deepEqual(
      longResponses(contents).map(({ callId, tool, text }) => [callId, tool, text.length]),
      [['a', 'read_file', LONG.length]],
    );
  });

  it('are whole while there is room', () => {
    assert.deepEqual(longResponses([called('a'), answered({ a: LONG })]), []);
  });

  it('are not cut a second time', () => {
    const cut = cutLongOutput(LONG, { threshold: CUT_CHARS, file: '/whole' });
    const contents = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].flatMap((id) => [called(id), answered({ [id]: cut })]);
    assert.deepEqual(longResponses(contents), []);
  });

  it('stay when nothing says whose they are', () => {
    const parts = [1, 2, 3].map(() => ({ functionResponse: { name: 'x', response: { output: LONG } } }));
    assert.deepEqual(longResponses([{ role: 'user', parts }]), []);
  });

  it('keep what stands beside their text, and nothing else is touched', () => {
    const picture = { inlineData: { data: 'AA==', mimeType: 'image/png' } };
    const response = { output: LONG, gantry_media: [picture] };
    const contents = frozen([
      said('user', 'look'),
      called('a', 'b'),
      { role: 'user', parts: [{ functionResponse: { id: 'a', name: 'look', response } }, { text: 'beside' }] },
    ]);
    const cut = withCuts(contents, new Map([['a', { threshold: CUT_CHARS, file: '/s/look_a.txt' }]]));
    assert.equal(cut[0], contents[0]);
    const [first, second] = cut[2]?.parts ?? [];
    assert.match(String(first?.functionResponse?.response?.['output']), /\/s\/look_a\.txt/);
    assert.deepEqual(first?.functionResponse?.response?.['gantry_media'], [picture]);
    assert.equal(second, contents[2]?.parts?.[1]);
    assert.ok(sizeOf(cut[2] as Content) < CUT_CHARS + 1000);
  });

  it('of any shape give the same text twice and lose no part', () => {
    const cuts = new Map<string, Cut>([0, 1, 2].map((id) => [`call-${id}`, { threshold: 100, file: `/f${id}` }]));
    fc.assert(
      fc.property(conversation, (contents) => {
        const once = withCuts(contents, cuts);
        assert.deepEqual(once, withCuts(contents, cuts));
        assert.deepEqual(
          once.map(({ role, parts }) => [role, parts?.length]),
          contents.map(({ role, parts }) => [role, parts?.length]),
        );
      }),
    );
  });
});
