import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { describe, it } from 'mocha';
import { PipeShell } from '../../../../extension/processes/shell/pipe-shell.ts';
import { findShellProgram } from '../../../../extension/processes/shell/shell-program.ts';
import { watch } from '../../../support/shells.ts';

describe('A command without a terminal', () => {
  const shell = new PipeShell({ environment: process.env, program: findShellProgram() });

  it('says that it cannot be typed into, and still ends with Ctrl+C', async function () {
    if (process.platform === 'win32') this.skip();
    const { process: running, sees, exit } = watch(shell.start('echo begun; sleep 1000', { folder: tmpdir() }));
    await sees('begun');
    assert.equal(running.takesInput, false);
    running.write('words\r');
    running.write('\x03');
    assert.equal((await exit).signal, 'SIGINT');
  });
});
