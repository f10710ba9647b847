import type { RunningCommand } from './running-command.ts';

interface Entry {
  readonly command: RunningCommand;
  readonly toBackground: () => void;
}

/** The commands that the agent waits for, by the id of the call, so that people can control them while they run. */
export class RunningCommands {
  private readonly entries = new Map<string, Entry>();

  /** `toBackground` is called at most once. Returns a function that removes the entry. */
  add(callId: string, command: RunningCommand, toBackground: () => void): () => void {
    const entry = { command, toBackground };
    this.entries.set(callId, entry);
    return () => {
      if (this.entries.get(callId) === entry) this.entries.delete(callId);
    };
  }

  /** Lets the agent continue while the command keeps running. Returns false if no such command runs. */
  moveToBackground(callId: string): boolean {
    const entry = this.entries.get(callId);
    this.entries.delete(callId);
    entry?.toBackground();
    return entry !== undefined;
  }

  async killAll(): Promise<void> {
    await Promise.all([...this.entries.values()].map(({ command }) => command.kill()));
  }
}
