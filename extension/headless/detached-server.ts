import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { makeFolder, removeFile } from '../files/durable-files.ts';
import { a2aServerFile } from '../gemini-config/home-folders.ts';
import { startDetached } from '../processes/detached.ts';
import { killGroup } from '../processes/kill-group.ts';
import { type Problem, ProblemError } from '../protocol/agent/problem.ts';
import type { ServeArguments } from './arguments.ts';
import { ExitCode } from './exit-code.ts';
import { requireFolder, workspacePath } from './headless-host.ts';
import { keep, POLL_MS } from './keeper.ts';
import { invalidArgument } from './problem-of.ts';
import type { RunSurroundings } from './run.ts';
import { keeperProgram, lastServerIn, type OwnProgram } from './serve-program.ts';
import { LOG_FILE } from './serve-role.ts';
import { type HealthyServer, healthyServer } from './server-health.ts';

export type ServeSurroundings = RunSurroundings & {
  readonly version: string;
  /** As typed after `gantry`. */
  readonly given: readonly string[];
};

type Output = Pick<RunSurroundings, 'stdout' | 'note' | 'environment' | 'interrupted'>;

/** A large workspace on a busy machine is slow. */
const START_MS = 120_000;
const STOP_MS = 20_000;
/** In this time, a process that keeps the server running stops it. */
const KEEPER_MS = 5_000;
/** The end of a log says why a server did not start. */
const SHOWN_CHARS = 2_000;

/** Starts a server in the background, keeps it running, shows it or stops it. */
export async function runInBackground(args: ServeArguments, surroundings: ServeSurroundings): Promise<ExitCode> {
  const { environment, cwd, given, version, interrupted } = surroundings;
  const program = { args: given, folder: cwd, environment, port: args.port };
  switch (args.task) {
    case 'status':
      return showStatus(args.port, surroundings);
    case 'stop':
      return stopServer(args.port, surroundings);
    case 'detach': {
      const workspace = workspacePath(cwd, args.workspace);
      await requireFolder(workspace);
      return detach(program, { workspace, version }, surroundings);
    }
    case 'serve':
      return keep({ ...program, log: environment[LOG_FILE] ?? '' }, interrupted);
  }
}

/**
 * Starts a server that survives this process, or uses the one that is there. Resolves when it is healthy. A server of
 * another folder or version is not replaced, because somebody may be using it.
 */
async function detach(
  program: Omit<OwnProgram, 'log'>,
  wanted: Pick<HealthyServer, 'workspace' | 'version'>,
  { stdout, interrupted }: Output,
): Promise<ExitCode> {
  const { environment, port } = program;
  const show = (server: HealthyServer): Promise<void> => stdout.write(lineOf(server));
  const there = port === 0 ? undefined : await healthyServer(environment, port);
  if (there && (there.workspace !== wanted.workspace || there.version !== wanted.version))
    throw otherServer(port, there);
  if (there) {
    await show(there);
    return ExitCode.done;
  }
  const log = a2aServerFile(environment, homedir(), port === 0 ? process.pid : port, 'log');
  makeFolder(dirname(log));
  // What an earlier server wrote says nothing about this one.
  await removeFile(log);
  const keeper = startDetached({ ...keeperProgram({ ...program, log }), leads: true });
  for (const end = performance.now() + START_MS; keeper.exitCode === undefined; await wait(POLL_MS)) {
    const found = await lastServerIn(log);
    const server = found && (await healthyServer(environment, found.port));
    if (server) {
      keeper.leave();
      await show(server);
      return ExitCode.done;
    }
    if (!interrupted.aborted && performance.now() < end) continue;
    if (keeper.pid !== undefined) await killGroup(keeper.pid);
    interrupted.throwIfAborted();
    throw notStarted(log, await endOf(log));
  }
  throw notStarted(log, await endOf(log), keeper.exitCode);
}

async function showStatus(port: number, { stdout, note, environment }: Output): Promise<ExitCode> {
  const server = await healthyServer(environment, port);
  if (server) await stdout.write(lineOf(server));
  else note(noServer(port));
  return server ? ExitCode.done : ExitCode.failed;
}

/** Stops the server at the port like Ctrl+C, and what keeps it running. */
async function stopServer(port: number, { note, environment }: Output): Promise<ExitCode> {
  const server = await healthyServer(environment, port);
  const mark = a2aServerFile(environment, homedir(), port, 'keeper');
  const isKept = existsSync(mark);
  // Whoever keeps the server running sees that this file is gone, also between two attempts.
  await removeFile(mark);
  if (!server) {
    if (!isKept) note(noServer(port));
    return isKept ? ExitCode.done : ExitCode.failed;
  }
  // A second signal would end the server before it has put its things away.
  const keeperEnd = performance.now() + (isKept ? KEEPER_MS : 0);
  let isTold = false;
  for (const end = performance.now() + STOP_MS; performance.now() < end; await wait(POLL_MS / 10)) {
    if (!isTold && performance.now() >= keeperEnd) {
      interrupt(server.pid);
      isTold = true;
    }
    if ((await healthyServer(environment, port)) === undefined) return ExitCode.done;
  }
  note(`Process ${server.pid} has been told to end, and still answers.`);
  return ExitCode.failed;
}

function interrupt(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    // It has ended in the meantime.
  }
}

function lineOf({ url, tokenFile, pid, version, workspace }: HealthyServer): string {
  return `${JSON.stringify({ url, tokenFile, pid, version, workspace })}\n`;
}

const noServer = (port: number): string => `No server of yours answers at port ${port}.`;

async function endOf(log: string): Promise<string> {
  const text = await readFile(log, 'utf8').catch(() => '');
  return text.slice(-SHOWN_CHARS).trim();
}

function otherServer(port: number, { workspace, version, pid }: HealthyServer): Error {
  return invalidArgument(
    `Another server is at port ${port}`,
    `Gantry ${version} serves ${workspace} there (process ${pid}). Choose another port with --port, or stop that server with "gantry serve --stop --port ${port}".`,
  );
}

/** With the kind that fits the exit code, which is the same as without --detach. */
function notStarted(log: string, said: string, exitCode: number | null | undefined = undefined): Error {
  const problem: Problem = {
    kind: kindOf(exitCode),
    title: 'The server did not start',
    detail: `${said === '' ? 'It said nothing.' : said}\nIts log is ${log}.`,
    actions: [],
  };
  return new ProblemError(problem);
}

function kindOf(exitCode: number | null | undefined): Problem['kind'] {
  switch (exitCode) {
    case ExitCode.authentication:
      return 'no-credential';
    case ExitCode.badInput:
      return 'bad-input';
    case ExitCode.badConfiguration:
      return 'bad-configuration';
    default:
      return 'internal';
  }
}
