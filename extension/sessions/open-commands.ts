import type { RecordOf, SessionRecord } from './session-record.ts';

/** The commands that have begun and of which the log does not say that they have ended. */
export class OpenCommands {
  private readonly commands = new Map<string, RecordOf<'command_started'>>();

  get open(): readonly RecordOf<'command_started'>[] {
    return [...this.commands.values()];
  }

  take(record: SessionRecord): void {
    switch (record.type) {
      case 'command_started':
        this.commands.set(record.callId, record);
        return;
      case 'tool_finished':
        // The call has its answer, and the command goes on.
        if (record.result.data?.['background'] !== true) this.commands.delete(record.call.id);
        return;
      case 'command_lost':
        if (record.state !== 'running') this.commands.delete(record.callId);
        return;
      case 'command_ended':
        this.commands.delete(record.callId);
        return;
    }
  }
}
