import type * as vscode from 'vscode';
import { TranscriptFeed } from '../../protocol/feed/feed.ts';
import type { ToPanel } from '../../protocol/panel/panel-messages.ts';
import type { Thread } from '../../protocol/transcript/agent-threads.ts';
import { Disposable } from '../base/disposable.ts';

interface ThreadsShown {
  /** The thread of a subagent of the conversation shown. */
  thread(threadId: string): Thread | undefined;
  readonly onDidReplace: vscode.Event<void>;
}

/** Sends the thread that the reader has opened to the panel, like the conversation. */
export class ThreadFeed extends Disposable {
  private feed: TranscriptFeed | undefined;
  private unwatch: () => void = () => undefined;

  constructor(
    private readonly session: ThreadsShown,
    private readonly post: (message: ToPanel) => void,
  ) {
    super();
    this.register(session.onDidReplace(() => this.close()));
    this.register({ dispose: () => this.close() });
  }

  open(threadId: string): void {
    this.close();
    const thread = this.session.thread(threadId);
    if (!thread) return;
    const feed = new TranscriptFeed(thread, (told) => {
      // Omits the text for screen readers, because the conversation announces the end of the thread itself.
      if (told.type === 'transcript' || told.type === 'changes') {
        const { spoken: _, ...seen } = told;
        this.post({ type: 'thread', threadId, told: seen });
      } else if (told.type === 'window') {
        this.post({ type: 'thread', threadId, told });
      }
    });
    this.feed = feed;
    this.unwatch = thread.watch((changes) => feed.take(changes));
    feed.open();
  }

  show(around: number): void {
    this.feed?.show(around);
  }

  close(): void {
    this.unwatch();
    this.unwatch = () => undefined;
    this.feed?.stop();
    this.feed = undefined;
  }
}
