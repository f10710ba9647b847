import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createUpdateTopicTool } from '../../../../extension/tools/conversation/update-topic.ts';
import { createWriteTodosTool } from '../../../../extension/tools/conversation/write-todos.ts';
import { createToolContext } from '../../../support/tool-context.ts';

const workspace = { roots: () => [], isTrusted: () => true };

describe('write_todos', () => {
  const tool = createWriteTodosTool();
  const write = (todos: unknown) => tool.execute(tool.schema.parse({ todos }), createToolContext([]));

  it('tells the model the list and shows people how far it is', async () => {
    const todos = [
      { description: 'Read', status: 'completed' },
      { description: 'Write\nmore', status: 'in_progress' },
      { description: 'Test', status: 'pending' },
      { description: 'Ask', status: 'blocked' },
      { description: 'Drop', status: 'cancelled' },
    ];
    const result = await write(todos);
    assert.equal(
      result.content,
      'The todo list is now:\n1. [completed] Read\n2. [in_progress] Write more\n3. [pending] Test\n4. [blocked] Ask\n5. [cancelled] Drop',
    );
    assert.deepEqual(result.display, {
      name: 'WriteTodos',
      description: '5 todos',
      resultSummary: '1 of 5 done',
      result: { type: 'text', text: '☑ Read\n◐ Write more\n☐ Test\n⊘ Ask\n☒ Drop' },
    });
    const [, second] = todos;
    assert.deepEqual(result.data, {
      todos: todos.with(1, { status: String(second?.status), description: 'Write more' }),
    });
  });

  it('clears the list', async () => {
    const result = await write([]);
    assert.equal(result.content, 'The todo list is empty now.');
    assert.deepEqual(result.data, { todos: [] });
  });

  const refused: readonly [title: string, todos: unknown][] = [
    ['two steps at once', [1, 2].map((step) => ({ description: `${step}`, status: 'in_progress' }))],
    ['an unknown status', [{ description: 'a', status: 'done' }]],
    ['an empty step', [{ description: ' ', status: 'pending' }]],
    ['no list', 'a'],
  ];
  for (const [title, todos] of refused) {
    it(`refuses ${title}`, () => assert.equal(tool.schema.safeParse({ todos }).success, false));
  }

  it('describes calls of any shape', () => {
    assert.equal(tool.describe({ todos: [{}] }, workspace), '1 todo');
    assert.equal(tool.describe({ todos: 'x' }, workspace), '');
  });
});

describe('update_topic', () => {
  const tool = createUpdateTopicTool();

  it('is a notice for people', async () => {
    const args = { title: 'Parser', summary: 'Read it.', strategic_intent: 'Fix the\nloop.' };
    const result = await tool.execute(tool.schema.parse(args), createToolContext([]));
    assert.deepEqual(result.display, {
      name: 'Parser',
      resultSummary: null,
      result: { type: 'text', text: 'Read it.\nFix the loop.' },
      format: 'notice',
    });
    assert.equal(result.content, 'Noted. Topic: Parser');
  });

  it('needs only the intent', async () => {
    const result = await tool.execute(tool.schema.parse({ strategic_intent: 'Test it.' }), createToolContext([]));
    assert.equal(result.display?.name, 'Test it.');
    assert.equal(tool.schema.safeParse({ title: 'x' }).success, false);
  });
});
