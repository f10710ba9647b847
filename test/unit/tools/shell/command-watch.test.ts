import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { afterEach, describe, it } from 'mocha';
import { RunningCommand } from '../../../../extension/processes/shell/running-command.ts';
import { watchCommand } from '../../../../extension/tools/shell/command-watch.ts';
import type { ReadyServer } from '../../../../extension/tools/shell/server-ready.ts';
import { eventually } from '../../../support/poll.ts';
import { createPtyShell } from '../../../support/shells.ts';

describe('A command that is watched', () => {
  const started: RunningCommand[] = [];
  afterEach(async () => {
    await Promise.all(started.splice(0).map((command) => command.kill()));
  });

  interface Watched {
    readonly command: RunningCommand;
    readonly waiting: boolean[];
    readonly servers: ReadyServer[];
  }

  const watch = (line: string): Watched => {
    const shell = createPtyShell(process.env);
    const command = new RunningCommand(shell.start(line, { folder: tmpdir() }), line, tmpdir());
    started.push(command);
    const waiting: boolean[] = [];
    const servers: ReadyServer[] = [];
    watchCommand(
      command,
      { onWaiting: (now) => waiting.push(now), onServer: (server) => servers.push(server) },
      { inputMs: 150, serverMs: 300 },
    );
    return { command, waiting, servers };
  };
  const seen = (what: string, holds: () => boolean): Promise<true> =>
    eventually(what, () => holds() || undefined, { intervalMs: 10 });

  it('waits for input from its question to its answer', async () => {
    const { command, waiting } = watch('read -p "Name: " name; echo "Hello $name"; sleep 100');
    await seen('that it waits', () => waiting.at(-1) === true);
    command.write('Ada\r');
    await seen('that it does not wait any more', () => waiting.at(-1) === false);
    assert.deepEqual(waiting, [true, false]);
  });

  it('is known to wait without a question where the system tells who reads', async function () {
    if (process.platform !== 'linux') this.skip();
    const { waiting } = watch('echo Paste it here and press Ctrl+D.; cat > /dev/null');
    await seen('that it waits', () => waiting.at(-1) === true);
  });

  it('does not wait while it works without a word', async () => {
    const { command, waiting } = watch('echo Working; sleep 0.8');
    await command.ended;
    assert.deepEqual(waiting, []);
  });

  it('is a server once it has come up and is quiet', async () => {
    const { command, servers, waiting } = watch('echo "Listening on http://localhost:4321/"; sleep 100');
    await seen('a server', () => servers.length > 0);
    assert.deepEqual(servers, [{ url: 'http://localhost:4321/' }]);
    assert.deepEqual(waiting, []);
    assert.equal(command.exit, undefined);
  });

  it('is no server when it goes on to its end', async () => {
    const { command, servers } = watch('echo "Listening on port 1"; for i in 1 2 3 4 5 6; do sleep 0.1; echo $i; done');
    await command.ended;
    assert.deepEqual(servers, []);
  });
});
