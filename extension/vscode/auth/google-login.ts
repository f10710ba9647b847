import type * as vscode from 'vscode';
import type { LoginStore } from '../../ports/secrets.ts';

const SECRET = 'gantry.googleLogin';

/** What signing in with Google has left, in VS Code's secret storage and nowhere else. */
export class GoogleLogin implements LoginStore {
  constructor(private readonly secrets: vscode.SecretStorage) {}

  async read(): Promise<string | undefined> {
    return (await this.secrets.get(SECRET)) || undefined;
  }

  async replace(expected: string, text: string): Promise<void> {
    if ((await this.read()) === expected) await this.keep(text);
  }

  async keep(text: string): Promise<void> {
    await this.secrets.store(SECRET, text);
  }

  async forget(): Promise<void> {
    await this.secrets.delete(SECRET);
  }
}
