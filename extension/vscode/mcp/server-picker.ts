import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ServerTool } from '../../mcp/connection-types.ts';
import type { McpServerStatus } from '../../mcp/mcp-servers.ts';
import type { Logger } from '../../ports/logger.ts';
import { withoutIcons } from '../base/escape-ui-text.ts';
import { reportFailure } from '../base/report.ts';
import { isTrustedElse } from '../base/workspace.ts';
import { ACT_ICONS, actLabel, actsFor, SERVER_ACTS, type ServerAct } from './server-acts.ts';
import { originText, serverStateText, serverTarget, toolText } from './server-texts.ts';

/** The part of the server list that the picker uses. */
export interface PickableServers {
  readonly statuses: readonly McpServerStatus[];
  readonly onDidChange: vscode.Event<void>;
  /** Refreshes the servers. */
  load(): Promise<unknown>;
  act(act: ServerAct, server: McpServerStatus): Promise<void>;
}

interface ServerItem extends vscode.QuickPickItem {
  readonly status: McpServerStatus;
}

/** Shows all servers with their actions: as buttons, and as a separate list after Enter. */
export class ServerPicker {
  private readonly buttons = new Map<ServerAct, vscode.QuickInputButton>(
    SERVER_ACTS.map((act) => [act, { iconPath: new vscode.ThemeIcon(ACT_ICONS[act]), tooltip: actLabel(act) }]),
  );

  constructor(
    private readonly servers: PickableServers,
    private readonly log: Logger,
  ) {}

  async open(): Promise<void> {
    const off = l10n.t('MCP servers are off: this folder is not trusted, so Gantry can only read it.');
    if (!(await isTrustedElse(off))) return;
    await this.servers.load();
    const picked = await this.pickServer();
    if (!picked) return;
    const act = await pickAct(picked);
    if (act) await this.servers.act(act, picked);
  }

  private async pickServer(): Promise<McpServerStatus | undefined> {
    const pick = vscode.window.createQuickPick<ServerItem>();
    pick.title = l10n.t('Gantry: MCP Servers');
    pick.placeholder =
      this.servers.statuses.length === 0
        ? l10n.t('There are no servers. Define them in gantry.mcp.servers or in mcp.json.')
        : l10n.t('Choose a server to see its actions.');
    pick.matchOnDescription = true;
    pick.matchOnDetail = true;
    pick.keepScrollPosition = true;
    const show = (): void => {
      const [active] = pick.activeItems;
      pick.items = this.servers.statuses.map((status) => this.itemOf(status));
      // Without an active item VS Code selects the first one, unless `activeItems` is set to an empty list.
      if (active) pick.activeItems = pick.items.filter(({ label }) => label === active.label);
    };
    show();
    const listening = this.servers.onDidChange(show);
    pick.onDidTriggerItemButton(({ button, item }) => void this.press(button, item, pick));
    let chosen: McpServerStatus | undefined;
    const closed = new Promise<void>((resolve) => pick.onDidHide(resolve));
    pick.onDidAccept(() => {
      chosen = pick.selectedItems[0]?.status;
      pick.hide();
    });
    pick.show();
    try {
      await closed;
    } finally {
      listening.dispose();
      pick.dispose();
    }
    return chosen;
  }

  private itemOf(status: McpServerStatus): ServerItem {
    const { name, definition } = status;
    return {
      label: withoutIcons(name),
      description: withoutIcons(serverStateText(status)),
      detail: withoutIcons(`${serverTarget(definition.reach)} · ${originText(definition)}`),
      buttons: actsFor(status).flatMap((act) => this.buttons.get(act) ?? []),
      status,
    };
  }

  private async press(button: vscode.QuickInputButton, { status }: ServerItem, pick: vscode.Disposable): Promise<void> {
    const [act] = [...this.buttons].find(([, each]) => each === button) ?? [];
    if (!act) return;
    // These actions open something that the list would cover.
    if (act === 'review' || act === 'tools' || act === 'open' || act === 'log') pick.dispose();
    await this.servers
      .act(act, status)
      .catch((error: unknown) => reportFailure(`"${actLabel(act)}" for an MCP server`, error, this.log));
  }
}

/** Shows the tools in a list that can be searched. */
export async function showTools(name: string, tools: readonly ServerTool[]): Promise<void> {
  const items = tools.map((tool) => ({ label: withoutIcons(tool.name), detail: withoutIcons(toolText(tool)) }));
  const title = withoutIcons(l10n.t('Gantry: Tools of the MCP Server "{0}"', name));
  await vscode.window.showQuickPick(items, { title, matchOnDetail: true });
}

async function pickAct(status: McpServerStatus): Promise<ServerAct | undefined> {
  const items = actsFor(status).map((act) => ({ label: `$(${ACT_ICONS[act]}) ${actLabel(act)}`, act }));
  const title = withoutIcons(`Gantry: ${status.name}`);
  const placeHolder = withoutIcons(serverStateText(status));
  return (await vscode.window.showQuickPick(items, { title, placeHolder }))?.act;
}
