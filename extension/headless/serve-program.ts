import { readFile } from 'node:fs/promises';
import { isObject } from '../base/objects.ts';
import type { DetachedProgram } from '../processes/detached.ts';
import { LOG_FILE, ROLE } from './serve-role.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** How this command is started again, in a process of its own. */
export interface OwnProgram {
  /** After `gantry`. */
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment: Environment;
  readonly log: string;
  /** 0 until a free one was found. */
  readonly port: number;
}

/** The program that serves at this port. */
export function programAt(program: OwnProgram, port: number): Omit<DetachedProgram, 'leads'> {
  const { args } = program;
  const rest = args.filter((arg, at) => arg !== '--port' && !arg.startsWith('--port=') && args[at - 1] !== '--port');
  return again(program, [...rest, '--port', String(port)], undefined);
}

export function keeperProgram(program: OwnProgram): Omit<DetachedProgram, 'leads'> {
  return again(
    program,
    program.args.filter((arg) => arg !== '--detach'),
    'keeper',
  );
}

function again(
  { folder, environment, log }: OwnProgram,
  args: readonly string[],
  role: 'keeper' | undefined,
): Omit<DetachedProgram, 'leads'> {
  const [, script = ''] = process.argv;
  // Electron runs as Node only with this variable, which VS Code removes from the environment.
  const runAsNode = process.versions['electron'] === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' };
  const own = { ...environment, ...runAsNode, [ROLE]: role, [LOG_FILE]: role && log };
  return { file: process.execPath, args: [...process.execArgv, script, ...args], folder, environment: own, log };
}

/** What the last server says in its first line, of all lines in a log. `pid` asks for that of one process. */
export async function lastServerIn(log: string, pid?: number): Promise<{ readonly port: number } | undefined> {
  const text = await readFile(log, 'utf8').catch(() => '');
  for (const line of text.split('\n').reverse()) {
    if (!line.startsWith('{"url":')) continue;
    const told = said(line);
    if (told && (pid === undefined || told.pid === pid)) return told;
  }
  return undefined;
}

function said(line: string): { readonly port: number; readonly pid: number } | undefined {
  try {
    const told: unknown = JSON.parse(line);
    if (!isObject(told) || typeof told['url'] !== 'string' || typeof told['pid'] !== 'number') return undefined;
    return { port: Number(new URL(told['url']).port), pid: told['pid'] };
  } catch {
    return undefined;
  }
}
