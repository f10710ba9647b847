import { join } from 'node:path';
import { version } from '../../package.json';
import { runCommand } from './command.ts';
import { listenForInterrupts } from './interrupts.ts';

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
