import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Entry } from '../../extension/protocol/transcript/transcript-entry.ts';
import { Composition } from '../../extension/vscode/composition.ts';
import { eventually } from '../support/poll.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';
import { runs } from '../support/test-size.ts';
import { extensionContext } from './extension-context.ts';
import { Ledger } from './ledger.ts';
import { loadRuntime, WebviewEnd } from './panel-window.ts';

const ROUNDS = runs(5, 50);

describe('Gantry, opened and closed again and again', () => {
  let ledger: Ledger;
  let place: TempFolder;

  before(async function () {
    this.timeout(60_000);
    await loadRuntime();
    place = await tempFolder('config');
  });
  after(() => place.dispose());
  beforeEach(() => {
    ledger = new Ledger();
  });
  afterEach(() => ledger.restore());

  /**
   * Everything that a window has, used once: an answer in the view, an edit in a diff, a command in a terminal, a file that
   * configures the agent.
   */
  async function openAndClose(): Promise<void> {
    const surface = new Composition(extensionContext(ledger));
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
    await reviewEdit(end);
    await runCommand(end);
    await checkFile(place.path);
    await surface.shutDown();
    surface.dispose();
    end.dispose();
  }

  it(`leaves no listener, registration or document behind, ${ROUNDS} times`, async function () {
    this.timeout(300_000);
    const before = openThings();
    await openAndClose();
    const listeners = processListeners();
    ledger.forget();
    for (let round = 0; round < ROUNDS; round++) await openAndClose();
    assert.deepEqual(ledger.outstanding(), []);
    assert.ok(ledger.total > ROUNDS * 50, `only ${ledger.total} things were seen`);
    assert.deepEqual(processListeners(), listeners);
    // VS Code closes them after it has said so.
    await eventually('documents, diffs and terminals to be closed', () => {
      const now = openThings();
      // Those of other tests may be closed meanwhile, too.
      for (const what of ['documents', 'tabs', 'terminals'] as const) assert.ok(now[what] <= before[what], what);
      return true;
    });
  });
});

/** The steps of the conversation, as they were posted one by one. */
function steps(end: WebviewEnd): readonly Extract<Entry, { kind: 'tool' }>[] {
  const changes = end.posted.flatMap((message) => (message.type === 'changes' ? message.changes : []));
  const entries = changes.flatMap((change) => (change.op === 'put' ? [change.entry] : []));
  return entries.filter((entry) => entry.kind === 'tool');
}

async function reviewEdit(end: WebviewEnd): Promise<void> {
  const before = openThings().tabs;
  end.say({ type: 'send', ref: 2, text: 'Show me an edit' });
  const { requestId } = await eventually('the question', () => steps(end).find(({ approval }) => approval)?.approval);
  await eventually('the diff', () => openThings().tabs > before);
  end.say({ type: 'answer', requestId });
  await eventually('the end of the run', () => end.state?.running === false);
  await eventually('the diff to be closed', () => openThings().tabs === before);
}

async function runCommand(end: WebviewEnd): Promise<void> {
  end.say({ type: 'runCommand', ref: 3, command: 'true' });
  await eventually('the command to end', () => steps(end).some(({ command }) => command?.state === 'ended'));
}

/** Of a skill without a name. */
async function checkFile(folder: string): Promise<void> {
  const uri = vscode.Uri.file(join(folder, 'SKILL.md'));
  await writeFile(uri.fsPath, '---\ndescription: A skill\n---\n');
  await vscode.workspace.openTextDocument(uri);
  await eventually('the problem of a file', () =>
    vscode.languages.getDiagnostics(uri).some(({ source }) => source === 'Gantry'),
  );
}

function openThings(): { readonly documents: number; readonly tabs: number; readonly terminals: number } {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).length;
  // A file that was shown stays with VS Code for minutes, however often it was.
  const ours = vscode.workspace.textDocuments.filter(({ uri, isClosed }) => uri.scheme !== 'file' && !isClosed);
  return { documents: ours.length, tabs, terminals: vscode.window.terminals.length };
}

function processListeners(): Record<string, number> {
  return Object.fromEntries(process.eventNames().map((name) => [String(name), process.listenerCount(name)]));
}
