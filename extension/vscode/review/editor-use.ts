import * as vscode from 'vscode';
import { Disposable } from '../base/disposable.ts';

/** When the user last did something in an editor. VS Code does not say where the keyboard goes. */
export class EditorUse extends Disposable {
  private last = 0;

  constructor(private readonly now: () => number = Date.now) {
    super();
    this.register(
      vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
        // Without a kind it was not the user.
        if (kind !== undefined) this.last = this.now();
      }),
    );
  }

  isAfter(moment: number): boolean {
    return this.last > moment;
  }
}
