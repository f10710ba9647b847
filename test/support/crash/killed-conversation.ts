import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { appendFile, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { AgentEvent } from '../../../extension/protocol/agent/agent-event.ts';
import { EventTranslator } from '../../../extension/runtime/events/event-translator.ts';
import { type LogContents, readLog } from '../../../extension/sessions/store/read-log.ts';
import { crashProgram } from '../dist.ts';
import { startGeminiEndpoint } from '../gemini/server.ts';
import { tempFolder } from '../temp-folder.ts';
import { brain } from './brain.ts';
import type { Random } from './random.ts';
import { visibleOutline } from './visible.ts';

export interface KillCounts {
  kills: number;
  conversations: number;
  /** Counted by the type of the log's last record. */
  readonly endedWith: Map<string, number>;
  tornLines: number;
  unknownEffects: number;
  interruptions: number;
  acknowledged: number;
}

export interface FinalState {
  readonly outline: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

export function noKills(): KillCounts {
  return {
    kills: 0,
    conversations: 0,
    endedWith: new Map(),
    tornLines: 0,
    unknownEffects: 0,
    interruptions: 0,
    acknowledged: 0,
  };
}

/** Plays the whole conversation, killing its process up to `maxKills` times, and returns the final state. */
export async function killedConversation(maxKills: number, random: Random, counts: KillCounts): Promise<FinalState> {
  const endpoint = await startGeminiEndpoint();
  const sessions = await tempFolder('sessions');
  const workspace = await tempFolder('workspace');
  endpoint.always(brain);
  const told = new Map<string, AgentEvent>();
  try {
    for (let kill = 0; ; kill++) {
      const mayKill = kill < maxKills;
      const child = startChild([sessions.path, workspace.path, endpoint.url]);
      const ended = await watch(child, told, mayKill ? killPoint(random) : undefined);
      const log = await soleLog(sessions.path);
      checkTold(told, log);
      if (ended === 'done') {
        const events = eventsOf(log);
        count(events, counts);
        counts.conversations++;
        counts.acknowledged += told.size;
        return { outline: visibleOutline(events), files: await filesIn(workspace.path) };
      }
      counts.kills++;
      const last = log?.records.at(-1)?.type ?? 'nothing';
      counts.endedWith.set(last, (counts.endedWith.get(last) ?? 0) + 1);
      counts.tornLines += log?.damage.length ?? 0;
      if (log && random.below(6) === 0) counts.tornLines += await tearLine(sessions.path, random);
    }
  } finally {
    await sessions.dispose();
    await workspace.dispose();
    await endpoint.dispose();
  }
}

interface KillPoint {
  /** The number of lines to read before the kill. */
  readonly lines: number;
  /** The wait before the kill: one that blocks this process including the endpoint, or one that does not. */
  readonly microseconds: number;
  readonly milliseconds: number;
}

function killPoint(random: Random): KillPoint {
  const blocking = random.below(2) === 0;
  return {
    lines: random.below(45),
    microseconds: blocking ? random.below(2500) : 0,
    milliseconds: blocking ? 0 : random.below(12),
  };
}

function startChild(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [crashProgram('child'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Reads the events of the child until it is done or killed. */
async function watch(
  child: ChildProcess,
  told: Map<string, AgentEvent>,
  point: KillPoint | undefined,
): Promise<'done' | 'killed'> {
  let complaint = '';
  let lines = 0;
  let done = false;
  let killed = false;
  child.stderr?.on('data', (data: Buffer) => {
    complaint += data.toString();
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const kill = (): void => {
    killed = true;
    child.kill('SIGKILL');
  };
  if (child.stdout) {
    for await (const line of createInterface({ input: child.stdout })) {
      const value = parse(line);
      if (!value) continue;
      if ('done' in value) done = true;
      else if (!('ready' in value)) told.set(value.id, value);
      if (point && lines++ === point.lines) killAt(point, kill);
    }
  }
  await exited;
  if (done) return 'done';
  assert.ok(killed, `The child ended by itself: ${complaint}`);
  return 'killed';
}

function killAt({ microseconds, milliseconds }: KillPoint, kill: () => void): void {
  if (milliseconds > 0) {
    setTimeout(kill, milliseconds);
    return;
  }
  const until = process.hrtime.bigint() + BigInt(microseconds) * 1000n;
  while (process.hrtime.bigint() < until);
  kill();
}

type Line = AgentEvent | { readonly ready: true } | { readonly done: true };

/** A line that was being printed when the child was killed is ignored. */
function parse(line: string): Line | undefined {
  try {
    return JSON.parse(line) as Line;
  } catch {
    return undefined;
  }
}

/**
 * A process that is killed while it creates the session's folder leaves a folder without a log, which is not a session.
 */
async function logPath(sessions: string): Promise<string | undefined> {
  const folders = (await readdir(sessions, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const paths = folders.map(({ name }) => join(sessions, name, 'log.jsonl'));
  const sizes = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  const written = paths.filter((_path, index) => sizes[index] !== 0);
  assert.ok(written.length <= 1, 'There is one session, however often it is taken up.');
  return written[0];
}

async function soleLog(sessions: string): Promise<LogContents | undefined> {
  const path = await logPath(sessions);
  if (path === undefined) return undefined;
  const contents = await readLog(path);
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '').length;
  for (const { line, reason } of contents.damage) assert.equal(line, lines, `Line ${line} of ${lines}: ${reason}`);
  return contents;
}

/**
 * The kernel writes lines of up to a page at once, so killing a process hardly ever tears a line. This simulates it.
 */
async function tearLine(sessions: string, random: Random): Promise<number> {
  const path = await logPath(sessions);
  const bytes = path === undefined ? Buffer.alloc(0) : await readFile(path);
  const start = bytes.lastIndexOf('\n', bytes.length - 2) + 1;
  const last = bytes.subarray(start);
  if (path === undefined || bytes.at(-1) !== NEWLINE || last.length < 3) return 0;
  await appendFile(path, last.subarray(0, 1 + random.below(last.length - 2)));
  return 1;
}

const NEWLINE = 0x0a;

function checkTold(told: ReadonlyMap<string, AgentEvent>, log: LogContents | undefined): void {
  const kept = new Map(eventsOf(log).map((event) => [event.id, event]));
  for (const [id, event] of told) assert.deepEqual(kept.get(id), event, `${id} was told and is not kept.`);
}

/** As JSON, because the child reports events as JSON. */
function eventsOf(log: LogContents | undefined): AgentEvent[] {
  if (!log) return [];
  const translator = new EventTranslator();
  const events = [log.header, ...log.records].flatMap((record) => translator.translate(record));
  return JSON.parse(JSON.stringify(events)) as AgentEvent[];
}

function count(events: readonly AgentEvent[], counts: KillCounts): void {
  for (const event of events) {
    if (event.type === 'tool_response' && event.data?.['errorType'] === 'effect_unknown') counts.unknownEffects++;
    if (event.type === 'agent_end' && event.data?.['code'] === 'INTERRUPTED') counts.interruptions++;
  }
}

async function filesIn(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).sort();
  const contents = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return Object.fromEntries(names.map((name, index) => [name, contents[index] ?? '']));
}
