import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import type { ShellExit, ShellPort, ShellProcess } from '../../extension/ports/shell.ts';
import { PipeShell } from '../../extension/processes/shell/pipe-shell.ts';
import { loadPty, PtyShell } from '../../extension/processes/shell/pty-shell.ts';
import { findShellProgram, type ShellProgram } from '../../extension/processes/shell/shell-program.ts';
import { eventually } from './poll.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type MakeShell = (environment: Environment, program?: ShellProgram) => ShellPort;

export const ASSETS = resolve('out/assets');

export const createPtyShell: MakeShell = (environment, program = findShellProgram()) => {
  const pty = loadPty(ASSETS);
  assert.ok(pty, 'node-pty loads from the assets');
  return new PtyShell(pty, { environment, program });
};

const createPipeShell: MakeShell = (environment, program = findShellProgram()) =>
  new PipeShell({ environment, program });

/** Both ways to run a command, which must behave alike. */
export const SHELLS: readonly [name: string, create: MakeShell][] = [
  ['a terminal', createPtyShell],
  ['pipes', createPipeShell],
];

export interface Watched {
  readonly process: ShellProcess;
  readonly exit: Promise<ShellExit>;
  output(): string;
  /** Resolves when the output matches. */
  sees(text: string | RegExp): Promise<RegExpMatchArray>;
}

export function watch(process: ShellProcess): Watched {
  let text = '';
  process.onOutput((chunk) => {
    text += chunk;
  });
  const sees = (wanted: string | RegExp): Promise<RegExpMatchArray> =>
    eventually(`the output ${wanted}`, () => text.match(wanted) ?? undefined, { intervalMs: 10, timeoutMs: 10_000 });
  return { process, exit: process.ended, output: () => text, sees };
}
