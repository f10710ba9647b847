import type { ShellPort } from '../../ports/shell.ts';
import { PipeShell } from './pipe-shell.ts';
import type { ShellOptions } from './prepare-start.ts';
import { loadPty, PtyShell } from './pty-shell.ts';
import { findShellProgram } from './shell-program.ts';

/** The best shell that this machine supports: commands in a terminal, or else on pipes. */
export function createShell(
  assets: string,
  /** Called for every command. */
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
