import type { A2aServer } from '../a2a/main.ts';
import type { ServeArguments } from './arguments.ts';
import type { ServeSurroundings } from './detached-server.ts';
import { ExitCode } from './exit-code.ts';
import { requireFolder, workspacePath } from './headless-host.ts';
import { loadA2a } from './later-bundles.ts';
import { openFolder } from './open-folder.ts';
import { problemLine } from './problem-lines.ts';
import { invalidArgument } from './problem-of.ts';
import { isKeeper } from './serve-role.ts';

/** Often enough for limits of minutes. */
const LOOK_MS = 1_000;

export async function runServe(args: ServeArguments, surroundings: ServeSurroundings): Promise<ExitCode> {
  if (args.task === 'serve' && !isKeeper(surroundings.environment)) return serve(args, surroundings);
  // A bundle of its own, because most servers need none of it.
  const { runInBackground } = await import('./detached-server.ts');
  return runInBackground(args, surroundings);
}

/** Serves the sessions of a folder over A2A, until it is interrupted or has had nothing to do for long enough. */
async function serve(args: ServeArguments, surroundings: ServeSurroundings): Promise<ExitCode> {
  const { version, cwd, environment, stdout, interrupted } = surroundings;
  const workspace = workspacePath(cwd, args.workspace);
  await requireFolder(workspace);
  const { service, host, check } = await openFolder(args, surroundings, [workspace], 'the A2A server');
  let server: A2aServer | undefined;
  try {
    await check();
    const { serveA2a, isPortTaken } = await loadA2a();
    const { port, approves, push } = args;
    const facts = { version, port, environment, service, workspace, approves, push };
    const options = { ...facts, textOf: problemLine, log: host.log };
    server = await serveA2a(options).catch((error: unknown) => {
      throw isPortTaken(error) ? portTaken(port) : error;
    });
    const { url, tokenFile } = server;
    await stdout.write(`${JSON.stringify({ url, tokenFile, pid: process.pid })}\n`);
    const isWorking = (): boolean => server?.isBusy === true || service.isRunning;
    await ended(interrupted, args.idleExit, isWorking);
  } finally {
    await server?.close();
    await service.dispose();
  }
  return interrupted.aborted ? ExitCode.interrupted : ExitCode.done;
}

/** Resolves when the process was interrupted, or there was no work for this many minutes. */
function ended(interrupted: AbortSignal, idleMinutes: number | undefined, isWorking: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    let idleSince = performance.now();
    const look = (): void => {
      if (isWorking()) idleSince = performance.now();
      else if (idleMinutes !== undefined && performance.now() - idleSince >= idleMinutes * 60_000) end();
    };
    const timer = setInterval(look, LOOK_MS);
    const end = (): void => {
      clearInterval(timer);
      interrupted.removeEventListener('abort', end);
      resolve();
    };
    interrupted.addEventListener('abort', end, { once: true });
    if (interrupted.aborted) end();
  });
}

function portTaken(port: number): Error {
  return invalidArgument(
    `Port ${port} is in use`,
    'Another program listens there, or the port is reserved. Choose another one with --port, or --port 0 for any that is free.',
  );
}
