import * as vscode from 'vscode';
import { currentCredential, type ModelHost } from '../../model/describe-model.ts';
import { Disposable } from '../disposable.ts';
import { Settings } from '../names.ts';
import { saveSetting } from '../settings.ts';
import type { GoogleLogin } from './google-login.ts';

/** Where a browser that cannot reach this machine comes back to: `vscode://gantry.gantry/signed-in?code=…&state=…`. */
export const SIGNED_IN_PATH = '/signed-in';

/** "Sign In with Google…" and "Sign Out". */
export class SignIn extends Disposable {
  private readonly links = this.register(new vscode.EventEmitter<string>());
  /** One at a time: a second try ends the first. */
  private running: AbortController | undefined;

  constructor(
    private readonly login: GoogleLogin,
    private readonly host: ModelHost,
  ) {
    super();
    this.register({ dispose: () => this.running?.abort() });
  }

  async signIn(): Promise<void> {
    this.running?.abort();
    const attempt = new AbortController();
    this.running = attempt;
    try {
      const { signInWithBrowser } = await import('./sign-in-flow.ts');
      const { settings, environment } = this.host;
      const links = this.links.event;
      const login = await signInWithBrowser({ auth: settings.auth?.(), environment, links, signal: attempt.signal });
      if (!login) return;
      await this.login.keep(JSON.stringify(login));
      // A stored key or a base URL would go before it.
      if ((await currentCredential(this.host)).kind !== 'login') await saveSetting(Settings.authMethod, 'google');
      const who = login.account === undefined ? '' : ` as ${login.account}`;
      void vscode.window.showInformationMessage(`Gantry is signed in with Google${who}.`);
    } finally {
      if (this.running === attempt) this.running = undefined;
    }
  }

  async signOut(): Promise<void> {
    this.running?.abort();
    if ((await this.login.read()) === undefined) {
      void vscode.window.showInformationMessage('Gantry is not signed in with Google.');
      return;
    }
    await this.login.forget();
    if (this.host.settings.authMethod() === 'google') await saveSetting(Settings.authMethod, undefined);
    const rest = 'What Gantry may do with your account can be withdrawn at myaccount.google.com/connections.';
    void vscode.window.showInformationMessage(`Gantry is signed out, and its tokens are deleted. ${rest}`);
  }

  /** Whether a link into Gantry was the end of signing in. Which attempt it belongs to is checked by its state. */
  take({ path, query }: vscode.Uri): boolean {
    if (path !== SIGNED_IN_PATH || !this.running) return false;
    this.links.fire(query);
    return true;
  }
}
