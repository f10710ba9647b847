import * as vscode from 'vscode';
import { Disposable } from './disposable.ts';

export interface Attention {
  /** Whether the panel is visible and its window has the focus. */
  readonly isOnPanel: boolean;
  readonly onDidChange: vscode.Event<void>;
}

interface ShownPanel {
  readonly isVisible: boolean;
  readonly onDidChangeVisibility: vscode.Event<void>;
}

/** Where the user is looking, as far as VS Code knows. */
export class WindowAttention extends Disposable implements Attention {
  private readonly changed = this.register(new vscode.EventEmitter<void>());
  readonly onDidChange = this.changed.event;

  constructor(private readonly panel: ShownPanel) {
    super();
    this.register(panel.onDidChangeVisibility(() => this.changed.fire()));
    this.register(vscode.window.onDidChangeWindowState(() => this.changed.fire()));
  }

  get isOnPanel(): boolean {
    return this.panel.isVisible && vscode.window.state.focused;
  }
}
