import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { ShellExit, ShellPort, ShellProcess, ShellStart } from '../../ports/shell.ts';
import { startFailure } from '../start-failure.ts';
import { sendSignal } from './end-processes.ts';
import { exitStatus } from './exit-status.ts';
import { type PreparedStart, prepareStart, releasedAtEnd, type ShellOptions } from './prepare-start.ts';
import { failedRun, ShellRun, type StartedShell } from './shell-run.ts';

const CTRL_C = '\x03';

/** Runs commands without a terminal, for machines on which node-pty doesn't load. They don't accept input. */
export class PipeShell implements ShellPort {
  private readonly options: ShellOptions;

  constructor(options: ShellOptions) {
    this.options = options;
  }

  start(command: string, start: ShellStart): ShellProcess {
    return releasedAtEnd(this.run(command, start), start);
  }

  private run(command: string, start: ShellStart): ShellProcess {
    const prepared = prepareStart(command, start, this.options);
    if ('failure' in prepared) return failedRun(prepared.failure);
    try {
      const shell = startOnPipes(prepared);
      return shell ? new ShellRun(shell, prepared, false) : failedRun('The shell could not be started.');
    } catch (error) {
      return failedRun(startFailure(error, prepared));
    }
  }
}

function startOnPipes({ file, args, folder, environment }: PreparedStart): StartedShell | undefined {
  const child = spawn(file, [...args], {
    cwd: folder,
    env: environment,
    // Starts its own process group. On Windows, this would open a console window.
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { pid, stdout, stderr } = child;
  if (pid === undefined) {
    child.on('error', () => undefined);
    return undefined;
  }
  let count = 0;
  const closed = once(child, 'close');
  const exit = new Promise<ShellExit>((resolve) => {
    child.once('exit', async (exitCode, signal) => {
      // A terminal also hangs up on processes that are left running in it.
      if (process.platform !== 'win32') sendSignal(-pid, 'SIGHUP');
      await drained(closed, () => count);
      stdout.destroy();
      stderr.destroy();
      resolve(exitStatus(exitCode, signal));
    });
  });
  return {
    pid,
    exit,
    onOutput: (listener) => {
      for (const stream of [stdout, stderr]) {
        const decoder = new StringDecoder('utf8');
        stream.on('data', (bytes: Buffer) => {
          count += bytes.length;
          // A terminal only returns to the first column after a carriage return.
          listener(decoder.write(bytes).replace(/\r?\n/g, '\r\n'));
        });
      }
    },
    // Without a terminal, nothing else converts the key to a signal.
    write: (input) => {
      if (input.includes(CTRL_C) && process.platform !== 'win32') sendSignal(-pid, 'SIGINT');
    },
    resize: () => undefined,
  };
}

/** After such a pause, any further output is assumed to come from another process. */
const QUIET_MS = 200;
/** A process that was left behind may write forever. */
const MAX_DRAIN_MS = 2000;

/**
 * Waits for the rest of the output after a shell has ended: until the stream is closed or, if another process keeps it
 * open, until no more output arrives. `count` returns the number of bytes so far.
 */
async function drained(closed: Promise<unknown>, count: () => number): Promise<void> {
  const stop = new AbortController();
  const quiet = async (): Promise<void> => {
    const deadline = Date.now() + MAX_DRAIN_MS;
    let before: number;
    do {
      before = count();
      await delay(QUIET_MS, undefined, { signal: stop.signal });
      // On a busy machine, the timer may fire before anything was read. Node reads between timers and this.
      await nextTurn();
    } while (count() !== before && Date.now() < deadline);
  };
  await Promise.race([closed, quiet().catch(() => undefined)]);
  stop.abort();
}
