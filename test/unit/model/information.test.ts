import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { environmentNews } from '../../../extension/context/environment/environment-text.ts';
import { knowledgeNote } from '../../../extension/context/instruction/knowledge-note.ts';
import type { LoadedMemory } from '../../../extension/context/memory/loaded-memory.ts';
import { withoutOldMedia } from '../../../extension/context/old-media.ts';
import { answersCalls } from '../../../extension/model/calls/nudge.ts';
import { isInformation } from '../../../extension/model/information.ts';
import { classifierContents } from '../../../extension/model/routing/classifier-strategy.ts';
import { userSays } from './asking.ts';

const FACTS = environmentNews({ date: { text: 'Date: today.' } }, {})?.text ?? '';
const file: LoadedMemory = {
  path: '/w/src/GEMINI.md',
  label: 'src/GEMINI.md',
  origin: 'subfolder',
  text: 'Be brief.',
  tokens: 3,
  imported: [],
  isCut: false,
  isQuoted: false,
  problems: [],
};
const notes = (['default', 'autoEdit', 'yolo', 'plan'] as const).map((mode) =>
  knowledgeNote({ mode, memory: [] }, { mode: mode === 'plan' ? 'default' : 'plan', memory: {} }),
);
const INFORMATION: readonly string[] = [
  FACTS,
  environmentNews({ date: { text: 'Date: today.' } }, { date: 'x' })?.text ?? '',
  ...notes.map((note) => note?.text ?? ''),
  knowledgeNote({ mode: undefined, memory: [file] }, { memory: {} })?.text ?? '',
  knowledgeNote({ mode: undefined, memory: [] }, { memory: { 'src/GEMINI.md': 'x' } })?.text ?? '',
];

describe('What Gantry only informs the model of', () => {
  it('differs from messages of the user, and from notices to which the model may have to react', () => {
    for (const text of INFORMATION) assert.ok(isInformation(userSays(text)), text);
    for (const text of ['', 'Hi', '[bug] Facts', '[The background process 7 has ended: make]', 'Facts about us?']) {
      assert.ok(!isInformation(userSays(text)), text);
    }
    assert.ok(!isInformation({ role: 'user', parts: [{ text: FACTS }, { text: 'Hi' }] }));
    assert.ok(!isInformation({ role: 'model', parts: [{ text: FACTS }] }));
  });

  it('may follow the results of calls, which stay what the model answers', () => {
    const results = { role: 'user', parts: [{ functionResponse: { name: 'look', response: {} } }] };
    assert.deepEqual(
      [[results], [results, userSays(FACTS)], [results, userSays('And now?')], [userSays(FACTS)], []].map(answersCalls),
      [true, true, false, false, false],
    );
  });

  it('is not rated instead of the message', () => {
    const entry = JSON.stringify([{ from: 'user', text: 'Fix it' }], null, 1);
    assert.deepEqual(classifierContents([userSays('Fix it'), userSays(FACTS)]), [userSays(entry)]);
  });

  it('does not make the message an old one whose pictures may go', () => {
    const picture = { inlineData: { data: 'A'.repeat(4096), mimeType: 'image/png' } };
    const contents = [{ role: 'user', parts: [{ text: 'Look' }, picture] }, userSays(FACTS)];
    assert.equal(withoutOldMedia(contents, 1_000_000, 'fixed').leftOut, 0);
  });
});
