import * as vscode from 'vscode';
import type { ServerTool } from '../../mcp/connection-types.ts';
import type { McpServers } from '../../mcp/mcp-servers.ts';
import type { ServerOrigin } from '../../mcp/server-definition.ts';
import type { Logger } from '../../ports/logger.ts';
import type { SignInLinks } from '../auth/sign-in-links.ts';
import { Disposable } from '../base/disposable.ts';
import { BuiltIn } from '../names.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';
import { type PickableServers, ServerPicker, showTools } from './server-picker.ts';
import { ServerReview } from './server-review.ts';
import { signInToServer } from './server-sign-in.ts';
import { isSetting } from './server-texts.ts';

export interface McpUiParts {
  readonly runtime: RuntimeLoader;
  readonly links: SignInLinks;
  readonly log: Logger;
}

/** The UI for MCP servers: lists, questions and sign-in. It has its own bundle, loaded on first use. */
export class McpUi extends Disposable {
  private readonly review: ServerReview;
  private readonly leaving = new AbortController();

  constructor(
    private readonly servers: PickableServers,
    private readonly parts: McpUiParts,
  ) {
    super();
    this.review = this.register(new ServerReview(parts.runtime));
    this.register({ dispose: () => this.leaving.abort() });
  }

  openReview(): Promise<void> {
    return this.review.open();
  }

  openList(): Promise<void> {
    return new ServerPicker(this.servers, this.parts.log).open();
  }

  showTools(name: string, tools: readonly ServerTool[]): Promise<void> {
    return showTools(name, tools);
  }

  async signIn(servers: McpServers, name: string): Promise<void> {
    await signInToServer(servers, name, this.parts.links, this.leaving.signal);
  }

  async openDefinition({ file, line }: ServerOrigin): Promise<void> {
    if (isSetting(file)) {
      await vscode.commands.executeCommand(BuiltIn.openSettings, `@id:${file}`);
      return;
    }
    const at = new vscode.Position(Math.max(0, line - 1), 0);
    const selection = new vscode.Range(at, at);
    await vscode.window.showTextDocument(vscode.Uri.file(file), { selection, preview: true });
  }
}
