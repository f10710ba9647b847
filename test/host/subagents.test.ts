import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { TerminalCommand, TerminalsPort } from '../../extension/ports/terminals.ts';
import type { Entry } from '../../extension/protocol/transcript/transcript-entry.ts';
import { PendingApprovals } from '../../extension/vscode/approvals/pending-approvals.ts';
import { TerminalPanes } from '../../extension/vscode/terminals/terminal-panes.ts';
import { call, type Piece } from '../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../support/gemini/server.ts';
import { eventually } from '../support/poll.ts';
import { createTempWorkspace, type TempWorkspace } from '../support/temp-workspace.ts';
import { testHost } from '../support/test-host.ts';
import { PanelWindow } from './panel-window.ts';

type ToolEntry = Extract<Entry, { kind: 'tool' }>;

const RUNNER = '---\nname: runner\ndescription: Runs things\ntools: [run_shell_command]\n---\nYou run things.\n';
const COMMAND = 'echo from-agent; sleep 1000';

describe('A subagent that runs a command, in VS Code', function () {
  this.timeout(60_000);
  let folder: TempWorkspace;
  let home: TempWorkspace;
  let gemini: GeminiEndpoint;
  let panes: TerminalPanes;
  let commands: TerminalCommand[];
  let window: PanelWindow;
  let pending: PendingApprovals;

  beforeEach(async () => {
    folder = await createTempWorkspace();
    home = await createTempWorkspace();
    await home.write({ '.gemini/agents/runner.md': RUNNER });
    gemini = await startGeminiEndpoint();
    panes = new TerminalPanes();
    commands = [];
    const terminals: TerminalsPort = {
      show: (command) => {
        commands.push(command);
        panes.show(command);
      },
      reveal: (sessionId, callId) => panes.reveal(sessionId, callId),
      get commands() {
        return panes.commands;
      },
      onDidChange: (listener) => panes.onDidChange(listener),
    };
    const environment = { PATH: process.env['PATH'] ?? '', GEMINI_CLI_HOME: home.path };
    const options = { roots: [folder.path], sessions: join(home.path, 'sessions'), environment, baseUrl: gemini.url };
    const extension = vscode.extensions.getExtension('gantry.gantry') ?? assert.fail('no extension');
    const assets = join(extension.extensionPath, 'dist', 'assets');
    window = new PanelWindow(Object.assign(testHost(options), { assets, terminals }), new Map());
    pending = new PendingApprovals(window.session, window.runtime);
    window.end.say({ type: 'ready' });
    await window.end.waitFor('transcript');
    answerTo('Have it run', call('invoke_agent', { agent_name: 'runner', prompt: 'Start the engine' }), 'I see.');
    answerTo(
      'Start the engine',
      call('run_shell_command', { command: COMMAND }),
      call('complete_task', { result: 'It ran.' }),
    );
  });
  afterEach(async () => {
    pending.dispose();
    await window.close();
    panes.dispose();
    await soon('no terminal of ours', () => ours().length === 0);
    await vscode.commands.executeCommand('workbench.action.closePanel');
    await gemini.dispose();
    await folder.dispose();
    await home.dispose();
  });

  /** Replies in the conversation that begins with these words, turn by turn. */
  function answerTo(words: string, ...replies: readonly Piece[]): void {
    gemini.when(
      ({ contents: [first] }) => first?.parts?.some(({ text = '' }) => text.startsWith(words)) === true,
      ({ contents }) => replies[contents.filter(({ role }) => role === 'model').length] ?? 'Nothing more.',
    );
  }

  const soon = (what: string, holds: () => boolean): Promise<true> =>
    eventually(what, () => holds() || undefined, { intervalMs: 20 });
  const ours = (): vscode.Terminal[] => vscode.window.terminals.filter(({ name }) => name.startsWith('Gantry: '));
  const tools = (): ToolEntry[] => window.session.entries.filter((entry) => entry.kind === 'tool');
  const card = (): ToolEntry => tools().find(({ name }) => name === 'invoke_agent') ?? assert.fail('no card');

  async function asked(): Promise<NonNullable<ToolEntry['approval']>> {
    window.end.say({ type: 'send', ref: 1, text: 'Have it run' });
    await soon('the question', () => pending.shown.length === 1);
    return pending.shown[0]?.approval ?? assert.fail('nothing waits');
  }

  async function running(): Promise<void> {
    const { requestId } = await asked();
    window.end.say({ type: 'answer', requestId, decision: 'once' });
    await soon('its terminal', () => ours().length === 1);
  }

  it('asks in the panel of the conversation, by its name', async () => {
    const approval = await asked();
    assert.equal(approval.request?.agent, 'runner');
    assert.deepEqual(approval.request?.details.type === 'exec' && approval.request.details.command, COMMAND);
    assert.equal(card().agent?.waits, true);
    assert.deepEqual(ours(), []);
    window.end.say({ type: 'answer', requestId: approval.requestId });
    await soon('the end', () => window.end.state?.running === false);
    assert.equal(card().agent?.waits, false);
    assert.deepEqual(ours(), []);
  });

  it('has a terminal with the name of its command, which opens from its thread', async () => {
    await running();
    assert.equal(ours()[0]?.name, `Gantry: ${COMMAND}`);
    const { agent } = card();
    window.end.say({ type: 'openTerminal', callId: agent?.steps.at(-1)?.id, threadId: agent?.threadId });
    await soon('it to be shown', () => vscode.window.activeTerminal?.name === `Gantry: ${COMMAND}`);
    await window.session.stop();
  });

  it('ends with Stop on its card, and the conversation continues', async () => {
    await running();
    window.end.say({ type: 'stopAgent', callId: card().id });
    assert.notEqual((await commands[0]?.ended)?.exitCode ?? 1, 0);
    await soon('the end', () => window.end.state?.running === false);
    assert.equal(card().status, 'cancelled');
    assert.ok(window.session.entries.some((entry) => entry.kind === 'answer' && entry.text === 'I see.'));
    assert.equal(
      window.session.entries.some(({ kind }) => kind === 'problem'),
      false,
    );
  });

  it('opens as a session of its own', async () => {
    const { requestId } = await asked();
    const threadId = card().agent?.threadId ?? '';
    window.end.say({ type: 'answer', requestId });
    await soon('the end', () => window.end.state?.running === false);
    window.end.say({ type: 'resume', id: threadId });
    await soon('its session', () => window.session.id === threadId);
    await soon('its command', () => tools().some(({ subject }) => subject.includes('from-agent')));
    assert.ok(
      window.session.entries.some((entry) => entry.kind === 'user' && entry.text.startsWith('Start the engine')),
    );
  });
});
