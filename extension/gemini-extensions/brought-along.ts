import type { Dirent } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isOfExtension } from '../ports/extension-folder.ts';
import type { GeminiExtension } from './gemini-extension.ts';

/** The number of items of each kind in an extension, whether it is enabled or not. The files are not read. */
export interface BroughtAlong {
  readonly contextFiles: number;
  readonly servers: number;
  readonly commands: number;
  readonly skills: number;
  readonly agents: number;
  /** The number of files with hooks. */
  readonly hooks: number;
  /** The number of files with rules. */
  readonly policies: number;
  readonly excludedTools: number;
}

/** Counts files by name, in the same way as the code that loads them. */
export async function broughtAlong(extension: GeminiExtension): Promise<BroughtAlong> {
  const { contextFiles, servers, excludeTools } = extension;
  const [context, commands, skills, agents, hooks, policies] = await Promise.all([
    countFiles(extension, contextFiles),
    filesBelow(extension, 'commands', ({ name }) => name.endsWith('.toml'), true),
    countSkills(extension),
    filesBelow(extension, 'agents', ({ name }) => name.endsWith('.md') && !name.startsWith('_')),
    countFiles(extension, [join('hooks', 'hooks.json')]),
    filesBelow(extension, 'policies', ({ name }) => name.endsWith('.toml')),
  ]);
  return {
    contextFiles: context,
    servers: servers.length,
    commands,
    skills,
    agents,
    hooks,
    policies,
    excludedTools: excludeTools.length,
  };
}

async function countSkills(extension: GeminiExtension): Promise<number> {
  const folders = await entriesOf(extension, 'skills');
  return countFiles(extension, [
    join('skills', 'SKILL.md'),
    ...folders.map(({ name }) => join('skills', name, 'SKILL.md')),
  ]);
}

/** The number of these paths that are files inside the extension. */
async function countFiles({ folder }: GeminiExtension, paths: readonly string[]): Promise<number> {
  const real = await Promise.all(paths.map((path) => realpath(join(folder, path)).catch(() => undefined)));
  return real.filter((path) => path !== undefined && isOfExtension({ folder }, path)).length;
}

async function filesBelow(
  extension: GeminiExtension,
  path: string,
  isMeant: (entry: Dirent) => boolean,
  recursive = false,
): Promise<number> {
  const files = await entriesOf(extension, path, recursive);
  const paths = files.filter((entry) => !entry.isDirectory() && isMeant(entry));
  return countFiles(
    extension,
    paths.map(({ parentPath, name }) => join(parentPath, name).slice(extension.folder.length + 1)),
  );
}

function entriesOf({ folder }: GeminiExtension, path: string, recursive = false): Promise<Dirent[]> {
  return readdir(join(folder, path), { withFileTypes: true, recursive }).catch(() => []);
}
