import * as vscode from 'vscode';
import { Disposable } from '../base/disposable.ts';

/**
 * A long command must not be cut at the edge of the editor, and an extension can wrap lines only for a language of its own.
 * It has no name, so no list of languages shows it.
 */
export const WRAPPED_TEXT = 'gantry-review';

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
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.languages.setTextDocumentLanguage(document, WRAPPED_TEXT);
    await vscode.window.showTextDocument(document, { preview: true, preserveFocus: true });
  }
}
