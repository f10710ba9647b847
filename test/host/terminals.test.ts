import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { TerminalCommand, TerminalsPort } from '../../extension/ports/terminals.ts';
import type { AgentSession } from '../../extension/protocol/agent/agent-session.ts';
import { Transcript } from '../../extension/protocol/transcript/transcript.ts';
import type { Entry } from '../../extension/protocol/transcript/transcript-entry.ts';
import type { AgentService } from '../../extension/runtime/agent-service.ts';
import { RuntimeLoader } from '../../extension/vscode/runtime-loader.ts';
import { TerminalPanes } from '../../extension/vscode/terminals/terminal-panes.ts';
import { eventually } from '../support/poll.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';
import { testHost } from '../support/test-host.ts';

describe('Terminal panes', () => {
  let folder: TempFolder;
  let panes: TerminalPanes;
  let service: AgentService;
  let session: AgentSession;
  let commands: TerminalCommand[];

  beforeEach(async () => {
    folder = await tempFolder('panes');
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
    const host = testHost({ roots: [folder.path], environment: { PATH: process.env['PATH'] ?? '' } });
    const extension = vscode.extensions.getExtension('gantry.gantry');
    assert.ok(extension);
    const assets = join(extension.extensionPath, 'dist', 'assets');
    service = await new RuntimeLoader({ ...host, assets, terminals }).load();
    session = await service.createSession();
  });
  afterEach(async () => {
    await service.dispose();
    panes.dispose();
    await soon('no terminal of ours', () => ours().length === 0);
    await vscode.commands.executeCommand('workbench.action.closePanel');
    await folder.dispose();
  });

  const soon = (what: string, holds: () => boolean): Promise<true> =>
    eventually(what, () => holds() || undefined, { intervalMs: 20 });
  const ours = (): vscode.Terminal[] => vscode.window.terminals.filter(({ name }) => name.startsWith('Gantry: '));
  const names = (): string[] => ours().map(({ name }) => name);
  const run = async (command: string): Promise<TerminalCommand> => {
    await service.runUserCommand(session, command);
    const started = commands.at(-1);
    assert.ok(started);
    return started;
  };
  const wrote = (command: TerminalCommand, text: string): Promise<true> =>
    soon(`"${text}"`, () => command.outputSoFar(10_000).includes(text));
  const cards = (): Extract<Entry, { kind: 'tool' }>[] => {
    const transcript = new Transcript();
    for (const event of session.events) transcript.apply(event);
    return transcript.entries.filter((entry) => entry.kind === 'tool');
  };

  it('have the name of their command and do not take the place of the active editor', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'here' });
    const editor = await vscode.window.showTextDocument(document);
    await run('sleep 1000 # npm\u200btest');
    await soon('a terminal', () => ours().length === 1);
    assert.deepEqual(names(), ['Gantry: sleep 1000 # npm\\u{200b}test']);
    assert.equal(vscode.window.activeTextEditor, editor);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('give what is typed to the command, and Ctrl+C too', async () => {
    const command = await run(
      'read -p "Name: " n; echo "Hello $n"; trap "echo caught; exit 7" INT; while :; do sleep 0.05; done',
    );
    await wrote(command, 'Name:');
    const [terminal] = ours();
    terminal?.sendText('Ada');
    await wrote(command, 'Hello Ada');
    terminal?.sendText('\x03', false);
    await wrote(command, 'caught');
    assert.equal((await command.ended).exitCode, 7);
  });

  it('tell the command how large they are once they are seen', async () => {
    const command = await run('while :; do stty size; sleep 0.05; done');
    assert.equal(panes.reveal(command.sessionId, command.callId), true);
    const size = (): string | undefined => command.outputSoFar(100).match(/\d+ \d+(?=\r\n$)/)?.[0];
    // Not the size that commands begin with.
    await soon('the size of the pane', () => ![undefined, '30 120'].includes(size()));
  });

  it('are used again for the same command when it has ended, and not before', async () => {
    const first = await run('read x');
    const second = await run('read x');
    await soon('two terminals', () => ours().length === 2);
    second.write('\r');
    await second.ended;
    const third = await run('read x');
    assert.equal(ours().length, 2);
    ours().at(-1)?.sendText('for the third');
    assert.equal((await third.ended).exitCode, 0);
    assert.deepEqual(names(), ['Gantry: read x', 'Gantry: read x']);
    // As often as it is asked for.
    assert.equal(panes.reveal(second.sessionId, second.callId), true);
    assert.equal(panes.reveal(second.sessionId, second.callId), true);
    assert.deepEqual(
      panes.commands.map(({ callId }) => callId),
      [first, second, third].map(({ callId }) => callId),
    );
    assert.equal(panes.reveal('another', second.callId), false);
    first.close();
    await first.ended;
  });

  it('are closed when too many have nothing to do', async () => {
    const all = [];
    for (let count = 0; count < 6; count++) all.push(await run(`read x; exit ${count}`));
    await soon('six terminals', () => ours().length === 6);
    for (const command of all) command.write('\r');
    await Promise.all(all.map(({ ended }) => ended));
    await soon('three terminals', () => ours().length <= 3);
  });

  it('end their command when they are closed', async () => {
    const command = await run('sleep 1000');
    await soon('a terminal', () => ours().length === 1);
    const [terminal] = ours();
    const seen: number[] = [];
    panes.onDidChange(() => seen.push(panes.commands.length));
    terminal?.dispose();
    assert.equal((await command.ended).signal, 'SIGTERM');
    await soon('the end on the card', () => cards()[0]?.summary === 'stopped');
    assert.equal(panes.reveal(command.sessionId, command.callId), false);
    assert.equal(seen.at(-1), 0);
  });
});
