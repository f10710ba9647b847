import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Surface } from '../../extension/vscode/surface.ts';
import { eventually } from '../support/poll.ts';
import { Ledger } from './ledger.ts';
import { loadRuntime, WebviewEnd } from './panel-window.ts';

const ROUNDS = 50;

describe('Gantry, opened and closed again and again', () => {
  let ledger: Ledger;

  before(async function () {
    this.timeout(60_000);
    await loadRuntime();
  });
  beforeEach(() => {
    ledger = new Ledger();
  });
  afterEach(() => ledger.restore());

  /** Everything that a window has, used once: the view shows a whole answer. */
  async function openAndClose(): Promise<void> {
    const surface = new Surface(extensionContext(ledger));
    const end = new WebviewEnd();
    const [provider] = ledger.viewProviders.values();
    await provider?.resolveWebviewView(
      end.view as unknown as vscode.WebviewView,
      { state: undefined },
      new vscode.CancellationTokenSource().token,
    );
    end.say({ type: 'ready' });
    await end.waitFor('transcript');
    end.say({ type: 'send', ref: 1, text: 'What can Gantry do today?' });
    await end.waitFor('sent');
    await eventually('the answer', () => end.state?.running === false, { intervalMs: 5 });
    await surface.shutDown();
    surface.dispose();
    end.dispose();
  }

  it(`leaves no listener, registration or document behind, ${ROUNDS} times`, async function () {
    this.timeout(180_000);
    await openAndClose();
    const documents = vscode.workspace.textDocuments.length;
    const listeners = processListeners();
    const { tabs, terminals } = openThings();
    ledger.forget();
    for (let round = 0; round < ROUNDS; round++) await openAndClose();
    assert.deepEqual(ledger.outstanding(), []);
    assert.ok(ledger.total > ROUNDS * 50, `only ${ledger.total} things were seen`);
    assert.equal(vscode.workspace.textDocuments.length, documents);
    assert.deepEqual(processListeners(), listeners);
    assert.deepEqual(openThings(), { tabs, terminals });
  });
});

function openThings(): { tabs: number; terminals: number } {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).length;
  return { tabs, terminals: vscode.window.terminals.length };
}

function processListeners(): Record<string, number> {
  return Object.fromEntries(process.eventNames().map((name) => [String(name), process.listenerCount(name)]));
}

function extensionContext(ledger: Ledger): vscode.ExtensionContext {
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
    secrets,
    workspaceState: memento,
    globalState: { ...memento, setKeysForSync: () => undefined },
    subscriptions: [],
  } as unknown as vscode.ExtensionContext;
}
