import { join } from 'node:path';
import { version } from '../../package.json';
import { runCommand } from './command.ts';
import { listenForInterrupts } from './interrupts.ts';

// bin/gantry sets this, because VS Code may run Gantry. Commands that start VS Code or another Electron app must not
// inherit it.
delete process.env['ELECTRON_RUN_AS_NODE'];

void runCommand(process.argv.slice(2), {
  version,
  cwd: process.cwd(),
  // A copy, because Node asks the system for each variable. On Windows, their names have no fixed case.
  environment: process.platform === 'win32' ? process.env : { ...process.env },
  assets: join(__dirname, 'assets'),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  interrupted: listenForInterrupts(process),
  ownsProcess: true,
}).then((code) => {
  // Don't use `process.exit`, which would lose output that is still being written to a pipe.
  process.exitCode = code;
});
