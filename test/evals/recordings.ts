import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { startGeminiEndpoint } from '../support/gemini/server.ts';
import { repoRoot } from '../support/repo.ts';
import { type Agent, gantryInProcess, type Turn } from './agent.ts';
import { createCopy } from './copy.ts';
import { SCRIPTED_MODEL } from './scripted.ts';
import type { Task } from './task.ts';
import { varyBy } from './vary.ts';

export const RECORDINGS = join(repoRoot, 'test/evals/recordings');

/** The head of a recording; its answers are in NAME.PROMPT.jsonl beside it, in the format of `gantry --record`. */
const headSchema = z.strictObject({
  task: z.string(),
  seed: z.int(),
  model: z.string(),
  fingerprint: z.string(),
  solved: z.boolean(),
});

export type Recording = z.infer<typeof headSchema> & { readonly name: string };

export async function readRecordings(folder: string): Promise<readonly Recording[]> {
  const files = await readdir(folder).catch(() => []);
  const heads = files.filter((file) => file.endsWith('.json')).sort();
  return Promise.all(
    heads.map(async (file) => {
      const head = headSchema.parse(JSON.parse(await readFile(join(folder, file), 'utf8')));
      return { ...head, name: file.replace(/\.json$/, '') };
    }),
  );
}

export function recordingName(task: Task, seed: number, model: string): string {
  return `${task.id}-${seed}-${model.replaceAll(/[^\w.-]/g, '_')}`;
}

function answersFile(folder: string, name: string, { index }: Pick<Turn, 'index'>): string {
  return join(folder, `${name}.${index}.jsonl`);
}

/** The flags of a run that is recorded. Earlier answers under the same name are deleted. */
export async function startRecording(folder: string, name: string): Promise<(turn: Turn) => readonly string[]> {
  await mkdir(folder, { recursive: true });
  const old = (await readdir(folder)).filter(
    (file) => file === `${name}.json` || /^\.\d+\.jsonl$/.test(file.slice(name.length)),
  );
  for (const file of old) if (file.startsWith(name)) await rm(join(folder, file));
  return (turn) => ['--record', answersFile(folder, name, turn)];
}

export async function finishRecording(folder: string, { name, ...head }: Recording): Promise<void> {
  await writeFile(join(folder, `${name}.json`), `${JSON.stringify(head, undefined, 2)}\n`);
}

/** Plays the recorded answers through the product. Tools run for real, in the copy. */
export function replayingAgent(folder: string, { name, model }: Recording): Agent {
  return gantryInProcess({
    name: `recorded ${model}`,
    model,
    flags: (turn) => ['--replay', answersFile(folder, name, turn)],
  });
}

/**
 * Identifies what the model was told: the instruction and the tool declarations, as they are sent for this task. Paths,
 * dates and the operating system are left out, because they differ between machines.
 */
export async function fingerprintOf(task: Task, seed: number, model = SCRIPTED_MODEL): Promise<string> {
  const copy = await createCopy(task.make(varyBy(seed)));
  const endpoint = await startGeminiEndpoint(['Done.']);
  try {
    const environment = { GOOGLE_GEMINI_BASE_URL: endpoint.url, GEMINI_API_KEY: 'scripted' };
    await gantryInProcess({ model, environment }).ask({ copy, prompt: 'Hi', index: 0 });
    const { systemInstruction, tools } = endpoint.requests[0]?.body ?? {};
    if (systemInstruction === undefined || tools === undefined) throw new Error('No request has arrived.');
    const text = JSON.stringify([systemInstruction, tools])
      .replaceAll(copy.folder, '{folder}')
      .replaceAll(copy.home, '{home}')
      .replaceAll(/\b\d{4}-\d\d-\d\d\b/g, '{date}')
      .replaceAll(/\b(linux|darwin|win32)\b/g, '{system}');
    return createHash('sha256').update(text).digest('hex').slice(0, 16);
  } finally {
    await endpoint.dispose();
    await copy.dispose();
  }
}

/** Throws if the model would be told something else now: its answers would not be what it would say. */
export function requireSameInstruction({ name, task, seed, model, fingerprint }: Recording, now: string): void {
  if (now === fingerprint) return;
  throw new Error(
    `The recording ${name} was made with another instruction or other tools (${fingerprint}, now ${now}). ` +
      `Record it again: npm run eval -- --record --only ${task} --seed ${seed} --model ${model}. Without a key, delete it.`,
  );
}
