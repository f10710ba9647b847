import { constants } from 'node:os';
import type { ShellExit } from '../../ports/shell.ts';

/** Signals that end programs. A shell reports them as the exit code 128 plus the signal's number. */
const ENDING: readonly NodeJS.Signals[] = [
  'SIGHUP',
  'SIGINT',
  'SIGQUIT',
  'SIGILL',
  'SIGTRAP',
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGKILL',
  'SIGSEGV',
  'SIGPIPE',
  'SIGALRM',
  'SIGTERM',
];

/** Gives the same result for a signal's name and for the exit code that represents it, however the end was observed. */
export function exitStatus(exitCode: number | null, signal: string | null): ShellExit {
  if (signal !== null) {
    const known = ENDING.find((name) => name === signal);
    return { exitCode: known ? 128 + constants.signals[known] : null, signal };
  }
  return { exitCode, signal: ENDING.find((name) => constants.signals[name] + 128 === exitCode) ?? null };
}

/** For example "SIGKILL" for 9. */
export function signalName(number: number): string {
  const found = Object.entries(constants.signals).find(([, value]) => value === number);
  return found?.[0] ?? `signal ${number}`;
}
