import * as vscode from 'vscode';
import { Disposable } from '../base/disposable.ts';

/** Tracks when the user last used an editor, because VS Code does not report where the keyboard focus is. */
export class EditorUse extends Disposable {
  private last = 0;

  constructor(private readonly now: () => number = Date.now) {
    super();
    this.register(
      vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
        // A selection change without a kind was not made by the user.
        if (kind !== undefined) this.last = this.now();
      }),
    );
  }

  isAfter(moment: number): boolean {
    return this.last > moment;
  }
}
