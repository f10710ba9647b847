import { readSandboxBlock } from '../../protocol/agent/sandbox-block.ts';
import type { SessionRecord } from '../../sessions/session-record.ts';

export interface BlockedCommand {
  readonly command: string;
  /** The absolute path of the folder in which the command ran. */
  readonly folder: string;
}

/** The commands that the sandbox blocked, by call. Derived from the log, so a reload keeps them. */
export class BlockedCommands {
  private readonly started = new Map<string, BlockedCommand>();
  private readonly blocked = new Map<string, BlockedCommand>();

  get(callId: string): BlockedCommand | undefined {
    return this.blocked.get(callId);
  }

  take(record: SessionRecord): void {
    if (record.type === 'command_started' && record.by === 'agent') {
      const { callId, command, folder } = record;
      this.started.set(callId, { command, folder });
    }
    if (record.type !== 'tool_finished') return;
    const command = this.started.get(record.call.id);
    this.started.delete(record.call.id);
    const isBlocked = readSandboxBlock(record.result.data?.['blocked']) !== undefined;
    if (command && isBlocked) this.blocked.set(record.call.id, command);
  }
}
