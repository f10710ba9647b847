import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { removeFile, replaceFile } from '../files/durable-files.ts';
import { a2aServerFile } from '../gemini-config/home-folders.ts';
import { type DetachedProcess, type DetachedProgram, startDetached } from '../processes/detached.ts';
import { ExitCode } from './exit-code.ts';
import { lastServerIn, type OwnProgram, programAt } from './serve-program.ts';
import { healthyServer, isSilent } from './server-health.ts';

/** What the keeper does in the world, and its clock. */
export interface KeeperWorld {
  /** In milliseconds. */
  now(): number;
  wait(ms: number): Promise<unknown>;
  start(program: DetachedProgram): DetachedProcess;
  /** The port in the first line that the process has written to its log. */
  lastServerIn(log: string, pid: number | undefined): Promise<{ readonly port: number } | undefined>;
  healthyServer(environment: OwnProgram['environment'], port: number): Promise<{ readonly pid: number } | undefined>;
  isSilent(port: number): Promise<boolean>;
}

const REAL_WORLD: KeeperWorld = {
  now: () => performance.now(),
  wait,
  start: startDetached,
  lastServerIn,
  healthyServer,
  isSilent,
};

/** How often a starting server, and the request to stop it, are looked for. */
export const POLL_MS = 500;
const LOOK_MS = 30_000;
/** Before each restart. There is none after the last one. */
const RESTART_MS = [1_000, 2_000, 4_000, 8_000, 16_000];
/** For a server that was asked to end. */
const END_MS = 10_000;

/**
 * Keeps a server running: it looks every 30 s whether the server is healthy, and starts it again if it is not or has
 * crashed. Ends when the server ends by itself, when it is interrupted, or when its file is removed, which is how it is
 * stopped.
 */
export async function keep(
  program: OwnProgram,
  interrupted: AbortSignal,
  world: KeeperWorld = REAL_WORLD,
): Promise<ExitCode> {
  const { environment, log } = program;
  // The port at which a server was ready.
  let port = 0;
  const ownFile = (): string => a2aServerFile(environment, homedir(), port, 'keeper');
  const markReady = async (at: number): Promise<void> => {
    const isFirst = port === 0;
    port = at;
    if (isFirst) await replaceFile(ownFile(), String(process.pid));
  };
  // Before a server was ready, there is no file to stop it by.
  const isStopped = (): boolean => interrupted.aborted || (port !== 0 && !existsSync(ownFile()));
  const watch = async (server: DetachedProcess): Promise<ExitCode | 'lost'> => {
    let isReady = false;
    let lookAt = 0;
    for (; server.exitCode === undefined; await world.wait(POLL_MS)) {
      if (isStopped()) return stopped(server, world);
      if (world.now() < lookAt) continue;
      if (isReady) {
        if (await world.isSilent(port)) server.kill('SIGKILL');
        lookAt = world.now() + LOOK_MS;
        continue;
      }
      const told = await world.lastServerIn(log, server.pid);
      if (!told || (await world.healthyServer(environment, told.port))?.pid !== server.pid) continue;
      isReady = true;
      await markReady(told.port);
      lookAt = world.now() + LOOK_MS;
    }
    const { exitCode } = server;
    // It can have crashed between its first line and the next look.
    const told = port === 0 ? await world.lastServerIn(log, server.pid) : undefined;
    if (told) await markReady(told.port);
    // One that never was ready would not be the next time either, and has said why.
    if (port === 0) return Object.values(ExitCode).find((code) => code === exitCode) ?? ExitCode.failed;
    return exitCode === ExitCode.done || exitCode === ExitCode.interrupted ? ExitCode.done : 'lost';
  };
  const finish = async (code: ExitCode): Promise<ExitCode> => {
    if (port !== 0) await removeFile(ownFile());
    return code;
  };
  for (const delay of [...RESTART_MS, undefined]) {
    const end = await watch(world.start({ ...programAt(program, port || program.port), leads: false }));
    if (end !== 'lost') return finish(end);
    if (delay === undefined) break;
    await world.wait(delay);
    if (isStopped()) return finish(ExitCode.done);
  }
  return finish(ExitCode.failed);
}

async function stopped(server: DetachedProcess, world: KeeperWorld): Promise<ExitCode> {
  server.kill('SIGTERM');
  for (const end = world.now() + END_MS; server.exitCode === undefined; await world.wait(POLL_MS / 10)) {
    if (world.now() > end) server.kill('SIGKILL');
  }
  return ExitCode.done;
}
