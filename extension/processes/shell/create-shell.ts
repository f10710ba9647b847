import type { ShellPort } from '../../runtime/host.ts';
import { PipeShell } from './pipe-shell.ts';
import { loadPty, PtyShell } from './pty-shell.ts';
import { findShellProgram } from './shell-program.ts';

/** The best that this machine has: commands on a terminal, or else on pipes. */
export function createShell(
  assets: string,
  environment: Readonly<Record<string, string | undefined>>,
  program = findShellProgram(),
): ShellPort {
  const pty = loadPty(assets);
  return pty ? new PtyShell(pty, { environment, program }) : new PipeShell({ environment, program });
}
