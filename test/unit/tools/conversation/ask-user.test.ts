import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ToolResult } from '../../../../extension/ports/tool.ts';
import { createAskUserTool } from '../../../../extension/tools/conversation/ask-user.ts';
import { createToolContext } from '../../../support/tool-context.ts';

const OPTIONS = ['Red', 'Blue'].map((label) => ({ label, description: `It is ${label}.` }));
const CHOICE = { question: 'Which colour?', header: 'Colour', type: 'choice', options: OPTIONS };
const TEXT = { question: 'Which name?', header: 'Name', type: 'text', placeholder: 'Ada' };
const YESNO = { question: 'Sure?', header: 'Sure', type: 'yesno', options: OPTIONS };

const tool = createAskUserTool();

describe('ask_user', () => {
  const answerWith = (answers?: Readonly<Record<string, string>>): Promise<ToolResult> => {
    const answer = { decision: 'once' as const, ...(answers && { answers }) };
    const args = tool.schema.parse({ questions: [CHOICE, TEXT] });
    return tool.execute(args, createToolContext([], { approved: { answer } }));
  };

  it('always asks, and shows the questions as they are', async () => {
    assert.equal(tool.alwaysAsks, true);
    const args = tool.schema.parse({ questions: [{ ...CHOICE, multiSelect: true }, TEXT, YESNO] });
    assert.deepEqual(await tool.propose?.(args, createToolContext([])), {
      proposal: {
        kind: 'details',
        details: {
          type: 'ask_user',
          questions: [{ ...CHOICE, multiSelect: true }, TEXT, { question: 'Sure?', header: 'Sure', type: 'yesno' }],
        },
      },
    });
  });

  it('hands the answers to the model by the number of the question', async () => {
    const result = await answerWith({ 0: 'Blue', 1: ' Grace ' });
    assert.equal(result.content, '{"answers":{"0":"Blue","1":"Grace"}}');
    assert.deepEqual(result.display?.result, { type: 'text', text: 'Colour: Blue\nName: Grace' });
    assert.equal(result.display?.resultSummary, '2 answers');
  });

  it('takes an answer in the user’s own words, and omits what was not asked', async () => {
    const result = await answerWith({ 0: 'Green, if there is any', 1: '', 2: 'x', '-1': 'x', constructor: 'x' });
    assert.equal(result.content, '{"answers":{"0":"Green, if there is any"}}');
  });

  it('says when the user did not answer', async () => {
    const dismissed = [await answerWith(), await answerWith({}), await answerWith({ 0: ' ' })];
    for (const result of dismissed) assert.match(String(result.content), /dismissed the questions/);
  });

  const refused: readonly [title: string, questions: readonly unknown[]][] = [
    ['no question', []],
    ['five questions', [TEXT, TEXT, TEXT, TEXT, TEXT]],
    ['a choice without options', [{ ...CHOICE, options: undefined }]],
    ['a choice with one option', [{ ...CHOICE, options: OPTIONS.slice(1) }]],
    [
      'a choice with five options',
      [{ ...CHOICE, options: [1, 2, 3, 4, 5].map((n) => ({ label: `${n}`, description: '' })) }],
    ],
    ['two options of the same name', [{ ...CHOICE, options: [...OPTIONS, OPTIONS[0]] }]],
    ['an unknown type', [{ ...TEXT, type: 'slider' }]],
    ['a question without words', [{ ...TEXT, question: '' }]],
  ];
  for (const [title, questions] of refused) {
    it(`refuses ${title}`, () => assert.equal(tool.schema.safeParse({ questions }).success, false));
  }

  it('describes calls of any shape', () => {
    const workspace = { roots: () => [], isTrusted: () => true };
    assert.equal(tool.describe({ questions: [CHOICE, TEXT] }, workspace), 'Colour, Name');
    assert.equal(tool.describe({ questions: [null] }, workspace), '');
  });
});
