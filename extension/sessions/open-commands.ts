import type { RecordOf, SessionRecord } from './session-record.ts';

/** The commands that have started and whose end isn't in the log. */
export class OpenCommands {
  private readonly commands = new Map<string, RecordOf<'command_started'>>();
  private readonly survivors = new Set<string>();

  get open(): readonly RecordOf<'command_started'>[] {
    return [...this.commands.values()];
  }

  get(callId: string): RecordOf<'command_started'> | undefined {
    return this.commands.get(callId);
  }

  /** Whether the log says that the command outlived the window that started it. */
  hasOutlived(callId: string): boolean {
    return this.survivors.has(callId);
  }

  take(record: SessionRecord): void {
    switch (record.type) {
      case 'command_started':
        this.commands.set(record.callId, record);
        return;
      case 'tool_finished': {
        const { background, lost } = record.result.data ?? {};
        // The call has its answer, but the command continues.
        if (lost === 'running') this.survivors.add(record.call.id);
        else if (background !== true) this.commands.delete(record.call.id);
        return;
      }
      case 'command_lost':
        if (record.state === 'running') this.survivors.add(record.callId);
        else this.commands.delete(record.callId);
        return;
      case 'command_ended':
        this.commands.delete(record.callId);
        return;
    }
  }
}
