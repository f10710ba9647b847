import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { asError } from '../../base/errors.ts';
import { once } from '../../base/once.ts';
import { replaceByDraft } from '../../files/durable-files.ts';
import { isMissing } from '../../files/error-code.ts';
import { namedFailure } from '../../files/file-failure.ts';
import type { Logger } from '../../ports/logger.ts';
import { readLog } from './read-log.ts';
import { isSessionId, LOG_NAME } from './session-folder.ts';
import { type LogFacts, type SessionSummary, summarise } from './session-summary.ts';

const INDEX_NAME = 'index.json';

/** Increased when summaries change: an index of another version is rebuilt. */
const VERSION = 2;
/** Enough to keep a disk busy, and few enough that this many large logs fit into memory. */
const CONCURRENCY = 8;

const summary = once(() =>
  z.object({
    id: z.string(),
    workspace: z.string(),
    title: z.string(),
    firstWords: z.string(),
    createdAt: z.number(),
    updatedAt: z.number(),
    messages: z.number(),
    pinned: z.boolean(),
    parent: z.exactOptional(z.object({ sessionId: z.string(), callId: z.string() })),
    copyOf: z.exactOptional(z.string()),
    stop: z.exactOptional(z.object({ kind: z.enum(['waits', 'stopped']), why: z.string() })),
    bytes: z.number(),
  }),
);
const indexEntry = once(() => z.object({ size: z.number(), mtimeMs: z.number(), summary: summary() }));
const indexFile = once(() => z.object({ version: z.literal(VERSION), sessions: z.record(z.string(), indexEntry()) }));
type Entry = z.infer<ReturnType<typeof indexEntry>>;

/** Summaries of the sessions in a folder, newest first. Only logs that changed since the last time are read. */
export async function listSummaries(folder: string, log: Logger): Promise<SessionSummary[]> {
  const [known, ids] = await Promise.all([readIndex(folder), sessionIds(folder)]);
  const entries: Record<string, Entry> = {};
  const summaries: SessionSummary[] = [];
  let changed = false;
  await eachLimited(ids, async (id) => {
    const path = join(folder, id, LOG_NAME);
    const stats = await statUnlessMissing(path);
    if (stats instanceof Error) summaries.push(unreadable(path, await folderFacts(folder, id), stats, log));
    if (!stats || stats instanceof Error || !stats.isFile()) return;
    const { size, mtimeMs } = stats;
    const before = known.get(id);
    if (before?.size === size && before.mtimeMs === mtimeMs && before.summary.id === id) {
      entries[id] = before;
      summaries.push(before.summary);
      return;
    }
    const facts = { id, bytes: size, createdAt: earliest(stats.birthtimeMs, mtimeMs), updatedAt: mtimeMs };
    const made = await summariseLog(path, facts, log);
    summaries.push(made);
    if (made.problem !== undefined) return;
    entries[id] = { size, mtimeMs, summary: made };
    changed = true;
  });
  if (changed || Object.keys(entries).length !== known.size) await writeIndex(folder, entries, log);
  return summaries.sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1));
}

async function summariseLog(path: string, facts: LogFacts, log: Logger): Promise<SessionSummary> {
  try {
    const { header, records } = await readLog(path);
    return summarise(facts, header, records);
  } catch (error) {
    return unreadable(path, facts, error, log);
  }
}

function unreadable(path: string, facts: LogFacts, error: unknown, log: Logger): SessionSummary {
  const problem = namedFailure(error);
  log.warn(`${path} cannot be read: ${problem}`);
  return { ...facts, workspace: '', title: '', firstWords: '', messages: 0, pinned: false, problem };
}

/** The only known facts about a session whose log is not accessible. */
async function folderFacts(folder: string, id: string): Promise<LogFacts> {
  const { mtimeMs } = await stat(join(folder, id)).catch(() => ({ mtimeMs: 0 }));
  return { id, bytes: 0, createdAt: mtimeMs, updatedAt: mtimeMs };
}

async function statUnlessMissing(path: string): Promise<Stats | Error | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    return asError(error);
  }
}

export async function sessionIds(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder, { withFileTypes: true });
    return names.filter((name) => name.isDirectory() && isSessionId(name.name)).map(({ name }) => name);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** An index that is missing, damaged or of another version counts as empty. */
async function readIndex(folder: string): Promise<ReadonlyMap<string, Entry>> {
  try {
    const parsed = indexFile().safeParse(JSON.parse(await readFile(join(folder, INDEX_NAME), 'utf8')));
    return new Map(Object.entries(parsed.data?.sessions ?? {}));
  } catch {
    return new Map();
  }
}

async function writeIndex(folder: string, sessions: Record<string, Entry>, log: Logger): Promise<void> {
  const path = join(folder, INDEX_NAME);
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const text = JSON.stringify({ version: VERSION, sessions });
    await replaceByDraft(draft, path, () => writeFile(draft, text, { mode: 0o600 }));
  } catch (error) {
    log.debug(`${path} was not written, so the next list takes longer: ${String(error)}`);
  }
}

async function eachLimited<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const worker = async (): Promise<void> => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

/** Some file systems don't know the creation time of a file and report 0. */
function earliest(birthtimeMs: number, mtimeMs: number): number {
  return birthtimeMs > 0 ? Math.min(birthtimeMs, mtimeMs) : mtimeMs;
}
