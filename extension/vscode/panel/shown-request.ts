import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Disposable } from '../base/disposable.ts';
import type { PanelSession } from '../session/panel-session.ts';

const SCHEME = 'gantry-request';

/** Shows the last request of the session shown in a read-only editor. There is one such document. */
export class ShownRequest extends Disposable {
  private readonly changed = this.register(new vscode.EventEmitter<vscode.Uri>());
  private readonly uri = vscode.Uri.from({ scheme: SCHEME, path: `/${l10n.t('What the Model Gets')}.md` });
  private text = '';

  constructor(private readonly session: Pick<PanelSession, 'open'>) {
    super();
    const provideTextDocumentContent = (): string => this.text;
    const provider = { onDidChange: this.changed.event, provideTextDocumentContent };
    this.register(vscode.workspace.registerTextDocumentContentProvider(SCHEME, provider));
    this.register(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === SCHEME) this.text = '';
      }),
    );
  }

  /** Opens the document, or updates it where it is open. */
  async show(): Promise<void> {
    const text = await this.session.open?.lastRequest();
    if (text === undefined) {
      const reason = l10n.t('Nothing was sent to a model since this session was opened. Send a message first.');
      void vscode.window.showInformationMessage(`Gantry: ${reason}`);
      return;
    }
    this.text = text;
    this.changed.fire(this.uri);
    await vscode.window.showTextDocument(this.uri, { viewColumn: this.column(), preview: false });
  }

  /** Where it is open, or beside the active editor. */
  private column(): vscode.ViewColumn {
    const { all, activeTabGroup } = vscode.window.tabGroups;
    const address = this.uri.toString();
    const isShownIn = ({ tabs }: vscode.TabGroup): boolean =>
      tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === address);
    const group = all.find(isShownIn);
    if (group) return group.viewColumn;
    return activeTabGroup.tabs.length === 0 ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside;
  }
}
