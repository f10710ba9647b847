import type { ShellPort } from '../../ports/shell.ts';
import { PipeShell } from './pipe-shell.ts';
import type { ShellOptions } from './prepare-start.ts';
import { loadPty, PtyShell } from './pty-shell.ts';
import { findShellProgram } from './shell-program.ts';

/** The best that this machine has: commands on a terminal, or else on pipes. */
export function createShell(
  assets: string,
  /** Asked for every command. */
  environment: () => Readonly<Record<string, string | undefined>>,
  program = findShellProgram(),
): ShellPort {
  const pty = loadPty(assets);
  const options: ShellOptions = {
    get environment() {
      return environment();
    },
    program,
  };
  return pty ? new PtyShell(pty, options) : new PipeShell(options);
}
