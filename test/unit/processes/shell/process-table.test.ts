import assert from 'node:assert/strict';
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ShellProcess } from '../../../../extension/ports/shell.ts';
import { type BackgroundProcess, ProcessTable } from '../../../../extension/processes/shell/process-table.ts';
import { RunningCommand } from '../../../../extension/processes/shell/running-command.ts';
import { createProcessMark, type ProcessMark } from '../../../support/marked-processes.ts';
import { eventually } from '../../../support/poll.ts';
import { createPtyShell } from '../../../support/shells.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';

describe('The process table of a session', () => {
  let folder: TempFolder;
  let mark: ProcessMark;
  let ended: BackgroundProcess[];
  let table: ProcessTable;

  beforeEach(async () => {
    folder = await tempFolder('process-table');
    mark = createProcessMark();
    ended = [];
    table = new ProcessTable({ outputFolder: folder.path, onEnded: (process) => ended.push(process) });
  });
  afterEach(async () => {
    await table.dispose();
    await mark.expectNone();
    await folder.dispose();
  });

  const start = (command: string): RunningCommand => {
    const shell = createPtyShell({ ...process.env, ...mark.environment });
    return new RunningCommand(shell.start(command, { folder: folder.path }), command, folder.path);
  };
  const adopt = (command: RunningCommand): BackgroundProcess => {
    const adopted = table.adopt(command, 'call-1');
    assert.ok(adopted);
    return adopted;
  };
  const outputOf = (pid: number, text: string): Promise<true> =>
    eventually(`"${text}"`, async () => (await table.read(pid, 100))?.includes(text) || undefined, { intervalMs: 10 });

  it('keeps a server running, and shows what it writes', async () => {
    const { pid } = adopt(start('echo listening; while read line; do echo "got $line"; done'));
    await outputOf(pid, 'listening');
    assert.deepEqual(
      table.list().map(({ pid: id, exit, endedAt }) => [id, exit, endedAt]),
      [[pid, undefined, undefined]],
    );
    await table.stop(pid);
    const [stopped] = table.list();
    assert.match(stopped?.exit?.signal ?? '', /SIG(TERM|KILL)/);
    assert.ok((stopped?.endedAt ?? 0) >= (stopped?.startedAt ?? Number.NaN));
  });

  it('reports an end once, with the exit code', async () => {
    const command = start('echo bye; exit 7');
    const { pid } = adopt(command);
    await eventually('the end', () => ended.length > 0, { intervalMs: 10 });
    assert.deepEqual(
      ended.map((process) => [process.pid, process.exit?.exitCode, process.command]),
      [[pid, 7, 'echo bye; exit 7']],
    );
  });

  it('gives the last lines', async () => {
    const command = start('seq 1 5000');
    const { pid } = adopt(command);
    await command.ended;
    assert.equal(await table.read(pid, 3), '4998\n4999\n5000');
    assert.equal(await table.read(pid + 1_000_000, 3), undefined);
  });

  it('has the whole output in a file, without colours, from before it was taken over', async () => {
    const command = start('printf "\\033[31mearly\\033[0m\\n"; read; printf "late\\n"');
    await eventually('the first output', () => command.output.total > 0, { intervalMs: 10 });
    const { pid, logFile } = adopt(command);
    command.write('\r');
    await command.ended;
    await table.stop(pid);
    assert.match(await readFile(logFile ?? '', 'utf8'), /^early\n\n?late\n$/);
  });

  it('does not write through a link that waits in its place', async () => {
    const command = start('echo secret');
    const logFile = join(folder.path, `background-${command.pid}-${command.startedAt}.log`);
    await symlink(join(folder.path, 'target'), logFile);
    const { pid } = adopt(command);
    await command.ended;
    await table.stop(pid);
    await assert.rejects(readFile(join(folder.path, 'target')), { code: 'ENOENT' });
  });

  it('remembers the last hundred that ended, and all that run', async () => {
    const finished = (pid: number): ShellProcess => ({
      pid,
      ended: Promise.resolve({ exitCode: 0, signal: null }),
      onOutput: () => () => undefined,
      write: () => undefined,
      resize: () => undefined,
      kill: () => Promise.resolve(),
    });
    const { pid: running } = adopt(start('sleep 1000'));
    for (let pid = 1_000_001; pid <= 1_000_120; pid++) {
      adopt(new RunningCommand(finished(pid), 'true', folder.path));
      await table.stop(pid);
    }
    const pids = table.list().map(({ pid }) => pid);
    assert.equal(pids.length, 101);
    assert.deepEqual([pids[0], pids[1], pids.at(-1)], [running, 1_000_021, 1_000_120]);
  });

  it('ends everything when the session does', async () => {
    adopt(start('sleep 1000 & sleep 1000'));
    adopt(start('setsid sleep 1000 & wait'));
    table.foreground.add('call-1', start('sleep 1000'), () => undefined);
    await table.dispose();
    assert.deepEqual(mark.running(), []);
  });
}).timeout(20_000);
