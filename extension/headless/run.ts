import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { AgentEvent } from '../protocol/agent-event.ts';
import { ProblemError } from '../protocol/problem.ts';
import type { Host } from '../runtime/host.ts';
import type { RunArguments } from './arguments.ts';
import { converse } from './conversation.ts';
import { type ExitCode, exitCodeOfRun } from './exit-code.ts';
import { createHeadlessHost } from './headless-host.ts';
import { loadAgentService } from './load-runtime.ts';
import { noteOf } from './notes.ts';
import { createOutput } from './output.ts';
import { problemOf, refusalEvent } from './problem-of.ts';
import { readPrompt, type Stdin } from './prompt.ts';
import { summarize } from './run-summary.ts';
import type { Sink } from './sink.ts';

export interface RunSurroundings {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin: Stdin;
  readonly stdout: Sink;
  readonly isTerminal: boolean;
  readonly note: (text: string) => void;
  readonly interrupted: AbortSignal;
}

/** Asks the prompt and prints what happens. Rejects only when interrupted before there was anything to end. */
export async function run(args: RunArguments, surroundings: RunSurroundings): Promise<ExitCode> {
  const { stdout, note, interrupted } = surroundings;
  const host = createHost(args, surroundings);
  const output = createOutput(args.output, surroundings);
  const events: AgentEvent[] = [];
  let written = Promise.resolve();
  const print = async (event: AgentEvent): Promise<void> => {
    await output.event(event);
    const text = noteOf(event);
    if (text !== undefined && !stdout.closed.aborted) note(text);
  };
  const onEvent = (event: AgentEvent): void => {
    events.push(event);
    written = written.then(() => print(event));
  };

  try {
    await ask(args, surroundings, host, onEvent);
  } catch (error) {
    if (interrupted.aborted) throw error;
    const problem = problemOf(error);
    host.log.error(problem.title, error);
    onEvent(refusalEvent(problem, new Date(host.clock.now())));
  }
  await written;
  const summary = summarize(events);
  await output.end(summary);
  return exitCodeOfRun(summary.exitReason, summary.error?.kind);
}

async function ask(
  args: RunArguments,
  surroundings: RunSurroundings,
  host: Host,
  onEvent: (event: AgentEvent) => void,
): Promise<void> {
  const { stdin, stdout, note, interrupted } = surroundings;
  await requireFolder(host.workspace.roots());
  const prompt = await readPrompt({ flag: args.prompt, stdin, interrupted, note });
  const service = await loadAgentService(host);
  try {
    const session = await service.createSession();
    const stop = AbortSignal.any([interrupted, stdout.closed]);
    stop.throwIfAborted();
    const onStopFailed = (error: unknown): void => host.log.error('The run could not be stopped', error);
    await converse({ session, prompt, stop, onEvent, onStopFailed });
  } finally {
    await service.dispose();
  }
}

function createHost(args: RunArguments, { cwd, environment, note }: RunSurroundings): Host {
  return createHeadlessHost({
    workspace: resolve(cwd, args.workspace ?? '.'),
    trusted: args.trust,
    model: args.model,
    maxTurns: args.maxTurns,
    environment,
    writeLog: note,
  });
}

async function requireFolder(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory()) continue;
    const detail = `${path} ${found ? 'is not a folder' : 'does not exist'}. Name a folder with --workspace DIR.`;
    throw new ProblemError({ kind: 'bad-input', title: 'The workspace cannot be opened', detail, actions: [] });
  }
}
