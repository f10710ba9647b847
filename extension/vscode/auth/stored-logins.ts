import type * as vscode from 'vscode';
import type { LoginStore, McpLoginStore } from '../../ports/host.ts';

const GOOGLE_LOGIN = 'gantry.googleLogin';
/** A prefix, followed by the key of the server or agent. */
const MCP_LOGIN = 'gantry.mcpLogin.';

/** The Google login, stored only in VS Code's secret storage. */
export class GoogleLogin implements LoginStore {
  constructor(
    private readonly secrets: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>,
    private readonly remembered: Pick<vscode.SecretStorage, 'get'> = secrets,
  ) {}

  async read(): Promise<string | undefined> {
    return (await this.remembered.get(GOOGLE_LOGIN)) || undefined;
  }

  async replace(expected: string, text: string): Promise<void> {
    if ((await this.secrets.get(GOOGLE_LOGIN)) === expected) await this.keep(text);
  }

  async keep(text: string): Promise<void> {
    await this.secrets.store(GOOGLE_LOGIN, text);
  }

  async forget(): Promise<void> {
    await this.secrets.delete(GOOGLE_LOGIN);
  }
}

/** The logins of MCP servers and remote agents, stored only in VS Code's secret storage. */
export class McpLogins implements McpLoginStore {
  constructor(private readonly secrets: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>) {}

  async read(key: string): Promise<string | undefined> {
    return (await this.secrets.get(MCP_LOGIN + key)) || undefined;
  }

  async write(key: string, text: string | undefined): Promise<void> {
    if (text === undefined) await this.secrets.delete(MCP_LOGIN + key);
    else await this.secrets.store(MCP_LOGIN + key, text);
  }
}
