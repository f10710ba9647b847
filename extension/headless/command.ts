import type { Writable } from 'node:stream';
import { type Problem, ProblemError, problemText } from '../protocol/problem.ts';
import { parseArguments } from './arguments.ts';
import { ExitCode, exitCodeOfProblem } from './exit-code.ts';
import { HELP } from './help.ts';
import { listSessions } from './list-sessions.ts';
import { problemOf } from './problem-of.ts';
import type { Stdin } from './prompt.ts';
import { run } from './run.ts';
import { Sink } from './sink.ts';
import { withoutControls } from './terminal-text.ts';

/** What a process has, so that the command can be run without one. */
export interface Surroundings {
  readonly version: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder of what ships beside the bundles. */
  readonly assets: string;
  readonly stdin: Stdin;
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable;
  readonly interrupted: AbortSignal;
}

/** The whole command, from arguments to an exit code. When it resolves, all output has been written. */
export async function runCommand(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { interrupted } = surroundings;
  const stdout = new Sink(surroundings.stdout);
  const stderr = new Sink(surroundings.stderr);
  const note = (text: string): void => void stderr.write(`${withoutControls(text)}\n`);
  try {
    const code = await dispatch(args, { surroundings, stdout, note });
    await stdout.flush();
    if (stdout.failure) throw cannotWrite(stdout.failure);
    // `| head` has what it wanted.
    return stdout.closed.aborted ? ExitCode.done : code;
  } catch (error) {
    if (interrupted.aborted) return ExitCode.interrupted;
    const problem = problemOf(error);
    note(problemText(problem));
    return exitCodeOfProblem(problem.kind);
  } finally {
    await stderr.flush();
  }
}

function cannotWrite(cause: Error): ProblemError {
  const problem: Problem = {
    kind: 'internal',
    title: 'stdout could not be written',
    detail: cause.message,
    actions: [],
  };
  return new ProblemError(problem, { cause });
}

interface Streams {
  readonly surroundings: Surroundings;
  readonly stdout: Sink;
  readonly note: (text: string) => void;
}

async function dispatch(args: readonly string[], { surroundings, stdout, note }: Streams): Promise<ExitCode> {
  const parsed = parseArguments(args);
  const around = { ...surroundings, isTerminal: surroundings.stdout.isTTY === true };
  switch (parsed.kind) {
    case 'help':
      await stdout.write(HELP);
      return ExitCode.done;
    case 'version':
      await stdout.write(`${surroundings.version}\n`);
      return ExitCode.done;
    case 'invalid':
      note(parsed.message);
      return ExitCode.badInput;
    case 'list-sessions':
      return listSessions(parsed, { ...around, stdout, note });
    case 'run':
      return run(parsed, { ...around, stdout, note });
  }
}
