import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { argumentHint, readArguments } from '../../../extension/mcp/prompt-arguments.ts';

const topic = { name: 'topic', required: true };
const style = { name: 'style', required: false };

describe('What follows a prompt of an MCP server', () => {
  const read = (text: string, ...wanted: (typeof topic)[]) => readArguments(text, wanted);

  it('goes to its only argument as it is', () => {
    assert.deepEqual(read('the moon and the sea', topic), { values: { topic: 'the moon and the sea' } });
  });

  it('goes to the arguments in order, the rest to the last', () => {
    assert.deepEqual(read('"the moon" in rhymes', topic, style), { values: { topic: 'the moon', style: 'in rhymes' } });
    assert.deepEqual(read('moon', topic, style), { values: { topic: 'moon' } });
  });

  it('may name them, in any order', () => {
    const values = { topic: 'the moon', style: 'short' };
    assert.deepEqual(read('--style=short topic="the moon"', topic, style), { values });
    assert.deepEqual(read('style=short the moon', topic, style), { values });
    assert.deepEqual(read('a=b', topic), { values: { topic: 'a=b' } });
  });

  it('is refused where something is missing or nothing is wanted', () => {
    assert.deepEqual(read('', topic, style), { missing: ['topic'] });
    assert.deepEqual(read('moon'), { unknown: 'moon' });
    assert.deepEqual(read(''), { values: {} });
  });

  it('is hinted at', () => {
    assert.equal(argumentHint([topic, style]), '<topic> [style]');
    assert.equal(argumentHint([]), undefined);
  });
});
