import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { print } from '../support/output.ts';
import { repoRoot } from '../support/repo.ts';
import { gantryProcess, modelEnvironment } from './agent.ts';
import { pageOf } from './page.ts';
import { isPeerName, PEER_NAMES, peerAgent } from './peers.ts';
import {
  fingerprintOf,
  finishRecording,
  RECORDINGS,
  type Recording,
  readRecordings,
  recordingName,
  replayingAgent,
  requireSameInstruction,
  startRecording,
} from './recordings.ts';
import { lineOf, percent, totalLine, totalsOf } from './report.ts';
import { runTask, type TaskReport } from './run-task.ts';
import { clumsyAgent, perfectAgent } from './scripted.ts';
import type { Task } from './task.ts';
import { TASKS } from './tasks/all-tasks.ts';

const HELP = `npm run eval -- [options]      runs tasks with the model that the environment configures (GEMINI_API_KEY …)
  --model NAME        the model; the default is Gantry's own choice
  --only TEXT         tasks whose name, kind or language contains this
  --level 1|2|3       tasks of this difficulty
  --seed N            the variant of each task (default: 1)
  --repeat N          each task N times, with the seeds N, N+1, … (default: 1)
  --jobs N            how many at once (default: 2)
  --peer NAME         also give them to another agent: ${PEER_NAMES.join(', ')}. Can be repeated, requires --model
  --record            keep the answers of the model in test/evals/recordings, for --replay; requires --model
  --replay            no model: scripted agents and the recordings, through the whole product
  --list              list the tasks`;

