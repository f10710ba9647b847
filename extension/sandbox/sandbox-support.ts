import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { bareEnvironment, type ProgramEnd, runProgram } from '../processes/run-program.ts';
import type { SandboxKind } from '../protocol/agent/sandbox-block.ts';
import { bubblewrapGround } from './bubblewrap.ts';
import { seatbeltProfile } from './seatbelt.ts';

export interface SandboxTool {
  readonly kind: SandboxKind;
  /** Absolute. */
  readonly file: string;
  /** Whether `env` can reset signals, so that those of the keyboard reach the program instead of the sandbox. */
  readonly resetsSignals: boolean;
}

export type SandboxSupport = { readonly tool: SandboxTool } | { readonly missing: string };

/** Absolute paths, so that a program in a workspace is never found instead. */
const BUBBLEWRAP: readonly string[] = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap'];
const SEATBELT = '/usr/bin/sandbox-exec';
/** Far longer than needed, even on a busy machine. */
const TIMEOUT_MS = 10_000;

export interface Machine {
  readonly platform: NodeJS.Platform;
  exists(path: string): boolean;
  run(file: string, args: readonly string[]): Promise<Pick<ProgramEnd, 'exitCode' | 'stdout' | 'stderr' | 'failure'>>;
}

/** Tries the sandbox, because an installed program may still be forbidden. */
export async function findSandbox(machine: Machine = THIS_MACHINE): Promise<SandboxSupport> {
  switch (machine.platform) {
    case 'linux':
      return tryBubblewrap(machine);
    case 'darwin':
      return trySeatbelt(machine);
    default:
      return {
        missing: l10n.t('There is no sandbox for this system yet. Commands require approval according to the rules.'),
      };
  }
}

/** Checks that the sandbox starts and works: the script must not be able to write the file. */
const SCRIPT =
  'if (: > "$0") 2>/dev/null; then exit 99; fi; env --default-signal=INT true 2>/dev/null && echo signals; exit 0';
const HELD = 99;

async function tryBubblewrap({ exists, run }: Machine): Promise<SandboxSupport> {
  const file = BUBBLEWRAP.find(exists);
  if (file === undefined) {
    return {
      missing: l10n.t('Install the package "bubblewrap" to run commands in a sandbox.'),
    };
  }
  const [program = file, ...args] = bubblewrapGround(file);
  const end = await run(program, [...args, '/bin/sh', '-c', SCRIPT, probeFile()]);
  if (end.exitCode === 0) return { tool: { kind: 'bubblewrap', file, resetsSignals: end.stdout.includes('signals') } };
  return { missing: whyNot(end, file) };
}

async function trySeatbelt({ exists, run }: Machine): Promise<SandboxSupport> {
  if (!exists(SEATBELT)) return { missing: l10n.t('There is no {0} on this machine.', SEATBELT) };
  const profile = seatbeltProfile({ places: [], temp: '/private/var/empty' });
  const end = await run(SEATBELT, ['-p', profile, '/bin/sh', '-c', SCRIPT, probeFile()]);
  if (end.exitCode === 0) return { tool: { kind: 'seatbelt', file: SEATBELT, resetsSignals: false } };
  return { missing: whyNot(end, SEATBELT) };
}

function whyNot(
  { exitCode, stderr, failure }: Pick<ProgramEnd, 'exitCode' | 'stderr' | 'failure'>,
  file: string,
): string {
  if (exitCode === HELD) return l10n.t('{0} runs here but blocks nothing, so it is not used.', file);
  // It didn't even start, so the reason is not a restriction of the sandbox.
  if (failure !== undefined) return cannotStart(file, failure);
  const said = stderr.trim().split('\n').at(-1) ?? '';
  if (!/uid map|user namespace|Operation not permitted|Permission denied/i.test(said))
    return l10n.t('{0} does not work here: {1}', file, said);
  return l10n.t(
    'This system does not let {0} create user namespaces ({1}). Allow them: on Ubuntu with an AppArmor profile or "sysctl kernel.apparmor_restrict_unprivileged_userns=0", elsewhere with "sysctl kernel.unprivileged_userns_clone=1", in a container with its options.',
    file,
    said,
  );
}

function cannotStart(file: string, failure: string): string {
  if (!/permission denied|not permitted/i.test(failure)) return l10n.t('{0} does not work here: {1}', file, failure);
  return l10n.t('{0} Make it executable with "chmod a+x {1}", or install its package again.', failure, file);
}

function probeFile(): string {
  return join(tmpdir(), `gantry-probe-${process.pid}`);
}

const THIS_MACHINE: Machine = {
  platform: process.platform,
  exists: existsSync,
  run: (file, args) =>
    runProgram({
      file,
      args,
      folder: '/',
      environment: { ...bareEnvironment(process.env), PATH: '/usr/bin:/bin:/usr/local/bin' },
      signal: new AbortController().signal,
      timeoutMs: TIMEOUT_MS,
      maxBytes: 4096,
    }),
};
