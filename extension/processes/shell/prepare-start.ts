import { randomUUID } from 'node:crypto';
import { accessSync, constants, statSync } from 'node:fs';
import type { ProgramStart, ShellProcess, ShellStart } from '../../ports/shell.ts';
import { startFailure } from '../start-failure.ts';
import { commandEnvironment } from './clean-environment.ts';
import { MARK } from './process-list.ts';
import type { ShellProgram } from './shell-program.ts';

export interface ShellOptions {
  /** The environment of this process. Commands get a cleaned copy. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Undefined if the machine has no known shell. */
  readonly program: ShellProgram | undefined;
}

export interface PreparedStart extends ProgramStart {
  /** The shell itself, which is never confined. */
  readonly shell: string;
  readonly mark: string;
  /** No process that it starts outlives it, because the system ends them all. */
  readonly endsAlone: boolean;
}

/** Releases the resources of a confined command when it has ended. */
export function releasedAtEnd(process: ShellProcess, { confinement }: ShellStart): ShellProcess {
  if (confinement) void process.ended.finally(() => confinement.release());
  return process;
}

/** Linux limits an argument to 128 KiB including its final NUL, and only reports that to the new process. */
const MAX_COMMAND_BYTES = 128 * 1024 - 1;

/**
 * What to start, or why not. node-pty only notices a missing folder or shell in the new process, where it looks like a
 * failed command, so both are checked here.
 */
export function prepareStart(
  command: string,
  { folder, confinement }: ShellStart,
  { environment, program }: ShellOptions,
): PreparedStart | { readonly failure: string } {
  if (!program) return { failure: 'There is no shell on this machine that Gantry knows.' };
  if (command.includes('\0')) return { failure: 'The command contains a NUL character.' };
  if (Buffer.byteLength(command) > MAX_COMMAND_BYTES) {
    return { failure: 'The command is too long. Write it to a file and run that.' };
  }
  try {
    if (!statSync(folder).isDirectory()) return { failure: `${folder} is not a folder.` };
    accessSync(folder, constants.X_OK);
    accessSync(program.file, constants.X_OK);
  } catch (error) {
    return { failure: startFailure(error, { file: program.file, folder }) };
  }
  const mark = randomUUID();
  const start: ProgramStart = {
    file: program.file,
    args: program.argumentsFor(command),
    folder,
    environment: { ...commandEnvironment(environment), [MARK]: mark },
  };
  // Its processes are in their own namespace, which ends with the first of them.
  const endsAlone = confinement?.kind === 'bubblewrap';
  return { ...(confinement?.wrap(start) ?? start), shell: program.file, mark, endsAlone };
}
