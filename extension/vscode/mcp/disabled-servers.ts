import type { McpPort } from '../../ports/host.ts';
import type { WorkspaceState } from '../base/workspace.ts';

const KEY = 'gantry.disabledMcpServers';

/** The servers that the user has turned off in this workspace. */
export class DisabledServers implements McpPort {
  constructor(private readonly state: WorkspaceState) {}

  isDisabled(name: string): boolean {
    return this.names.includes(name);
  }

  async disable(name: string): Promise<void> {
    if (!this.isDisabled(name)) await this.state.update(KEY, [...this.names, name]);
  }

  async enable(name: string): Promise<void> {
    await this.state.update(
      KEY,
      this.names.filter((each) => each !== name),
    );
  }

  private get names(): readonly string[] {
    const names = this.state.get(KEY);
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  }
}
