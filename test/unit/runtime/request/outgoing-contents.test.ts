import assert from 'node:assert/strict';
import type { Content } from '@google/genai';
import { describe, it } from 'mocha';
import { newCallId, outgoingContents } from '../../../../extension/runtime/request/outgoing-contents.ts';

describe('What is sent of a history', () => {
  const [given, own, old] = [newCallId('call_0'), newCallId(), 'adk-7'];
  const call = (id: string): object => ({ functionCall: { name: 'look', args: {}, id } });
  const response = (id: string, output: string): object => ({
    functionResponse: { name: 'look', response: { output }, id },
  });
  const history = [
    { role: 'user', parts: [{ text: 'Hi' }] },
    { role: 'model', parts: [call(given), call(own), call(old)] },
    {
      role: 'user',
      parts: [response(old, 'third'), { text: 'Stop' }, response(given, 'first'), response(own, 'second')],
    },
  ] as Content[];

  it('has the ids that the endpoint gave and no others, and answers in the order of their calls', () => {
    const plain = { functionCall: { name: 'look', args: {} } };
    assert.deepEqual(outgoingContents(history), [
      history[0],
      { role: 'model', parts: [{ functionCall: { name: 'look', args: {}, id: 'call_0' } }, plain, plain] },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'look', response: { output: 'first' }, id: 'call_0' } },
          { functionResponse: { name: 'look', response: { output: 'second' } } },
          { functionResponse: { name: 'look', response: { output: 'third' } } },
          { text: 'Stop' },
        ],
      },
    ]);
  });

  it('is the same objects each time, so that it is written once', () => {
    const [first, second] = [outgoingContents(history), outgoingContents(history)];
    for (const [index, content] of first.entries()) assert.equal(second[index], content);
  });

  it('keeps calls apart whose ids are the same, and takes nothing for an id that is none', () => {
    assert.notEqual(newCallId('call_0'), newCallId('call_0'));
    for (const odd of ['', 7, null, 'x'.repeat(101)]) assert.match(newCallId(odd), /^call-[\da-f-]{36}$/);
  });
});
