import { randomUUID } from 'node:crypto';
import { accessSync, constants, statSync } from 'node:fs';
import type { ProgramStart, ShellProcess, ShellStart } from '../../ports/shell.ts';
import { startFailure } from '../start-failure.ts';
import { commandEnvironment } from './clean-environment.ts';
import { MARK } from './process-list.ts';
import type { ShellProgram } from './shell-program.ts';

export interface ShellOptions {
  /** Of this process; commands get a cleaned one. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Undefined where the machine has none. */
  readonly program: ShellProgram | undefined;
}

export interface PreparedStart extends ProgramStart {
  /** The shell itself, which is never confined. */
  readonly shell: string;
  readonly mark: string;
  /** Nothing that it starts outlives it: the system sees to that. */
  readonly endsAlone: boolean;
}

/** When a confined command has ended, what was put up for it is taken away. */
export function releasedAtEnd(process: ShellProcess, { confinement }: ShellStart): ShellProcess {
  if (confinement) void process.ended.finally(() => confinement.release());
  return process;
}

/** Linux takes no argument longer than 128 KiB with its final NUL, and says so only to the process that tried. */
const MAX_COMMAND_BYTES = 128 * 1024 - 1;

/**
 * What to start, or why not. node-pty finds out in the new process that the folder or the shell is missing, where it
 * looks like a command that failed; so that is checked here.
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
  // Its processes are in a namespace of their own, which ends with the first of them.
  const endsAlone = confinement?.kind === 'bubblewrap';
  return { ...(confinement?.wrap(start) ?? start), shell: program.file, mark, endsAlone };
}
