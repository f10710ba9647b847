import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ShellExit } from '../../../../extension/ports/shell.ts';
import { findShellProgram, type ShellProgram } from '../../../../extension/processes/shell/shell-program.ts';
import { createProcessMark, type ProcessMark } from '../../../support/marked-processes.ts';
import { eventually } from '../../../support/poll.ts';
import { SHELLS, type Watched, watch } from '../../../support/shells.ts';
import { createTempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';
import { runs } from '../../../support/test-size.ts';

const MEGABYTES = runs(5, 20);

for (const [name, createShell] of SHELLS) {
  describe(`A command on ${name}`, () => {
    let workspace: TempWorkspace;
    let mark: ProcessMark;
    let started: Watched[];

    beforeEach(async () => {
      started = [];
      workspace = await createTempWorkspace();
      mark = createProcessMark();
    });
    afterEach(async function () {
      // One that failed may have left something; the others must not.
      if (this.currentTest?.isFailed()) await Promise.all(started.map((watched) => watched.process.kill()));
      await mark.expectNone();
      await workspace.dispose();
    });

    const start = (command: string, folder = workspace.path, program?: ShellProgram): Watched => {
      const shell = createShell({ ...process.env, ...mark.environment }, program);
      const watched = watch(shell.start(command, { folder }));
      started.push(watched);
      return watched;
    };
    const run = async (command: string): Promise<{ exit: ShellExit; output: string }> => {
      const watched = start(command);
      return { exit: await watched.exit, output: watched.output() };
    };

    describe('tells how it ended', () => {
      const cases: readonly [command: string, exitCode: number | null, signal: string | null][] = [
        ['true', 0, null],
        ['exit 3', 3, null],
        ['no-such-program-here', 127, null],
        ['kill -9 $$', 137, 'SIGKILL'],
        ['kill -TERM $$', 143, 'SIGTERM'],
        ['sh -c "kill -9 \\$\\$"; exit $?', 137, 'SIGKILL'],
        ['exit 200', 200, null],
        ['if then', 2, null],
        // Not taken for an option of the shell.
        ['--version', 127, null],
      ];
      for (const [command, exitCode, signal] of cases) {
        it(command, async () => {
          assert.deepEqual((await run(command)).exit, { exitCode, signal });
        });
      }
    });

    it('gets its command as it is, without another shell in between', async () => {
      const { output } = await run(`printf '%s|' "a  b" '$HOME' "it's" \\\\ 'ä🙂'`);
      assert.equal(output, "a  b|$HOME|it's|\\|ä🙂|");
    });

    it('gives output and error output with the line ends of a terminal', async () => {
      const { output } = await run('echo one; echo two >&2');
      assert.deepEqual(output.split('\r\n').sort(), ['', 'one', 'two']);
    });

    it('loses nothing when nobody reads for a while', async () => {
      const watched = start('seq 1 5000');
      for (const until = Date.now() + 100; Date.now() < until; );
      await watched.exit;
      assert.equal(watched.output(), Array.from({ length: 5000 }, (_, index) => `${index + 1}\r\n`).join(''));
    });

    it('runs in its folder and in a process group of its own', async () => {
      const watched = start(`pwd; ps -o pgid= -p $$`);
      await watched.exit;
      const [folder, group] = watched.output().trim().split(/\s+/);
      assert.equal(folder, workspace.path);
      assert.equal(Number(group), watched.process.pid);
    });

    it(`loses nothing of ${MEGABYTES} MB, and takes little memory for it`, async () => {
      const before = process.memoryUsage().rss;
      const shell = createShell({ ...process.env, ...mark.environment });
      const running = shell.start(`yes 123456789 | head -c ${MEGABYTES}000000`, { folder: workspace.path });
      let lines = 0;
      running.onOutput((chunk) => {
        lines += chunk.split('\n').length - 1;
      });
      assert.equal((await running.ended).exitCode, 0);
      assert.equal(lines, MEGABYTES * 100_000);
      const growth = (process.memoryUsage().rss - before) / 1024 / 1024;
      assert.ok(growth < 150, `${growth.toFixed(0)} MB`);
    });

    describe('that cannot be started says why', () => {
      const missing: ShellProgram = { file: '/no/such/shell', argumentsFor: (command) => [command] };
      const cases: readonly [what: string, reason: RegExp, start: () => Watched][] = [
        ['a missing folder', /^There is no folder .*gone\.$/, () => start('true', join(workspace.path, 'gone'))],
        ['a folder that is a file', /not a folder/, () => start('true', join(workspace.path, 'file.txt'))],
        ['a missing shell', /^There is no program \/no\/such\/shell\.$/, () => start('true', workspace.path, missing)],
        ['a command with NUL', /NUL/, () => start('true\0rm')],
        ['a command beyond what the system takes', /too long/, () => start(`: ${'x'.repeat(131_072)}`)],
      ];
      for (const [what, reason, begin] of cases) {
        it(what, async () => {
          await workspace.write({ 'file.txt': '' });
          const { process: running, exit } = begin();
          assert.equal(running.pid, undefined);
          const { failure, exitCode, signal } = await exit;
          assert.match(failure ?? '', reason);
          assert.deepEqual([exitCode, signal], [null, null]);
          await running.kill();
        });
      }
    });

    it('runs with sh where there is no bash', async () => {
      const program = findShellProgram(process.platform, (path) => path === '/bin/sh');
      assert.equal(program?.file, '/bin/sh');
      const watched = start('echo "shell: $0"', workspace.path, program);
      assert.deepEqual(await watched.exit, { exitCode: 0, signal: null });
      assert.match(watched.output(), /^shell: /);
    });

    describe('when it is killed', () => {
      const cases: readonly [what: string, command: string, ready: RegExp, processes: number][] = [
        ['ends at once', 'echo ready; sleep 1000', /ready/, 1],
        ['takes its children with it', 'sleep 1000 & sleep 1000 & echo ready; wait', /ready/, 3],
        ['takes children in other sessions with it', 'setsid sleep 1000 & echo ready; wait', /ready/, 2],
        [
          'takes children that ignore the hang-up with it',
          'nohup sleep 1000 >/dev/null & echo ready; wait',
          /ready/,
          2,
        ],
        [
          'is made to end if it does not want to',
          `trap '' TERM HUP INT; echo ready; while :; do sleep 0.05; done`,
          /ready/,
          1,
        ],
        [
          'takes orphans with it',
          '(setsid sh -c "sleep 1000 & sleep 1000" >/dev/null &); echo ready; sleep 1000',
          /ready/,
          4,
        ],
        ['takes children with an empty environment with it', 'env -i sleep 1000 & echo ready; wait', /ready/, 1],
        ['ends when it is stopped itself', 'echo ready; kill -STOP $$', /ready/, 1],
        ['takes stopped children with it', 'sleep 1000 & kill -STOP $!; echo ready; wait', /ready/, 2],
      ];
      for (const [what, command, ready, processes] of cases) {
        it(what, async () => {
          const watched = start(command);
          await watched.sees(ready);
          await eventually('its processes', () => mark.running().length >= processes, {
            intervalMs: 10,
            timeoutMs: 10_000,
          });
          await watched.process.kill();
          assert.deepEqual(mark.running(), []);
          assert.match((await watched.exit).signal ?? '', /SIGTERM|SIGKILL/);
        });
      }

      it('can be killed again, and after its end', async () => {
        const watched = start('echo ready; sleep 1000');
        await watched.sees('ready');
        await Promise.all([watched.process.kill(), watched.process.kill()]);
        await watched.process.kill();
        watched.process.write('x');
        watched.process.resize(10, 10);
      });

      it('may tidy up first', async () => {
        const watched = start(`trap 'echo tidied; exit 5' TERM; echo ready; while :; do sleep 0.01; done`);
        await watched.sees('ready');
        await watched.process.kill();
        assert.match(watched.output(), /tidied/);
        assert.deepEqual(await watched.exit, { exitCode: 5, signal: null });
      });
    });

    describe('when it leaves something running', () => {
      it('hangs up on it', async () => {
        const { exit } = await run('sleep 1000 & sleep 1000 & echo done');
        assert.deepEqual(exit, { exitCode: 0, signal: null });
      });

      const isUp = 'until test -s up.txt; do :; done';
      const keepers = [
        `nohup sh -c 'echo up >up.txt; exec sleep 1000' & ${isUp}; echo $!`,
        `trap "" HUP; sleep 1000 & echo $!`,
      ];
      for (const keeper of keepers) {
        it(`does not wait for it, and names it: ${keeper}`, async () => {
          const watched = start(keeper);
          const exit = await watched.exit;
          const child = Number(/\d+\s*$/.exec(watched.output().trim())?.[0]);
          assert.deepEqual(exit, { exitCode: 0, signal: null, leftRunning: [child] });
          await watched.process.kill();
          assert.deepEqual(mark.running(), []);
        });
      }

      it('finds what left the process group', async () => {
        const { exit, process: running } = start(`setsid sh -c 'echo up >up.txt; exec sleep 1000' & ${isUp}`);
        const { leftRunning } = await exit;
        assert.deepEqual(leftRunning, mark.running());
        assert.equal(leftRunning?.length, 1);
        await running.kill();
      });
    });
  }).timeout(20_000);
}
