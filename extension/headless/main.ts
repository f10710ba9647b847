import { join } from 'node:path';
import { version } from '../../package.json';
import { runCommand } from './command.ts';
import { ExitCode } from './exit-code.ts';

// For this program alone, where VS Code runs it (bin/gantry). Commands may start VS Code, or another Electron, as what it is.
delete process.env['ELECTRON_RUN_AS_NODE'];

void runCommand(process.argv.slice(2), {
  version,
  cwd: process.cwd(),
  environment: process.env,
  assets: join(__dirname, 'assets'),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  interrupted: listenForInterrupts(process),
}).then((code) => {
  // Not `process.exit`: what is still on its way to a pipe would be lost.
  process.exitCode = code;
});

type Interrupt = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

interface InterruptSource {
  on(signal: Interrupt, listener: () => void): unknown;
  exit(code: number): void;
}

/**
 * The first signal asks the run to end, so that what was answered is kept and printed; the next one ends the process at
 * once. A terminal that closes hangs up twice, through the kernel and through its shell: that is one wish.
 */
export function listenForInterrupts(source: InterruptSource): AbortSignal {
  const interrupted = new AbortController();
  const interrupt = (): void => {
    if (interrupted.signal.aborted) source.exit(ExitCode.interrupted);
    else interrupted.abort();
  };
  source.on('SIGINT', interrupt);
  source.on('SIGTERM', interrupt);
  source.on('SIGHUP', () => interrupted.abort());
  return interrupted.signal;
}
