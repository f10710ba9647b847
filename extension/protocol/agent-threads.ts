import type { AgentEvent, ToolDisplay } from './agent-event.ts';
import { AgentThread, type AgentWork } from './agent-thread.ts';
import type { Entry } from './transcript-entry.ts';

/** The subagents of a conversation: which call each works for, and what it does. */
export class AgentThreads {
  private readonly threads = new Map<string, AgentThread>();
  private readonly calls = new Map<string, string>();

  /** The thread that a call has begun, once its display names it. */
  link(callId: string, display: ToolDisplay | undefined): void {
    if (display?.result?.type === 'agent') this.calls.set(display.result.threadId, callId);
  }

  /** The call that the event of a subagent belongs to. */
  take(threadId: string, event: AgentEvent): string | undefined {
    this.thread(threadId).take(event);
    return this.calls.get(threadId);
  }

  workOf(callId: string): AgentWork | undefined {
    const threadId = [...this.calls].find(([, id]) => id === callId)?.[0];
    return threadId === undefined ? undefined : this.thread(threadId).work;
  }

  /** A call of a subagent, as a step that waits. */
  callIn(threadId: string, callId: string): Extract<Entry, { kind: 'tool' }> | undefined {
    const step = this.thread(threadId).step(callId);
    return step && { kind: 'tool', ...step, status: 'running', detail: '' };
  }

  private thread(threadId: string): AgentThread {
    const thread = this.threads.get(threadId) ?? new AgentThread(threadId);
    this.threads.set(threadId, thread);
    return thread;
  }
}
