import { createHash } from 'node:crypto';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { once } from '../../base/once.ts';
import { type GeminiMessage, isResumable, recordedText } from './message.ts';
import { type GeminiRecording, readGeminiRecording } from './recording.ts';

export interface FoundRecording {
  readonly path: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** The beginning of the user's first message; empty if only the model's side was recorded. */
  readonly firstWords: string;
  /** The number of messages in the conversation. */
  readonly messages: number;
}

/** Users would not read a longer list, and each file is read completely. */
const MAX_FILES = 50;
const FIRST_WORDS = 80;

/** The recordings of this project, the newest first. Unreadable recordings are not listed. */
export async function findGeminiRecordings(home: string, workspaceRoot: string): Promise<FoundRecording[]> {
  const gemini = join(home, '.gemini');
  const roots = await namesOf(workspaceRoot);
  const hashes = roots.map((root) => createHash('sha256').update(root).digest('hex'));
  const own = new Set([...hashes, ...(await slugsOf(join(gemini, 'projects.json'), roots))]);
  const newestById = new Map<string, Candidate>();
  for (const file of await newestFiles(join(gemini, 'tmp'), own)) {
    const candidate = await candidateIn(file);
    if (!candidate || !(file.isOwn || hashes.includes(candidate.recording.projectHash))) continue;
    const { sessionId, updatedAt } = candidate.recording;
    // Gemini CLI keeps the old file when it writes a new one in the newer format.
    const known = newestById.get(sessionId);
    if (!known || known.recording.updatedAt < updatedAt) newestById.set(sessionId, candidate);
  }
  const found = [...newestById.values()].map((candidate) => candidate.found);
  return found.sort((a, b) => b.startedAt.localeCompare(a.startedAt));
}

interface RecordingFile {
  readonly path: string;
  readonly changedAt: number;
  /** Whether the folder belongs to the project. */
  readonly isOwn: boolean;
}

interface Candidate {
  readonly recording: GeminiRecording;
  readonly found: FoundRecording;
}

/** The possible names of a folder: Gemini CLI resolves links, and ignores case on Windows. */
async function namesOf(root: string): Promise<string[]> {
  const path = resolve(root);
  const names = [path, await realpath(path).catch(() => path)];
  if (process.platform === 'win32') names.push(...names.map((name) => name.toLowerCase()));
  return [...new Set(names)];
}

const registry = once(() => z.object({ projects: z.record(z.string(), z.unknown()) }));

async function slugsOf(path: string, roots: readonly string[]): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  try {
    const { projects } = registry().parse(JSON.parse(text));
    return roots.map((root) => projects[root]).filter((slug) => typeof slug === 'string');
  } catch {
    // The list of projects is missing or invalid, but the hash of the path still finds the project.
    return [];
  }
}

/** Files in the project's own folders come first, so that other projects do not use up the limit. */
async function newestFiles(folder: string, own: ReadonlySet<string>): Promise<RecordingFile[]> {
  const files: RecordingFile[] = [];
  for (const project of await namesIn(folder)) {
    const chats = join(folder, project, 'chats');
    const names = (await namesIn(chats)).filter((name) => /\.jsonl?$/.test(name));
    const times = await Promise.all(names.map((name) => changeTime(join(chats, name))));
    for (const [index, name] of names.entries()) {
      const changedAt = times[index];
      if (changedAt !== undefined) files.push({ path: join(chats, name), changedAt, isOwn: own.has(project) });
    }
  }
  return files.sort((a, b) => Number(b.isOwn) - Number(a.isOwn) || b.changedAt - a.changedAt).slice(0, MAX_FILES);
}

async function candidateIn({ path, changedAt }: RecordingFile): Promise<Candidate | undefined> {
  const recording = readGeminiRecording(await readFile(path, 'utf8').catch(() => ''));
  if ('problem' in recording || recording.kind === 'subagent') return undefined;
  const messages = recording.messages.filter(isResumable);
  if (messages.length === 0) return undefined;
  const started = Date.parse(recording.startedAt);
  const startedAt = new Date(Number.isNaN(started) ? changedAt : started).toISOString();
  return { recording, found: { path, startedAt, firstWords: firstWords(messages), messages: messages.length } };
}

function firstWords(messages: readonly GeminiMessage[]): string {
  const first = messages.find((message) => message.type === 'user');
  const line =
    recordedText(first?.shown ?? first?.parts ?? [])
      .trim()
      .split('\n', 1)[0] ?? '';
  return line.slice(0, FIRST_WORDS);
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function changeTime(path: string): Promise<number | undefined> {
  const stats = await stat(path).catch(() => undefined);
  return stats?.isFile() ? stats.mtimeMs : undefined;
}
