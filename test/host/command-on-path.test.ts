import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { eventually } from '../support/poll.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';

describe('The command gantry in terminals', () => {
  const gantry = vscode.extensions.getExtension('gantry.gantry') ?? assert.fail('the extension is not installed');
  let folder: TempFolder;

  beforeEach(async () => {
    folder = await tempFolder('path');
  });
  afterEach(async () => {
    await addToPath(undefined);
    await folder.dispose();
  });

  const addToPath = async (value: boolean | undefined): Promise<void> =>
    vscode.workspace.getConfiguration('gantry').update('terminal.addToPath', value, vscode.ConfigurationTarget.Global);

  /** What a new terminal says of `gantry`: where it is, if anywhere, and its version. There is no other program on its PATH. */
  async function asked(): Promise<string> {
    const said = join(folder.path, 'said');
    // Without the startup files of whoever runs the tests, which may take as long as they like.
    const terminal = vscode.window.createTerminal({
      cwd: folder.path,
      shellPath: '/bin/sh',
      env: { PATH: folder.path },
    });
    try {
      terminal.sendText('(command -v gantry; gantry --version; echo done) > said 2>&1');
      return await eventually('the answer of a terminal', async () => {
        const text = existsSync(said) ? await readFile(said, 'utf8') : '';
        return /^done$/m.test(text) ? text : undefined;
      });
    } finally {
      terminal.dispose();
      await rm(said, { force: true });
    }
  }

  it('is the one of this extension, and needs no Node that somebody installed', async () => {
    await gantry.activate();
    assert.equal(
      await asked(),
      `${join(gantry.extensionPath, 'dist', 'assets', 'bin', 'gantry')}\n${gantry.packageJSON.version}\ndone\n`,
    );
  });

  it('is not there when a setting says so', async () => {
    await gantry.activate();
    await addToPath(false);
    await eventually('a terminal without it', async () => !(await asked()).includes(gantry.extensionPath));
  });
});
