import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { A2aServer } from '../../a2a/main.ts';
import { InOrder } from '../../base/in-order.ts';
import { canonicalFolder } from '../../files/real-path.ts';
import { isModelConfigured } from '../../model/catalog/describe-model.ts';
import type { Host } from '../../ports/host.ts';
import { type Problem, problemText } from '../../protocol/agent/problem.ts';
import { Disposable } from '../base/disposable.ts';
import { withoutIcons, withoutLinks } from '../base/escape-ui-text.ts';
import { reportProblem } from '../base/report.ts';
import { isTrustedElse } from '../base/workspace.ts';
import { BuiltIn, Commands, ContextKeys } from '../names.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';
import type { PanelSession } from '../session/panel-session.ts';

/** Places the item to the right of Gantry's other item. */
const PRIORITY = 9;
/** How long a confirmation is shown: long enough to read it. */
const TOLD_MS = 3000;

export interface ServedAgentParts {
  readonly version: string;
  readonly host: Host;
  readonly runtime: Pick<RuntimeLoader, 'load'>;
  readonly session: Pick<PanelSession, 'keepOpen' | 'isUsed'>;
  /** Instead of the usual one. */
  readonly port?: number;
}

/** What people can do with the server, in its notification and its menu. */
interface ServerAct {
  readonly label: string;
  readonly icon: string;
  readonly description?: string;
  readonly run: () => PromiseLike<void>;
}

/**
 * Serves the sessions of this window over A2A, from the user's command until they stop it or the window closes. Programs
 * and the panel use the same sessions, and either answers a question.
 */
export class ServedAgent extends Disposable {
  private readonly item = this.register(
    vscode.window.createStatusBarItem('gantry.serving', vscode.StatusBarAlignment.Left, PRIORITY),
  );
  private readonly inOrder = new InOrder();
  private running: A2aServer | undefined;

  constructor(private readonly parts: ServedAgentParts) {
    super();
    this.item.name = l10n.t('Gantry: A2A Server');
    this.item.command = Commands.serveAgent;
  }

  /** The server, while the port is open. */
  get server(): Pick<A2aServer, 'url' | 'token' | 'tokenFile'> | undefined {
    return this.running;
  }

  /** Starts the server, or shows what can be done with it. */
  async serve(port = this.parts.port): Promise<void> {
    const off = l10n.t('Serving over A2A is off: this folder is not trusted, so Gantry can only read it.');
    if (!(await isTrustedElse(off))) return;
    if (this.running) return this.showMenu(this.running);
    // The next command does not have to wait until a notification is closed.
    const tell = await this.inOrder.run(() => this.start(port));
    await tell();
  }

  /** Closes the port and removes the token. Running tasks continue in this window. */
  stop(): Promise<void> {
    return this.inOrder.run(async () => {
      const server = this.running;
      if (!server) return;
      this.running = undefined;
      this.item.hide();
      void vscode.commands.executeCommand(BuiltIn.setContext, ContextKeys.serving, false);
      await server.close();
      vscode.window.setStatusBarMessage(l10n.t('Gantry no longer serves this folder'), TOLD_MS);
    });
  }

  /** Returns what tells the user about it. */
  private async start(wanted: number | undefined): Promise<() => Promise<void>> {
    const { host, runtime, session, version } = this.parts;
    const [folder] = host.workspace.roots();
    if (this.running) return async () => undefined;
    if (folder === undefined) return tellNoFolder;
    if (!(await isModelConfigured(host))) return () => reportProblem(noModel());
    const { isPortTaken, serveA2a, USUAL_PORT } = await import('../../a2a/main.ts');
    const port = wanted ?? USUAL_PORT;
    try {
      this.running = await serveA2a({
        ...{ version, port, environment: host.environment, log: host.log },
        ...{ service: await runtime.load(), workspace: canonicalFolder(folder), window: session },
        approves: true,
        textOf: problemText,
      });
    } catch (error) {
      if (isPortTaken(error)) return () => this.tellPortTaken(port);
      throw error;
    }
    this.show(this.running);
    const { running } = this;
    return () => this.tellStarted(running);
  }

  private show({ url, tokenFile }: A2aServer): void {
    const { port } = new URL(url);
    const title = l10n.t('Gantry serves this folder over A2A');
    const address = l10n.t('Address: {0}', url);
    const token = l10n.t('Token: in {0}', tokenFile);
    this.item.text = `$(broadcast) ${l10n.t('A2A port {0}', port)}`;
    this.item.tooltip = new vscode.MarkdownString(`**${title}**\n\n`)
      .appendText(address)
      .appendMarkdown('\n\n')
      .appendText(token);
    const label = l10n.t(
      'Gantry serves this folder over A2A on port {0}. Select to copy the address or to stop.',
      port,
    );
    this.item.accessibilityInformation = { label, role: 'button' };
    this.item.show();
    void vscode.commands.executeCommand(BuiltIn.setContext, ContextKeys.serving, true);
  }

  private acts({ url, token, tokenFile }: A2aServer): readonly ServerAct[] {
    const copy = async (text: string, told: string): Promise<void> => {
      await vscode.env.clipboard.writeText(text);
      vscode.window.setStatusBarMessage(told, TOLD_MS);
    };
    return [
      {
        label: l10n.t('Copy Address'),
        icon: 'globe',
        description: url,
        run: () => copy(url, l10n.t('Address copied')),
      },
      {
        label: l10n.t('Copy Token'),
        icon: 'key',
        description: tokenFile,
        run: () => copy(token, l10n.t('Token copied')),
      },
      { label: l10n.t('Stop Serving'), icon: 'debug-stop', run: () => this.stop() },
    ];
  }

  private async showMenu(server: A2aServer): Promise<void> {
    const items = this.acts(server).map(({ label, icon, description = '', run }) => {
      return { label: `$(${icon}) ${label}`, description: withoutIcons(description), run };
    });
    const title = l10n.t('Gantry: A2A Server');
    const placeHolder = l10n.t('Programs on this computer that know the token can use the agent in this folder.');
    await (await vscode.window.showQuickPick(items, { title, placeHolder }))?.run();
  }

  private async tellStarted(server: A2aServer): Promise<void> {
    const { url, tokenFile } = server;
    const text = l10n.t('Gantry serves this folder over A2A at {0}. The token for programs is in {1}.', url, tokenFile);
    const acts = this.acts(server);
    const label = await vscode.window.showInformationMessage(withoutLinks(text), ...acts.map((act) => act.label));
    await acts.find((act) => act.label === label)?.run();
  }

  private async tellPortTaken(port: number): Promise<void> {
    const another = l10n.t('Use Another Port');
    const text = l10n.t(
      'Port {0} is in use by another program, such as another window, or it is reserved. Nothing is served.',
      port,
    );
    if ((await vscode.window.showWarningMessage(text, another)) === another) await this.serve(0);
  }
}

async function tellNoFolder(): Promise<void> {
  const open = l10n.t('Open Folder…');
  const text = l10n.t('Gantry serves the sessions of a folder, and no folder is open. Open one and try again.');
  if ((await vscode.window.showWarningMessage(text, open)) === open) {
    await vscode.commands.executeCommand(BuiltIn.openFolder);
  }
}

const noModel = (): Problem => ({
  kind: 'no-credential',
  title: l10n.t('No model is configured'),
  detail: l10n.t(
    'Nothing is served, because programs would take the text of the offline guide for an answer. Connect a model and try again.',
  ),
  actions: ['set-api-key', 'sign-in', 'open-settings'],
});
