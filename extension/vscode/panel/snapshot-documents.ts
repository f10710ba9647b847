import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Disposable } from '../base/disposable.ts';
import type { PanelSession } from '../session/panel-session.ts';

const SCHEME = 'gantry-snapshot';

/** Shows the snapshots of compacted conversations in read-only editors. */
export class SnapshotDocuments extends Disposable {
  private readonly texts = new Map<string, string>();
  private isProvided = false;

  constructor(private readonly session: Pick<PanelSession, 'entries'>) {
    super();
  }

  /** Opens the snapshot of an entry of the conversation shown. */
  async open(id: string): Promise<void> {
    const entry = this.session.entries.find((other) => other.id === id);
    if (entry?.kind !== 'compacted') return;
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${l10n.t('Snapshot of the conversation')}.md`, query: id });
    this.texts.set(uri.query, entry.summary);
    this.provide();
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  private provide(): void {
    if (this.isProvided) return;
    this.isProvided = true;
    const provideTextDocumentContent = ({ query }: vscode.Uri): string | undefined => this.texts.get(query);
    this.register(vscode.workspace.registerTextDocumentContentProvider(SCHEME, { provideTextDocumentContent }));
  }
}
