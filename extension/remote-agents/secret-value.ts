import type { Alarm } from '../ports/clock.ts';
import type { Confinement } from '../ports/shell.ts';
import { runProgram } from '../processes/run-program.ts';
import { findShellProgram } from '../processes/shell/shell-program.ts';
import { RemoteFailure } from './remote-failure.ts';

/** Where the values of a definition come from. */
export interface SecretPlaces {
  /** The variables that its file may read. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The environment and the folder of its commands. */
  readonly commandEnvironment: Readonly<Record<string, string>>;
  readonly folder: string;
  /** Confines the commands of a project. Rejects with the reason why they can't be started. */
  readonly confine?: (() => Promise<Confinement | undefined>) | undefined;
  readonly alarm: Alarm;
}

/** As in Gemini CLI. */
const COMMAND_TIMEOUT_MS = 60_000;
/** No token is longer. */
const MAX_BYTES = 64 * 1024;

/**
 * The value of a field as Gemini CLI reads it: `$NAME` is a variable, `!command` the output of a command, and `$$` and
 * `!!` stand for the characters themselves.
 */
export async function secretValue(written: string, places: SecretPlaces, signal: AbortSignal): Promise<string> {
  if (written.startsWith('$$') || written.startsWith('!!')) return written.slice(1);
  if (written.startsWith('$')) return variable(written.slice(1), places.environment);
  return written.startsWith('!') ? output(written.slice(1).trim(), places, signal) : written;
}

function variable(name: string, environment: SecretPlaces['environment']): string {
  const value = environment[name];
  if (value) return value;
  throw new RemoteFailure('credentials', `Its credentials are in the environment variable ${name}, which is not set.`);
}

async function output(command: string, places: SecretPlaces, signal: AbortSignal): Promise<string> {
  const shell = findShellProgram();
  if (!shell) throw notPrinted('there is no shell to run it');
  const start = {
    file: shell.file,
    args: shell.argumentsFor(command),
    folder: places.folder,
    environment: places.commandEnvironment,
  };
  const confinement = await places.confine?.();
  const { exitCode, stdout, failure, timedOut, truncated } = await runProgram({
    ...(confinement?.wrap(start) ?? start),
    signal,
    timeoutMs: COMMAND_TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    alarm: places.alarm,
  });
  await confinement?.release();
  signal.throwIfAborted();
  // What the command printed may be a part of a secret, so it is in no message.
  if (failure !== undefined) throw notPrinted(failure);
  if (timedOut) throw notPrinted(`it did not end within ${COMMAND_TIMEOUT_MS / 1000} s`);
  if (exitCode !== 0) throw notPrinted(`it ended with the exit code ${exitCode}`);
  const value = stdout.trim();
  if (value === '' || truncated) throw notPrinted(truncated ? 'it printed too much' : 'it printed nothing');
  return value;
}

function notPrinted(why: string): RemoteFailure {
  return new RemoteFailure('credentials', `A command in its definition prints its credentials, but ${why}.`);
}
