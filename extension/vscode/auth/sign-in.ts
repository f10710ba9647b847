import * as vscode from 'vscode';
import { Disposable } from '../disposable.ts';
import type { GoogleLogin } from './google-login.ts';
import type { SignInParts } from './sign-in-flow.ts';

/** Where a browser that cannot reach this machine comes back to: `vscode://gantry.gantry/signed-in?code=…&state=…`. */
export const SIGNED_IN_PATH = '/signed-in';

/** "Sign In with Google…" and "Sign Out". */
export class SignIn extends Disposable {
  private readonly links = this.register(new vscode.EventEmitter<string>());
  /** One at a time: a second try ends the first. */
  private running: AbortController | undefined;

  constructor(
    private readonly login: GoogleLogin,
    private readonly parts: Omit<SignInParts, 'login' | 'links'>,
  ) {
    super();
    this.register({ dispose: () => this.running?.abort() });
  }

  async signIn(): Promise<void> {
    this.running?.abort();
    const attempt = new AbortController();
    this.running = attempt;
    try {
      const { signIn } = await import('./sign-in-flow.ts');
      await signIn({ ...this.parts, login: this.login, links: this.links.event }, attempt.signal);
    } finally {
      if (this.running === attempt) this.running = undefined;
    }
  }

  async signOut(): Promise<void> {
    this.running?.abort();
    await (await import('./sign-in-flow.ts')).signOut(this.login, this.parts.host);
  }

  /** Whether a link into Gantry was the end of signing in. Which attempt it belongs to is checked by its state. */
  take({ path, query }: vscode.Uri): boolean {
    if (path !== SIGNED_IN_PATH || !this.running) return false;
    this.links.fire(query);
    return true;
  }
}
