import { PipeShell } from '../../extension/processes/shell/pipe-shell.ts';
import { findShellProgram } from '../../extension/processes/shell/shell-program.ts';
import { NO_SANDBOX, Sandbox } from '../../extension/sandbox/sandbox.ts';
import { repoRoot } from '../support/repo.ts';
import { median } from './statistics.ts';

export interface SandboxFigures {
  /** Milliseconds of `true` without a sandbox, and in one, with finding out what it may reach. */
  readonly bareMs: number;
  readonly confinedMs: number;
}

const COMMANDS = 15;

/** Side by side, one after the other, in this repository. Undefined where there is no sandbox. */
export async function measureSandbox(): Promise<SandboxFigures | undefined> {
  const environment = process.env;
  const sandbox = new Sandbox({ settings: () => NO_SANDBOX, environment: () => environment, secrets: () => [] });
  if ('missing' in (await sandbox.support())) return undefined;
  const shell = new PipeShell({ environment, program: findShellProgram() });
  const bare: number[] = [];
  const confined: number[] = [];
  for (let index = 0; index < COMMANDS; index++) {
    const first = performance.now();
    await shell.start('true', { folder: repoRoot }).ended;
    const second = performance.now();
    const confinement = await sandbox.confine({ roots: [repoRoot], readOnly: false });
    await shell.start('true', { folder: repoRoot, confinement }).ended;
    confined.push(performance.now() - second);
    bare.push(second - first);
  }
  await sandbox.dispose();
  return { bareMs: median(bare), confinedMs: median(confined) };
}
