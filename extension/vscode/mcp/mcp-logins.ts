import type * as vscode from 'vscode';
import type { McpLoginStore } from '../../ports/secrets.ts';

const SECRET = 'gantry.mcpLogin.';

/** What signing in to MCP servers has left, in VS Code's secret storage and nowhere else. */
export class McpLogins implements McpLoginStore {
  constructor(private readonly secrets: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>) {}

  async read(key: string): Promise<string | undefined> {
    return (await this.secrets.get(SECRET + key)) || undefined;
  }

  async write(key: string, text: string | undefined): Promise<void> {
    if (text === undefined) await this.secrets.delete(SECRET + key);
    else await this.secrets.store(SECRET + key, text);
  }
}
