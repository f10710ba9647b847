import * as vscode from 'vscode';
import { Disposable } from '../base/disposable.ts';

/** A read-only text, shown while the user is asked about it. */
export class ReviewPage extends Disposable {
  private text = '';
  private shown = 0;

  constructor(private readonly scheme: string) {
    super();
    const provideTextDocumentContent = (): string => this.text;
    this.register(vscode.workspace.registerTextDocumentContentProvider(scheme, { provideTextDocumentContent }));
  }

  async show(title: string, text: string): Promise<void> {
    this.text = text;
    this.shown++;
    // Each text gets a new address, because VS Code keeps the text of an open document.
    const uri = vscode.Uri.from({ scheme: this.scheme, path: title, query: String(this.shown) });
    await vscode.window.showTextDocument(uri, { preview: true, preserveFocus: true });
  }
}
