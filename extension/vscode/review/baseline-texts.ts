import * as vscode from 'vscode';
import { Disposable } from '../base/disposable.ts';

/** The scheme of read-only documents with the text that the user last accepted. */
export const BASELINE_SCHEME = 'gantry-baseline';

/** The query of an address that represents a file that does not exist. */
export const NO_FILE = 'no-file';

/** The left sides of diffs. */
export class BaselineTexts extends Disposable {
  private readonly changed = this.register(new vscode.EventEmitter<vscode.Uri>());
  private readonly texts = new Map<string, string>();
  /** The addresses of pending files. Other texts are kept only while a document shows them. */
  private waiting: ReadonlySet<string> = new Set();

  constructor() {
    super();
    this.register(
      vscode.workspace.registerTextDocumentContentProvider(BASELINE_SCHEME, {
        onDidChange: this.changed.event,
        provideTextDocumentContent: (uri) => (uri.query === NO_FILE ? '' : this.texts.get(uri.toString())),
      }),
    );
    this.register(vscode.workspace.onDidCloseTextDocument(() => this.forget()));
  }

  put(texts: readonly { readonly uri: vscode.Uri; readonly text: string }[]): void {
    this.waiting = new Set(texts.map(({ uri }) => uri.toString()));
    this.forget();
    for (const { uri, text } of texts) {
      if (this.texts.get(uri.toString()) === text) continue;
      this.texts.set(uri.toString(), text);
      this.changed.fire(uri);
    }
  }

  private forget(): void {
    const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
    for (const key of [...this.texts.keys()]) {
      if (!this.waiting.has(key) && !open.has(key)) this.texts.delete(key);
    }
  }
}
