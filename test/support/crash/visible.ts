import type { AgentEvent } from '../../../extension/protocol/agent/agent-event.ts';
import { plainText } from '../../../extension/protocol/agent/content-part.ts';

interface Task {
  readonly messageId: string;
  readonly user: string[];
  words: string;
  readonly written: Set<string>;
}

/** What a user finally sees, however often it was interrupted: the request, text and files of each task. */
export function visibleOutline(events: readonly AgentEvent[]): string[] {
  let tasks: Task[] = [];
  let cut: Task[] = [];
  for (const event of events) {
    const task = tasks.at(-1);
    if (event.type === 'custom' && event.kind === 'rewind') {
      const { messageId } = event.data;
      const at = tasks.findIndex((other) => other.messageId === messageId);
      cut = tasks.slice(at);
      tasks = tasks.slice(0, at);
    } else if (event.type === 'custom' && event.kind === 'rewind_undone') {
      tasks = [...tasks, ...cut];
    } else if (event.type === 'message' && event.role === 'user') {
      const text = plainText(event.content);
      if (text.startsWith('task')) tasks.push(newTask(event._meta?.messageId ?? '', text));
      else task?.user.push(text);
    } else if (event.type === 'message') {
      if (task) task.words += plainText(event.content);
    } else if (event.type === 'tool_request' && event.name === 'write') {
      task?.written.add(String(event.args['file']));
    }
  }
  return tasks.flatMap(({ user, words, written }) => [...user, [...written].sort().join(), words]);
}

function newTask(messageId: string, text: string): Task {
  return { messageId, user: [text], words: '', written: new Set() };
}
