import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { once } from '../../base/once.ts';
import type { Tool, ToolResult } from '../../ports/tool.ts';
import { oneLine } from '../../text/one-line.ts';
import text from './write-todos.md';

const STATUSES = ['pending', 'in_progress', 'completed', 'cancelled', 'blocked'] as const;

const MARKS: Readonly<Record<(typeof STATUSES)[number], string>> = {
  pending: '☐',
  in_progress: '◐',
  completed: '☑',
  cancelled: '☒',
  blocked: '⊘',
};

const todosSchema = once(() =>
  z.object({
    todos: z
      .array(
        z.object({
          description: z
            .string()
            .max(1000)
            .refine((text) => text.trim() !== '', { error: 'must not be empty' })
            .describe('The step, in one line.'),
          status: z.enum(STATUSES).describe('At most one step is in_progress.'),
        }),
      )
      .max(100)
      .refine((todos) => todos.filter(({ status }) => status === 'in_progress').length <= 1, {
        error: 'only one todo may be in_progress at a time',
      })
      .describe('All steps, in order. An empty list clears it.'),
  }),
);

type Todo = z.infer<ReturnType<typeof todosSchema>>['todos'][number];

export function createWriteTodosTool(): Tool<ReturnType<typeof todosSchema>> {
  return {
    name: 'write_todos',
    displayName: 'WriteTodos',
    kind: 'think',
    description: text.trim(),
    get schema() {
      return todosSchema();
    },
    describe: ({ todos }) => (Array.isArray(todos) ? countOf(todos.length) : ''),
    execute: ({ todos }) => Promise.resolve(showTodos(todos)),
  };
}

function showTodos(written: readonly Todo[]): ToolResult {
  const todos = written.map(({ description, status }) => ({ description: oneLine(description, 1000), status }));
  const done = todos.filter(({ status }) => status === 'completed').length;
  const numbered = todos.map(({ description, status }, index) => `${index + 1}. [${status}] ${description}`);
  const shown = todos.map(({ description, status }) => `${MARKS[status]} ${description}`).join('\n');
  return {
    content: todos.length === 0 ? 'The todo list is empty now.' : `The todo list is now:\n${numbered.join('\n')}`,
    display: {
      name: 'WriteTodos',
      description: countOf(todos.length),
      resultSummary: todos.length === 0 ? l10n.t('cleared') : l10n.t('{0} of {1} done', done, todos.length),
      result: todos.length === 0 ? null : { type: 'text', text: shown },
    },
    data: { todos },
  };
}

function countOf(count: number): string {
  return count === 1 ? l10n.t('1 todo') : l10n.t('{0} todos', count);
}
