import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Disposable } from '../base/disposable.ts';
import type { PanelSession } from '../session/panel-session.ts';

const SCHEME = 'gantry-request';

/** Shows the last request of the session shown in a read-only editor. There is one such document. */
export class ShownRequest extends Disposable {
  private readonly changed = this.register(new vscode.EventEmitter<vscode.Uri>());
  private uri = newAddress();
  private text = '';

  constructor(private readonly session: Pick<PanelSession, 'open'>) {
    super();
    const provideTextDocumentContent = (): string => this.text;
    const provider = { onDidChange: this.changed.event, provideTextDocumentContent };
    this.register(vscode.workspace.registerTextDocumentContentProvider(SCHEME, provider));
    this.register(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.toString() === this.uri.toString()) this.text = '';
      }),
    );
  }

  /** Opens the document, or updates it where it is open. */
  async show(): Promise<void> {
    const text = await this.session.open?.lastRequest();
    if (text === undefined) {
      const reason = l10n.t('Send a message first. Nothing was sent to a model since this session was opened.');
      void vscode.window.showInformationMessage(`Gantry: ${reason}`);
      return;
    }
    this.text = text;
    const group = this.groupWithIt();
    if (group) this.changed.fire(this.uri);
    else this.uri = newAddress();
    const isAlone = vscode.window.tabGroups.activeTabGroup.tabs.length === 0;
    const viewColumn = group?.viewColumn ?? (isAlone ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside);
    await vscode.window.showTextDocument(this.uri, { viewColumn, preview: false });
  }

  private groupWithIt(): vscode.TabGroup | undefined {
    const address = this.uri.toString();
    return vscode.window.tabGroups.all.find(({ tabs }) =>
      tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === address),
    );
  }
}

/** A document that was closed doesn't get its address again: VS Code's Markdown server would keep its old links. */
function newAddress(): vscode.Uri {
  const path = `/${l10n.t('What the Model Gets')}.md`;
  return vscode.Uri.from({ scheme: SCHEME, path, query: String(Date.now()) });
}
