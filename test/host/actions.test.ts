import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Entry } from '../../extension/protocol/transcript/transcript-entry.ts';
import { EditorActions } from '../../extension/vscode/actions/editor-actions.ts';
import { gate } from '../support/gemini/gate.ts';
import { hold } from '../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../support/gemini/server.ts';
import { eventually } from '../support/poll.ts';
import { type TestHost, testHost } from '../support/test-host.ts';
import { loadRuntime, PanelWindow } from './panel-window.ts';
import { WindowAnswers } from './window-answers.ts';

describe('Actions in the editor', () => {
  let gemini: GeminiEndpoint;
  let host: TestHost;
  let window: PanelWindow;
  let actions: EditorActions;
  let answers: WindowAnswers;
  let found: vscode.DiagnosticCollection;
  const folder = (): string => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const file = (): vscode.Uri => vscode.Uri.file(join(folder(), 'src', 'tides.ts'));

  before(async function () {
    this.timeout(60_000);
    gemini = await startGeminiEndpoint();
    await loadRuntime();
    // Starts the language features, which takes seconds on a busy machine.
    await vscode.window.showTextDocument(file());
  });
  after(() => gemini.dispose());
  beforeEach(() => {
    host = testHost({ roots: [folder()], baseUrl: gemini.url });
    window = new PanelWindow(host, new Map());
    actions = new EditorActions({
      session: window.session,
      chat: { reveal: () => Promise.resolve(), focus: () => Promise.resolve() },
      attachments: window.context.attachments,
    });
    answers = new WindowAnswers();
    answers.pressing(undefined);
    found = vscode.languages.createDiagnosticCollection('actions-test');
  });
  afterEach(async () => {
    found.dispose();
    answers.restore();
    await window.close();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    gemini.startOver();
  });

  const said = (): Extract<Entry, { kind: 'user' }>[] =>
    window.session.entries.flatMap((entry) => (entry.kind === 'user' ? [entry] : []));
  const labels = (): readonly (readonly [string, readonly string[]])[] =>
    said().map(({ text, attachments = [] }) => [text, attachments.map(({ kind, label }) => `${kind} ${label}`)]);
  const finished = (): Promise<unknown> => eventually('the end of the run', () => !window.session.isRunning);

  function report(...lines: readonly number[]): void {
    found.set(
      file(),
      lines.map((line) => new vscode.Diagnostic(new vscode.Range(line - 1, 0, line - 1, 3), `Wrong in ${line}`)),
    );
  }

  it('explain what is selected: a short message, with the lines attached', async () => {
    gemini.reply('It is about tides.');
    const editor = await vscode.window.showTextDocument(file());
    editor.selection = new vscode.Selection(1, 2, 3, 0);
    await actions.explain();
    assert.deepEqual(labels(), [['Explain this code.', ['selection tides.ts:2-3']]]);
    await finished();
    const sent = JSON.stringify(gemini.requests[0]?.body.contents);
    const lines = editor.document.getText().split('\n').slice(1, 3);
    for (const line of lines) assert.ok(sent.includes(JSON.stringify(line).slice(1, -1)), line);
  });

  it('explain the whole file on request, although something is selected', async () => {
    gemini.reply('It rises.');
    const editor = await vscode.window.showTextDocument(file());
    editor.selection = new vscode.Selection(0, 0, 2, 0);
    await actions.explainFile();
    await finished();
    assert.deepEqual(labels(), [['Explain this file.', ['file tides.ts']]]);
  });

  it('explain the whole file when nothing is selected, in a folder that is not trusted, too', async () => {
    host.trusted = false;
    gemini.reply('It is about tides.');
    await vscode.window.showTextDocument(file(), { selection: new vscode.Range(0, 0, 0, 0) });
    await actions.explain();
    assert.deepEqual(labels(), [['Explain this file.', ['file tides.ts']]]);
    await finished();
  });

  it('fix the problem behind a light bulb, and all of a file from its menu', async () => {
    gemini.always('Fixed.');
    report(2, 4);
    const range = new vscode.Range(1, 0, 1, 1);
    await actions.fix(file(), range);
    await finished();
    await actions.fix(file());
    await finished();
    assert.deepEqual(labels(), [
      ['Fix this problem.', ['problem tides.ts:2 Wrong in 2']],
      ['Fix the problems in this file.', ['problem 2 problems in tides.ts']],
    ]);
    assert.match(JSON.stringify(gemini.requests[0]?.body.contents), /Line 2: error: Wrong in 2/);
  });

  it('say that there is nothing to fix', async () => {
    await actions.fix(file());
    assert.deepEqual(said(), []);
    assert.deepEqual(answers.said, ['There are no errors or warnings in src/tides.ts.']);
  });

  it('offer the fix and the explanation on problems only', async () => {
    report(2);
    const titlesAt = async (line: number): Promise<string[]> => {
      const range = new vscode.Range(line - 1, 0, line - 1, 1);
      const kind = vscode.CodeActionKind.QuickFix.value;
      const offered = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        file(),
        range,
        kind,
      );
      return offered.map(({ title }) => title).filter((title) => /(Fix|Explain) with Gantry/.test(title));
    };
    await vscode.extensions.getExtension('gantry.gantry')?.activate();
    await vscode.window.showTextDocument(file());
    // Other extensions cancel while they are starting.
    const offered = await eventually('the quick fixes', () => titlesAt(2));
    assert.deepEqual(offered, ['Fix with Gantry', 'Explain with Gantry']);
    assert.deepEqual(await titlesAt(5), []);
  });

  it('write tests for a file of the Explorer', async () => {
    gemini.reply('Here they are.');
    await actions.generateTests(file(), [file()]);
    assert.deepEqual(labels(), [['Write tests for this file.', ['file tides.ts']]]);
    await finished();
  });

  it('wait for a run that is under way, and leave alone what is attached to the next message', async () => {
    const held = gate();
    gemini.reply(hold(held), 'One.');
    gemini.reply('Two.');
    window.context.attachments.add({ kind: 'selection', label: 'mine', content: { text: 'mine' } });
    await window.session.send('First');
    await actions.explain(file());
    assert.equal(said()[1]?.pending, 'queue');
    assert.deepEqual(
      window.context.attachments.items.map(({ label }) => label),
      ['mine'],
    );
    held.open();
    await eventually('both answers', () => gemini.requests.length === 2 && !window.session.isRunning);
  });

  it('give a message that was withdrawn back with what was attached to it', async () => {
    const held = gate();
    gemini.reply(hold(held), 'One.');
    await window.session.send('First');
    await actions.explain(file());
    await window.session.withdraw(said()[1]?.messageId ?? '');
    assert.deepEqual(
      window.context.attachments.items.map(({ label }) => label),
      ['tides.ts'],
    );
    held.open();
    await finished();
  });

  it('begin a session with a file, and send nothing', async () => {
    gemini.reply('Hello.');
    await window.session.send('Hi');
    await finished();
    await actions.newSessionFrom(file());
    assert.equal(window.session.hasConversation, false);
    assert.deepEqual(
      window.context.attachments.items.map(({ label }) => label),
      ['tides.ts'],
    );
    assert.equal(gemini.requests.length, 1);
  });

  it('let what runs continue when they begin a session', async () => {
    const held = gate();
    gemini.reply(hold(held), 'One.');
    await window.session.send('First');
    await actions.newSessionFrom(file());
    assert.deepEqual([window.session.isRunning, window.session.hasConversation], [false, false]);
    assert.equal(window.session.background.elsewhere(undefined)?.running, 1);
    held.open();
    await eventually('its answer', () => window.session.background.elsewhere(undefined)?.answered === 1);
  });
});
