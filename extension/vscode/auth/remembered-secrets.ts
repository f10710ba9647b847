import type * as vscode from 'vscode';
import { Disposable } from '../base/disposable.ts';

/**
 * Reads secrets that every step of the agent needs. VS Code asks another process for each of them, so they are kept in
 * memory until VS Code says that they changed, in this window or another one.
 */
export class RememberedSecrets extends Disposable {
  private readonly kept = new Map<string, Promise<string | undefined>>();

  constructor(private readonly secrets: Pick<vscode.SecretStorage, 'get' | 'onDidChange'>) {
    super();
    this.register(secrets.onDidChange(({ key }) => this.kept.delete(key)));
  }

  get(key: string): Promise<string | undefined> {
    const reading = this.kept.get(key) ?? this.read(key);
    this.kept.set(key, reading);
    return reading;
  }

  private async read(key: string): Promise<string | undefined> {
    try {
      return await this.secrets.get(key);
    } catch (error) {
      this.kept.delete(key);
      throw error;
    }
  }
}
