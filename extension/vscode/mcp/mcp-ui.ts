import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ServerTool } from '../../mcp/connection-types.ts';
import type { McpServers } from '../../mcp/mcp-servers.ts';
import type { ServerOrigin } from '../../mcp/server-definition.ts';
import type { Logger } from '../../ports/logger.ts';
import type { SignInLinks } from '../auth/sign-in-links.ts';
import { Disposable } from '../base/disposable.ts';
import { withoutIcons, withoutLinks } from '../base/escape-ui-text.ts';
import { isTrustedElse } from '../base/workspace.ts';
import { ReviewPage } from '../consent/review-page.ts';
import { BuiltIn } from '../names.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';
import { type PickableServers, ServerPicker, showTools } from './server-picker.ts';
import { signInToAgent, signInToServer } from './server-sign-in.ts';
import { isSetting, serverLabel, serversText, serverTarget } from './server-texts.ts';

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

  signInToAgent(agents: Parameters<typeof signInToAgent>[0], name: string): Promise<boolean> {
    return signInToAgent(agents, name, this.parts.links, this.leaving.signal);
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

/** Shows the full definitions of a folder's servers, and lets the user choose which of them start. */
class ServerReview extends Disposable {
  private readonly page = this.register(new ReviewPage('gantry-mcp'));

  constructor(private readonly runtime: RuntimeLoader) {
    super();
  }

  async open(): Promise<void> {
    const off = l10n.t('Review MCP Servers is off: this folder is not trusted, so Gantry can only read it.');
    if (!(await isTrustedElse(off))) return;
    const { mcp } = await this.runtime.load();
    await mcp.refresh();
    const problems = mcp.problems.filter(({ waits }) => !waits);
    for (const { file, line, text } of problems) {
      void vscode.window.showWarningMessage(withoutLinks(`${file}:${line}: ${text}`));
    }
    if (mcp.statuses.some(({ definition }) => definition.waits)) await this.ask(mcp);
    else if (problems.length === 0) {
      void vscode.window.showInformationMessage(l10n.t('No MCP server requires approval.'));
    }
  }

  private async ask(mcp: McpServers): Promise<void> {
    const waiting = mcp.statuses.flatMap(({ definition }) => (definition.waits ? [definition] : []));
    await this.page.show(l10n.t('MCP Servers of This Folder'), serversText(waiting));
    const items = waiting.map((server, index) => ({
      label: withoutIcons(serverLabel(server, index + 1)),
      detail: withoutIcons(serverTarget(server.reach)),
      hash: server.hash,
    }));
    const picked = await vscode.window.showQuickPick(items, {
      title: l10n.t('Gantry: Which of These MCP Servers May Start?'),
      placeHolder: l10n.t('Only selected servers start. See the editor for details.'),
      canPickMany: true,
      // The list stays open while the user reads the editor.
      ignoreFocusOut: true,
    });
    if (!picked || picked.length === 0) return;
    await mcp.accept(picked.map(({ hash }) => hash));
    void vscode.window.showInformationMessage(
      picked.length === 1
        ? l10n.t('One MCP server of this folder is in use from now on.')
        : l10n.t('{0} MCP servers of this folder are in use from now on.', picked.length),
    );
  }
}
