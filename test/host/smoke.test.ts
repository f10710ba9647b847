import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { eventually } from '../support/poll.ts';

describe('Gantry in the extension host', () => {
  function gantry(): vscode.Extension<unknown> {
    const extension = vscode.extensions.getExtension('gantry.gantry');
    assert.ok(extension, 'the extension is not installed');
    return extension;
  }

  it('activates', async () => {
    await gantry().activate();
    assert.equal(gantry().isActive, true);
  });

  it('registers the commands of its manifest', async () => {
    await gantry().activate();
    const declared = (gantry().packageJSON as { contributes: { commands: { command: string }[] } }).contributes
      .commands;
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      declared.map(({ command }) => command).filter((command) => !registered.has(command)),
      [],
    );
  });

  it('runs with no node_modules in reach', () => {
    for (let folder = gantry().extensionPath; folder !== dirname(folder); folder = dirname(folder)) {
      assert.equal(existsSync(join(folder, 'node_modules')), false, `${folder} has node_modules`);
    }
  });

  it('has a folder open that it may trust', () => {
    assert.equal(vscode.workspace.workspaceFolders?.length, 1);
    assert.equal(vscode.workspace.isTrusted, true);
  });

  it('finds files and their text through VS Code', async () => {
    const found = await vscode.workspace.findFiles('**/*.md');
    assert.ok(found.some((uri) => vscode.workspace.asRelativePath(uri) === 'README.md'));
  });

  it('has a terminal that runs commands', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    // Without the startup files of whoever runs the tests, which may take as long as they like.
    const shell = process.platform === 'win32' ? {} : { shellPath: '/bin/sh' };
    const terminal = vscode.window.createTerminal({ name: 'smoke', cwd: folder, ...shell });
    try {
      terminal.sendText('echo hello > said.txt');
      await eventually('the command in the terminal', () => existsSync(join(folder, 'said.txt')));
    } finally {
      terminal.dispose();
    }
  });
});
