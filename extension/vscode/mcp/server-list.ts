import * as vscode from 'vscode';
import type { McpServerStatus, McpServers } from '../../mcp/mcp-servers.ts';
import { Disposable } from '../base/disposable.ts';
import { LazyPart } from '../base/lazy-part.ts';
import { Commands, Settings } from '../names.ts';
import type { DisabledServers } from './disabled-servers.ts';
import type { McpUi, McpUiParts } from './mcp-ui.ts';
import type { ServerAct } from './server-acts.ts';

export interface McpServerListParts extends McpUiParts {
  readonly disabled: DisabledServers;
}

/** The MCP servers with their states, and the actions that users can take. */
export class McpServerList extends Disposable {
  private readonly ui: LazyPart<McpUi>;
  private readonly changed = this.register(new vscode.EventEmitter<void>());
  private known: McpServers | undefined;

  readonly onDidChange: vscode.Event<void> = this.changed.event;

  constructor(private readonly parts: McpServerListParts) {
    super();
    const { runtime } = parts;
    this.ui = this.register(new LazyPart(async () => new (await import('./mcp-ui.ts')).McpUi(this, parts)));
    runtime.onDidLoad(({ mcp }) => {
      this.known = mcp;
      this.register({ dispose: mcp.onDidChange(() => this.changed.fire()) });
    });
    this.register(
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.known?.rootsChanged();
        this.lookAgain();
      }),
    );
    this.register(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(`gantry.${Settings.mcpServers}`)) this.lookAgain();
      }),
    );
  }

  /** All configured servers that are known so far. */
  get statuses(): readonly McpServerStatus[] {
    return this.known?.statuses ?? [];
  }

  get prompts(): McpServers['prompts'] {
    return this.known?.prompts ?? [];
  }

  get resources(): McpServers['resources'] {
    return this.known?.resources ?? [];
  }

  /** Refreshes the servers and returns them. */
  async load(): Promise<McpServers> {
    const { mcp } = await this.parts.runtime.load();
    await mcp.refresh();
    return mcp;
  }

  async open(): Promise<void> {
    await (await this.ui.load()).openList();
  }

  async review(): Promise<void> {
    await (await this.ui.load()).openReview();
  }

  /** Guides the user through the sign-in of a remote agent. Returns false if the user cancels. */
  async signInToAgent(name: string): Promise<boolean> {
    const { remoteAgents } = await this.parts.runtime.load();
    return (await this.ui.load()).signInToAgent(remoteAgents, name);
  }

  async act(act: ServerAct, { name, definition }: Pick<McpServerStatus, 'name' | 'definition'>): Promise<void> {
    const { disabled, runtime } = this.parts;
    const { mcp } = await runtime.load();
    switch (act) {
      case 'review':
        return this.review();
      case 'tools':
        return (await this.ui.load()).showTools(name, mcp.toolsOf(name));
      case 'signin':
        return (await this.ui.load()).signIn(mcp, name);
      case 'signout':
        return mcp.signOut(name);
      case 'restart':
        return mcp.restart(name);
      case 'enable':
        await disabled.enable(name);
        return mcp.restart(name);
      case 'disable':
        await disabled.disable(name);
        return mcp.disable(name);
      case 'open':
        return (await this.ui.load()).openDefinition(definition.origin);
      case 'log':
        await vscode.commands.executeCommand(Commands.showLog);
    }
  }

  private lookAgain(): void {
    const told = (error: unknown): void => this.parts.log.error('The MCP servers could not be looked at', error);
    this.known?.refresh().catch(told);
  }
}
