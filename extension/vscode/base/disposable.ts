import type * as vscode from 'vscode';

/** Owns the items it registers, and disposes them with itself. */
export abstract class Disposable implements vscode.Disposable {
  private readonly owned: vscode.Disposable[] = [];
  private disposed = false;

  protected register<T extends vscode.Disposable>(item: T): T {
    // An item registered after dispose (a race) must not outlive its owner.
    if (this.disposed) item.dispose();
    else this.owned.push(item);
    return item;
  }

  dispose(): void {
    this.disposed = true;
    for (const item of this.owned.splice(0).reverse()) item.dispose();
  }
}
