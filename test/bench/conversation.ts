import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { repoRoot } from '../support/repo.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTempWorkspace, type WorkspaceFiles } from '../support/temp-workspace.ts';
import { lineOfFile } from './endpoint-answer.ts';
import type { Figures } from './measurement.ts';
import { PeakMemory } from './peak-memory.ts';
import { benchProgram, type ForkedModel, forkModel } from './processes.ts';
import { MODEL } from './production-runtime.ts';
import { median } from './statistics.ts';

/** Where a program runs. */
export interface Place {
  /** The model. */
  readonly url: string;
  readonly workspace: string;
  readonly home: string;
}

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  /** In addition to `PATH` and `HOME`, which are all that a program gets of the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** The workspace by default. */
  readonly cwd?: string;
}

/** A program that has the conversation. */
export interface Program {
  readonly name: string;
  command(place: Place): Command | Promise<Command>;
}

/** What one program needed, in ms and MB: medians of some runs. */
export interface Conversation {
  /** From the start of the process to the arrival of its first request. */
  readonly start: number;
  /** From one request to the next, with the answer and the read in between. */
  readonly all: number;
  readonly first: number;
  readonly last: number;
  readonly peak: number;
}

const CALLS = 150;
const ROUNDS = 3;
const EDGE = 10;
export const PROMPT = 'Read the files';

const node = (...args: readonly string[]): Command => ({ program: process.execPath, args });

/** The loop that a user would write, the command line, and the runtime of the panel without VS Code. */
export const OWN_PROGRAMS: readonly Program[] = [
  {
    name: 'bare',
    command: ({ url, workspace }) => node(benchProgram('bare-loop'), url, join(workspace, 'f1.txt'), '1'),
  },
  {
    name: 'command line',
    command: ({ url, home }) => ({
      ...node(join(repoRoot, 'dist/headless.js'), '-p', PROMPT, '--approval-mode', 'yolo', '--model', MODEL),
      env: { GANTRY_HOME: join(home, '.gantry'), GEMINI_API_KEY: 'test-key', GOOGLE_GEMINI_BASE_URL: url },
    }),
  },
  {
    name: 'runtime',
    command: ({ url, workspace, home }) => ({
      ...node(benchProgram('gantry-loop'), url, join(workspace, 'f1.txt'), '1', join(home, 'sessions')),
      // The host of the tests finds its assets there.
      cwd: repoRoot,
    }),
  },
];

/** A file for each call: the same read again and again would be taken for a loop. */
export const CONVERSATION_FILES: WorkspaceFiles = Object.fromEntries(
  Array.from({ length: CALLS }, (_, index) => [`f${index + 1}.txt`, `${lineOfFile(index + 1)}\n`.repeat(20)]),
);

/** The results of the programs by name. A program that did not have the conversation has the reason instead. */
export type Conversations = ReadonlyMap<string, Conversation | string>;

/** 150 calls of the model with one file read each. The programs take turns, so that a busy moment affects all of them. */
export async function measureConversations(programs: readonly Program[]): Promise<Conversations> {
  const workspace = await createTempWorkspace(CONVERSATION_FILES);
  try {
    return await conversationsIn(programs.map((program) => ({ program, workspace: workspace.path })));
  } finally {
    await workspace.dispose();
  }
}

/** The same in other workspaces, which need the files of the conversation. */
export async function conversationsIn(
  runs: readonly { readonly program: Program; readonly workspace: string }[],
): Promise<Conversations> {
  const model = await forkModel('model-server', String(CALLS));
  const results = new Map<string, Conversation[]>();
  const failed = new Map<string, string>();
  // Kept over the rounds: a user's home has what earlier starts left there.
  const homes = await Promise.all(runs.map(() => tempFolder('bench-home')));
  try {
    // The first round only fills caches.
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [index, { program, workspace }] of runs.entries()) {
        const { name } = program;
        if (failed.has(name)) continue;
        try {
          const result = await converse(program, model, { url: model.url, workspace, home: homes[index]?.path ?? '' });
          if (round > 0) results.set(name, [...(results.get(name) ?? []), result]);
        } catch (error) {
          failed.set(name, error instanceof Error ? error.message : String(error));
        }
      }
    }
  } finally {
    model.child.disconnect();
    await Promise.all(homes.map((home) => home.dispose()));
  }
  const names = runs.map(({ program: { name } }) => name);
  return new Map(names.map((name) => [name, failed.get(name) ?? medians(results.get(name) ?? [])]));
}

async function converse(program: Program, model: ForkedModel, place: Place): Promise<Conversation> {
  const { program: file, args, env, cwd = place.workspace } = await program.command(place);
  await seenBy(model);
  const started = performance.timeOrigin + performance.now();
  const child = spawn(file, args, {
    cwd,
    env: { PATH: process.env['PATH'], HOME: place.home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const memory = new PeakMemory(child.pid);
  const [output, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const peak = memory.stop();
  const { arrivals, filesRead } = await seenBy(model);
  if (arrivals.length !== CALLS + 1 || filesRead !== CALLS) {
    const said = `${output}\n${problems}`.trim().slice(-300);
    throw new Error(
      `${program.name} sent ${arrivals.length} requests and read ${filesRead} of ${CALLS} files: ${said}`,
    );
  }
  const times = timesBetween(arrivals);
  const [first, last] = [times.slice(0, EDGE), times.slice(-EDGE)];
  const start = (arrivals[0] ?? Number.NaN) - started;
  return { start, all: median(times), first: median(first), last: median(last), peak };
}

/** What a model server has seen since it was last asked. */
export interface Seen {
  /** When each request arrived. */
  readonly arrivals: readonly number[];
  /** The number of requests with the file that the answer before asked for. */
  readonly filesRead: number;
}

export async function seenBy({ child }: ForkedModel): Promise<Seen> {
  child.send('');
  const [seen] = (await once(child, 'message')) as [Seen];
  return seen;
}

export function timesBetween(arrivals: readonly number[]): readonly number[] {
  return arrivals.slice(1).map((time, index) => time - (arrivals[index] ?? Number.NaN));
}

function medians(runs: readonly Conversation[]): Conversation {
  const of = (key: keyof Conversation): number => median(runs.map((run) => run[key]));
  return { start: of('start'), all: of('all'), first: of('first'), last: of('last'), peak: of('peak') };
}

/** One figure of those of these programs that had the conversation. If the bare loop or Gantry did not, measuring failed. */
export function column(results: Conversations, programs: readonly Program[], key: keyof Conversation): Figures {
  const figures = programs.flatMap(({ name }) => {
    const result = results.get(name);
    if (typeof result === 'object') return [[name, result[key]] as const];
    if (programs === OWN_PROGRAMS) throw new Error(result);
    return [];
  });
  return Object.fromEntries(figures);
}

/** All figures of one program, or why there are none. */
export function rowOf(results: Conversations, name: string): Figures | string {
  const result = results.get(name);
  if (typeof result !== 'object') return `not measured: ${result}`;
  const { start, all, first, last, peak } = result;
  return { start, call: all, 'first ten': first, 'last ten': last, memory: peak };
}
