import type * as vscode from 'vscode';
import { Disposable } from '../base/disposable.ts';
import type { SignInParts } from './sign-in-flow.ts';
import type { GoogleLogin } from './stored-logins.ts';

/** Implements "Sign In with Google…" and "Sign Out". */
export class SignIn extends Disposable {
  /** The current sign-in. A second attempt aborts the first. */
  private running: AbortController | undefined;

  constructor(
    private readonly login: GoogleLogin,
    private readonly parts: Omit<SignInParts, 'login'>,
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
      await signIn({ ...this.parts, login: this.login }, attempt.signal);
    } finally {
      if (this.running === attempt) this.running = undefined;
    }
  }

  async signOut(): Promise<void> {
    this.running?.abort();
    await (await import('./sign-in-flow.ts')).signOut(this.login, this.parts.host);
  }

  /** Returns whether the link completes a sign-in. */
  take(uri: vscode.Uri): boolean {
    return this.parts.links.take(uri);
  }
}
