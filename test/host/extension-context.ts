import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Ledger } from './ledger.ts';

/** What VS Code gives to an extension when it activates it, with nothing kept from before. */
export function extensionContext(ledger: Ledger): vscode.ExtensionContext {
  const gantry = vscode.extensions.getExtension('gantry.gantry');
  assert.ok(gantry);
  const kept = new Map<string, unknown>();
  const memento = {
    keys: () => [...kept.keys()],
    get: (key: string) => kept.get(key),
    update: async (key: string, value: unknown) => void kept.set(key, value),
  };
  const secrets = {
    get: async () => undefined,
    store: async () => undefined,
    delete: async () => undefined,
    onDidChange: () => ledger.account({ dispose: () => undefined }, 'secrets.onDidChange'),
  };
  return {
    extension: gantry,
    extensionUri: gantry.extensionUri,
    extensionPath: gantry.extensionPath,
    secrets,
    workspaceState: memento,
    globalState: { ...memento, setKeysForSync: () => undefined },
    environmentVariableCollection: { prepend: () => undefined, replace: () => undefined, clear: () => undefined },
    subscriptions: [],
  } as unknown as vscode.ExtensionContext;
}
