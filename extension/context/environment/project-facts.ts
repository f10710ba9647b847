import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { KnownFiles } from '../../policy/known-files.ts';
import { oneLine } from '../../text/one-line.ts';
import { type Language, MANIFESTS } from './manifests.ts';

/** What the manifests of a folder say about how the project is built and checked. */
export interface ProjectFacts {
  readonly languages: readonly Language[];
  /** One line for each manifest. The text comes from the project. */
  readonly lines: readonly string[];
}

const NOTHING: ProjectFacts = { languages: [], lines: [] };

/** Longer files take longer to parse than the description is worth. */
const MAX_CHARS = 512 * 1024;

/** Reads the manifests directly in this folder, as data: nothing of the project runs. Links are ignored. */
export async function projectFacts(folder: string, known: KnownFiles): Promise<ProjectFacts> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
  if (!entries) return NOTHING;
  const names = new Set(entries.map(({ name }) => name));
  const has = (name: string): boolean => names.has(name);
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  const found = MANIFESTS.flatMap((kind) => {
    const [name] = files.filter((file) => kind.names.test(file)).sort();
    return name === undefined ? [] : [{ ...kind, name }];
  });
  const described = await Promise.all(
    found.map(async ({ name, language, says, reads }) => {
      const text = reads ? await textOf(join(folder, name), known) : '';
      const manifest = { name, text, has };
      return { language: language?.(manifest), name, said: says?.(manifest) };
    }),
  );
  return {
    languages: [...new Set(described.flatMap(({ language }) => language ?? []))],
    lines: [
      ...described.flatMap(({ name, said }) => (said === undefined ? [] : [`${oneLine(name, 60)}: ${said}`])),
      ...virtualEnvironment(entries),
    ],
  };
}

async function textOf(path: string, known: KnownFiles): Promise<string> {
  const file = await known.read(path).catch(() => undefined);
  const text = file?.lines.join('\n') ?? '';
  return text.length > MAX_CHARS ? '' : text;
}

function virtualEnvironment(entries: readonly Dirent[]): string[] {
  const folder = ['.venv', 'venv'].find((name) => entries.some((entry) => entry.name === name && entry.isDirectory()));
  return folder === undefined ? [] : [`${folder}/ is a virtual environment of Python`];
}
