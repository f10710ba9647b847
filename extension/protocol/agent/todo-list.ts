import * as z from 'zod/mini';
import { once } from '../../base/once.ts';
import type { ToolResponseEvent } from './agent-event.ts';

export const todoItemSchema = once(() =>
  z.strictObject({
    description: z.string(),
    status: z.enum(['pending', 'in_progress', 'completed', 'cancelled', 'blocked']),
  }),
);

/** A step that the agent plans to take. */
export type TodoItem = z.infer<ReturnType<typeof todoItemSchema>>;

const writtenSchema = once(() => z.object({ todos: z.array(todoItemSchema()) }));

/** The todo lists that the calls of a conversation wrote. */
export class TodoLists {
  /** By call id, oldest first. */
  private readonly written = new Map<string, readonly TodoItem[]>();

  take({ requestId, name, isError, data }: ToolResponseEvent): void {
    if (name !== 'write_todos' || isError) return;
    const todos = writtenSchema().safeParse(data).data?.todos;
    if (todos) this.written.set(requestId, todos);
  }

  /** The list of the newest call that is still part of the conversation. */
  current(isThere: (requestId: string) => boolean): readonly TodoItem[] {
    return this.written.get([...this.written.keys()].findLast(isThere) ?? '') ?? [];
  }
}
