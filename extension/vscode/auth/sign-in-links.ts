import type * as vscode from 'vscode';

/**
 * The path of the link that a browser opens if it cannot reach this machine:
 * `vscode://gantry.gantry/signed-in?code=…&state=…`.
 */
export const SIGNED_IN_PATH = '/signed-in';

type TakeQuery = (query: string) => void;

/** Passes links from a browser to the pending sign-ins. Each sign-in recognizes its own link by the state. */
export class SignInLinks {
  private readonly waiting = new Set<TakeQuery>();

  /** Calls `take` for each link until the returned object is disposed. */
  wait(take: TakeQuery): vscode.Disposable {
    this.waiting.add(take);
    return { dispose: () => this.waiting.delete(take) };
  }

  /** Returns whether the link completes a sign-in. */
  take({ path, query }: vscode.Uri): boolean {
    if (path !== SIGNED_IN_PATH || this.waiting.size === 0) return false;
    for (const take of [...this.waiting]) take(query);
    return true;
  }
}
