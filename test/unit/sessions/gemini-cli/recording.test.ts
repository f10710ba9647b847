import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { recordedText } from '../../../../extension/sessions/gemini-cli/message.ts';
import { type GeminiRecording, readGeminiRecording } from '../../../../extension/sessions/gemini-cli/recording.ts';
import { RecordingBuilder } from '../../../support/gemini-cli.ts';

describe('A recording of Gemini CLI', () => {
  it('is its messages in order', () => {
    const { sessionId, messages, skipped } = read(new RecordingBuilder().user('Hi').gemini('Hello').text());
    assert.equal(sessionId, 'cli-session');
    assert.deepEqual(words(messages), ['Hi', 'Hello']);
    assert.deepEqual(skipped, []);
  });

  it('has the newest version of a message in the place of the first', () => {
    const text = new RecordingBuilder().user('Hi').gemini('Hel').user('Bye').gemini('Hello', { id: 'm2' }).text();
    assert.deepEqual(words(read(text).messages), ['Hi', 'Hello', 'Bye']);
  });

  it('starts again from a checkpoint and continues after it', () => {
    const builder = new RecordingBuilder().user('Old').gemini('Older');
    builder.line({ $set: { messages: [{ id: 's', type: 'user', content: 'Summary' }], summary: 'About it' } });
    const { messages, summary, projectHash } = read(builder.gemini('New').text());
    assert.deepEqual(words(messages), ['Summary', 'New']);
    assert.deepEqual([summary, projectHash], ['About it', 'hash']);
  });

  it('goes back before a message', () => {
    const text = new RecordingBuilder().user('a').gemini('b').user('c').line({ $rewindTo: 'm2' }).user('d').text();
    assert.deepEqual(words(read(text).messages), ['a', 'd']);
  });

  it('loses nothing when it goes back to a message that is not there', () => {
    const text = new RecordingBuilder().user('a').gemini('b').line({ $rewindTo: 'gone' }).text();
    assert.deepEqual(words(read(text).messages), ['a', 'b']);
  });

  it('says which lines it could not use', () => {
    const builder = new RecordingBuilder().user('a').raw('{"id":"m2","ty').raw('').line({ id: 'x', type: 'other' });
    const { messages, skipped } = read(builder.line({ id: 5, type: 'user' }).line([1]).gemini('b').text());
    assert.deepEqual(words(messages), ['a', 'b']);
    assert.deepEqual(skipped, [
      { line: 3, reason: 'it is not JSON' },
      { line: 5, reason: 'a message in it has no usable "type"' },
      { line: 6, reason: 'a message in it has no usable "id"' },
      { line: 7, reason: 'it is no record that is known here' },
    ]);
  });

  for (const [title, indent] of [
    ['over many lines', 2],
    ['in one line', 0],
  ] as const) {
    it(`may be one object ${title}, as older versions wrote it`, () => {
      const messages = [
        { id: '1', type: 'user', content: 'Hi', timestamp: '2025-09-01T00:00:00Z' },
        { id: '2', type: 'gemini', content: 'Hello', thoughts: [{ subject: 'Greet', description: 'Kindly.' }] },
      ];
      const times = { startTime: '2025-09-01T00:00:00Z', lastUpdated: '2025-09-02T00:00:00Z' };
      const recording = read(JSON.stringify({ sessionId: 's', projectHash: 'h', ...times, messages }, null, indent));
      assert.deepEqual(words(recording.messages), ['Hi', 'Hello']);
      assert.deepEqual(recording.messages[1]?.thoughts, ['**Greet**\nKindly.']);
      assert.deepEqual(recording.skipped, []);
    });
  }

  it('is refused in words when it is something else', () => {
    for (const text of ['', 'hello', '{}', '[]', 'null', '{"sessionId":"x"}']) {
      assert.ok('problem' in readGeminiRecording(text), text);
    }
  });

  it('takes strange fields for missing ones', () => {
    const strange = { thoughts: null, toolCalls: [null, { name: 'ls', args: 'no' }], tokens: 'many', model: 5 };
    const [message] = read(new RecordingBuilder({ kind: 7 }).gemini([{ text: 'a' }, 5, {}], strange).text()).messages;
    assert.deepEqual([message?.parts, message?.thoughts, message?.model], [[{ text: 'a' }], [], undefined]);
    assert.deepEqual(
      message?.calls.map(({ id, name, args }) => ({ id, name, args })),
      [{ id: '', name: 'ls', args: {} }],
    );
  });

  it('never makes the reader throw', () => {
    const field = fc.constantFrom('id', 'type', 'content', '$set', '$rewindTo', 'messages', 'sessionId', 'toolCalls');
    const line = fc.oneof(
      fc.json(),
      fc.dictionary(field, fc.jsonValue()).map((value) => JSON.stringify(value)),
    );
    fc.assert(fc.property(fc.array(line), (lines) => void readGeminiRecording(lines.join('\n'))));
  });
});

function read(text: string): GeminiRecording {
  const recording = readGeminiRecording(text);
  assert.ok(!('problem' in recording));
  return recording;
}

function words(messages: GeminiRecording['messages']): string[] {
  return messages.map(({ parts }) => recordedText(parts));
}
