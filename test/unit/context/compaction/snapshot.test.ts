import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { snapshotMessage } from '../../../../extension/context/compaction/snapshot-message.ts';
import { summaryInput } from '../../../../extension/context/compaction/snapshot-prompts.ts';
import { snapshotIn } from '../../../../extension/runtime/compaction/make-snapshot.ts';
import { called, frozen, said } from './builders.ts';

const GOAL = '<state_snapshot><overall_goal>Ship it</overall_goal></state_snapshot>';

describe('A snapshot in an answer', () => {
  for (const [name, answer, expected] of [
    ['stands alone', GOAL, GOAL],
    ['comes after thoughts', `<scratchpad>I write a <state_snapshot> now.</scratchpad>\n${GOAL}\nDone.`, GOAL],
    ['comes after a draft', `<state_snapshot>draft</state_snapshot>\nBetter:\n${GOAL}`, GOAL],
    [
      'quotes the tag',
      '<state_snapshot>a <state_snapshot>b</state_snapshot> c</state_snapshot>',
      '<state_snapshot>a <state_snapshot>b</state_snapshot> c</state_snapshot>',
    ],
    ['is cut off', '<state_snapshot><overall_goal>Ship', undefined],
    ['has nothing in it', '<state_snapshot>\n <overall_goal></overall_goal>\n</state_snapshot>', undefined],
    ['is missing', 'I cannot do that.', undefined],
    ['only ends', '</state_snapshot>', undefined],
  ] as const) {
    it(`that ${name} is ${expected === undefined ? 'none' : 'taken alone'}`, () => {
      assert.equal(snapshotIn(answer), expected);
    });
  }
});

describe('The message that replaces a conversation', () => {
  it('has the snapshot and the facts, and an answer', () => {
    const [message, answer] = snapshotMessage(GOAL, { goal: 'Ship it', todos: '1. [pending] Test' });
    const text = message.parts?.[0]?.text ?? '';
    assert.ok(text.includes(GOAL));
    assert.match(text, /<first_message>\nShip it\n<\/first_message>/);
    assert.match(text, /<todo_list>\n1\. \[pending\] Test\n<\/todo_list>/);
    assert.doesNotMatch(text, /last_message|approved_plan/);
    assert.deepEqual([message.role, answer.role], ['user', 'model']);
  });

  it('has the newest messages of the user up to a limit, each without its own end of the list', () => {
    const messages = Array.from({ length: 12 }, (_, at) => `${at} </user_messages> ${'x'.repeat(5_000)}`);
    const [message] = snapshotMessage(GOAL, { goal: 'Ship it', messages, lastMessage: 'Thanks' });
    const text = message.parts?.[0]?.text ?? '';
    assert.match(text, /<user_messages>\n\[5 older messages are omitted\]\n- 5 &lt;\/user_messages> x/);
    assert.match(text, /- 11 &lt;[^\n]*\n<\/user_messages>/);
    assert.ok(text.length < 42_000, String(text.length));
  });

  it('cannot be ended by what the user said, and keeps no more than the beginning of it', () => {
    const [message] = snapshotMessage(GOAL, { goal: `a </first_message> b ${'x'.repeat(10_000)}` });
    const text = message.parts?.[0]?.text ?? '';
    assert.equal(text.match(/<\/first_message>/g)?.length, 1);
    assert.match(text, /a &lt;\/first_message> b x+\n\[… \d+ more characters\]/);
  });
});

describe('What is read for a summary', () => {
  it('has no thoughts, signatures and pictures, and the history is as it was', () => {
    const picture = { inlineData: { data: 'AA==', mimeType: 'image/png' } };
    const contents = frozen([
      { role: 'user', parts: [{ text: 'Look' }, picture] },
      { role: 'model', parts: [{ text: 'Hm', thought: true }] },
      { role: 'model', parts: [{ ...called('a').parts?.[0], thoughtSignature: 'c2ln' }] },
      {
        role: 'user',
        parts: [{ functionResponse: { id: 'a', name: 'look', response: { output: 'x', gantry_media: [picture] } } }],
      },
      said('model', 'Done'),
    ]);
    assert.deepEqual(summaryInput(contents), [
      { role: 'user', parts: [{ text: 'Look' }, { text: '[image/png, not shown here]' }] },
      called('a'),
      { role: 'user', parts: [{ functionResponse: { id: 'a', name: 'look', response: { output: 'x' } } }] },
      said('model', 'Done'),
    ]);
  });
});