const { values: flags } = parseArgs({
  options: {
    model: { type: 'string' },
    only: { type: 'string', default: '' },
    level: { type: 'string' },
    seed: { type: 'string', default: '1' },
    repeat: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    peer: { type: 'string', multiple: true, default: [] },
    record: { type: 'boolean', default: false },
    replay: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

type Job = () => Promise<TaskReport>;

function wholeNumber(name: 'seed' | 'repeat' | 'jobs'): number {
  const value = Number(flags[name]);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`--${name} takes a whole number from 1 on.`);
  return value;
}

function chosenTasks(): readonly Task[] {
  const text = flags.only.toLowerCase();
  const chosen = TASKS.filter(
    ({ id, kind, language, level }) =>
      [id, kind, language].some((word) => word.toLowerCase().includes(text)) &&
      (flags.level === undefined || String(level) === flags.level),
  );
  if (chosen.length === 0) throw new Error(`No task fits. See --list.`);
  return chosen;
}

function seeds(): readonly number[] {
  return Array.from({ length: wholeNumber('repeat') }, (_, index) => wholeNumber('seed') + index);
}

/** Real runs, each in a process of its own. */
async function modelJobs(tasks: readonly Task[]): Promise<readonly Job[]> {
  const environment = modelEnvironment();
  const { model, record, peer } = flags;
  if (model === undefined && (record || peer.length > 0)) throw new Error('Name a model with --model.');
  const unknown = peer.find((name) => !isPeerName(name));
  if (unknown !== undefined) throw new Error(`--peer "${unknown}" is unknown. It can be ${PEER_NAMES.join(', ')}.`);
  const peers = await Promise.all(peer.filter(isPeerName).map((name) => peerAgent(name, model ?? '', environment)));
  const variants = tasks.flatMap((task) => seeds().map((seed) => ({ task, seed })));
  return variants.flatMap(({ task, seed }) => [
    record && model !== undefined
      ? () => recordedRun(task, seed, model)
      : () => runTask(task, seed, () => gantryProcess({ model, environment })),
    ...peers.map((agent) => () => runTask(task, seed, () => agent)),
  ]);
}

async function recordedRun(task: Task, seed: number, model: string): Promise<TaskReport> {
  const name = recordingName(task, seed, model);
  const flagsOf = await startRecording(RECORDINGS, name);
  const agent = gantryProcess({ model, environment: modelEnvironment(), flags: flagsOf });
  const report = await runTask(task, seed, () => agent);
  const fingerprint = await fingerprintOf(task, seed, model);
  await finishRecording(RECORDINGS, {
    name,
    task: task.id,
    seed,
    model,
    fingerprint,
    solved: report.outcome === 'solved',
  });
  return report;
}

/** Runs without a model: scripts that solve everything and nothing, and what was recorded. */
async function replayJobs(tasks: readonly Task[]): Promise<readonly Job[]> {
  const [seed = 1] = seeds();
  const recordings = (await readRecordings(RECORDINGS)).flatMap((recording) => {
    const task = tasks.find(({ id }) => id === recording.task);
    return task ? [{ recording, task }] : [];
  });
  return [
    ...tasks.flatMap((task) => [perfectAgent, clumsyAgent].map((agent) => () => runTask(task, seed, agent))),
    ...recordings.map(
      ({ recording, task }) =>
        () =>
          replayedRun(task, recording),
    ),
  ];
}

/** Recordings that say nothing any more. They fail the run after everything else was reported. */
const staleRecordings: string[] = [];

async function replayedRun(task: Task, recording: Recording): Promise<TaskReport> {
  await fingerprintOf(task, recording.seed, recording.model)
    .then((now) => requireSameInstruction(recording, now))
    .catch(({ message }: Error) => staleRecordings.push(message));
  const report = await runTask(task, recording.seed, () => replayingAgent(RECORDINGS, recording));
  if (recording.solved && report.outcome === 'failed') {
    staleRecordings.push(`The recording ${recording.name} solved its task when it was made, and does not any more.`);
  }
  return report;
}

async function runAll(jobs: readonly Job[], atOnce: number): Promise<readonly TaskReport[]> {
  const reports: TaskReport[] = [];
  const queue = [...jobs];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const report = await next();
      reports.push(report);
      print(lineOf(report));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return reports.sort((a, b) => a.agent.localeCompare(b.agent) || a.task.localeCompare(b.task) || a.seed - b.seed);
}

/** With --replay, the scripts must score as they should: otherwise a check or the scoring is broken. */
function scriptsAreWrong(reports: readonly TaskReport[]): boolean {
  const totals = new Map(totalsOf(reports).map((total) => [total.agent, total]));
  const [perfect, clumsy] = [totals.get('perfect script'), totals.get('clumsy script')];
  if (!perfect || !clumsy) return false;
  print(
    `The perfect script solves ${percent(perfect.clean, perfect.ran)}, the clumsy one ${percent(clumsy.solved, clumsy.ran)}.`,
  );
  return perfect.clean !== perfect.ran || clumsy.clean > 0;
}

async function main(): Promise<number> {
  if (flags.help) print(HELP);
  const tasks = chosenTasks();
  if (flags.list) {
    for (const { id, level, language, kind } of tasks) print(`${id.padEnd(28)} level ${level}  ${language}, ${kind}`);
    print(`${tasks.length} tasks`);
  }
  if (flags.help || flags.list) return 0;
  const jobs = flags.replay ? await replayJobs(tasks) : await modelJobs(tasks);
  const reports = await runAll(jobs, wholeNumber('jobs'));
  const totals = totalsOf(reports);
  print();
  for (const total of totals) print(totalLine(total));
  const folder = join(repoRoot, 'out/evals');
  const made = new Date().toISOString();
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'report.json'), `${JSON.stringify({ made, totals, reports }, undefined, 2)}\n`);
  await writeFile(join(folder, 'report.html'), pageOf(reports, made));
  print('out/evals/report.html and report.json have everything.');
  for (const problem of staleRecordings) print(problem);
  const isAnyRun = totals.some(({ ran }) => ran > 0);
  const isBroken = flags.replay && (scriptsAreWrong(reports) || staleRecordings.length > 0);
  return isBroken || !isAnyRun ? 1 : 0;
}

process.exitCode = await main().catch((error: unknown) => {
  print(error instanceof Error ? error.message : String(error));
  return 2;
});
