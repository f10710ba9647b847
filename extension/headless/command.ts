import type { Writable } from 'node:stream';
import { failureReason } from '../files/file-failure.ts';
import { type Problem, ProblemError } from '../protocol/agent/problem.ts';
import { runAcp } from './acp.ts';
import { type CommandLineArguments, type OutputFormat, parseArguments } from './arguments.ts';
import { ExitCode, exitCodeOfRun } from './exit-code.ts';
import { HELP } from './help.ts';
import { listSessions } from './list-sessions.ts';
import { noteOf } from './notes.ts';
import { createOutput, withoutControls } from './output.ts';
import { interruptedEvent, invalidArgument, refusalEvent, thrownProblem } from './problem-of.ts';
import type { Stdin } from './prompt.ts';
import { type RunSurroundings, run } from './run.ts';
import { summarize } from './run-summary.ts';
import { runServe } from './serve.ts';
import { Sink } from './sink.ts';

/** The parts of a process that the command uses, so that it can run without one. */
export interface Surroundings {
  readonly version: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder of assets that ship next to the bundles. */
  readonly assets: string;
  readonly stdin: Stdin;
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable;
  readonly interrupted: AbortSignal;
  /** Whether nothing else runs in this process. */
  readonly ownsProcess?: boolean;
}

/** Runs the command, from its arguments to an exit code. When it resolves, all output has been written. */
export async function runCommand(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const stdout = new Sink(surroundings.stdout);
  const stderr = new Sink(surroundings.stderr);
  const note = (text: string): void => void stderr.write(`${withoutControls(text)}\n`);
  const parsed = parseArguments(args);
  const streams = { stdout, note, isTerminal: surroundings.stdout.isTTY === true };
  try {
    const code = await dispatch(parsed, { ...surroundings, ...streams, given: args }, surroundings.stdout);
    await stdout.flush();
    if (stdout.failure) throw cannotWrite(stdout.failure);
    // A reader such as `| head` that closes the pipe has received what it wanted.
    return stdout.closed.aborted ? ExitCode.done : code;
  } catch (error) {
    return await reportFailed(error, 'output' in parsed ? parsed.output : 'text', streams, surroundings.interrupted);
  } finally {
    await stdout.flush();
    await stderr.flush();
  }
}

/** Reports a failure with the same text and format as a failed run. */
async function reportFailed(
  error: unknown,
  format: OutputFormat,
  streams: Streams,
  { aborted }: AbortSignal,
): Promise<ExitCode> {
  const event = aborted ? interruptedEvent(new Date()) : refusalEvent(thrownProblem(error), new Date());
  const output = createOutput(format, streams);
  await output.event(event);
  const summary = summarize([event]);
  await output.end(summary);
  const text = noteOf(event);
  if (text !== undefined) streams.note(text);
  return exitCodeOfRun(summary.exitReason, summary.error?.kind);
}

function cannotWrite(cause: Error): ProblemError {
  const problem: Problem = {
    kind: 'internal',
    title: 'stdout could not be written',
    detail: `The reason: ${failureReason(cause)}. Check where the output goes, then run the command again.`,
    actions: [],
  };
  return new ProblemError(problem, { cause });
}

type Streams = Pick<RunSurroundings, 'stdout' | 'note' | 'isTerminal'>;

async function dispatch(
  parsed: CommandLineArguments,
  {
    version,
    given,
    ...around
  }: RunSurroundings & Pick<Surroundings, 'version'> & { readonly given: readonly string[] },
  output: Surroundings['stdout'],
): Promise<ExitCode> {
  const { stdout } = around;
  switch (parsed.kind) {
    case 'help':
      await stdout.write(HELP);
      return ExitCode.done;
    case 'version':
      await stdout.write(`${version}\n`);
      return ExitCode.done;
    case 'invalid':
      throw invalidArgument('The arguments are invalid', parsed.message);
    case 'list-sessions':
      return listSessions(parsed, around);
    case 'acp':
      return runAcp(parsed, { ...around, version, output });
    case 'serve':
      return runServe(parsed, { ...around, version, given });
    case 'run':
      return run(parsed, around);
  }
}
