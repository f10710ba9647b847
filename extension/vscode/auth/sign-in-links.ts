import type * as vscode from 'vscode';

/** Where a browser that cannot reach this machine comes back to: `vscode://gantry.gantry/signed-in?code=…&state=…`. */
export const SIGNED_IN_PATH = '/signed-in';

type TakeQuery = (query: string) => void;

/** Links that lead back from a browser to those who wait for one. Which of them is meant is checked by its state. */
export class SignInLinks {
  private readonly waiting = new Set<TakeQuery>();

  /** Calls for each link until what it returns is disposed of. */
  wait(take: TakeQuery): vscode.Disposable {
    this.waiting.add(take);
    return { dispose: () => this.waiting.delete(take) };
  }

  /** Whether a link into Gantry was the end of signing in. */
  take({ path, query }: vscode.Uri): boolean {
    if (path !== SIGNED_IN_PATH || this.waiting.size === 0) return false;
    for (const take of [...this.waiting]) take(query);
    return true;
  }
}
