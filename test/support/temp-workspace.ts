import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type TempFolder, tempFolder } from './temp-folder.ts';

export interface TempWorkspace extends TempFolder {
  /** Adds or overwrites files, and creates folders as needed. */
  write(files: WorkspaceFiles): Promise<void>;
  /** Keeps only these files. Unchanged files are not touched. */
  replace(files: WorkspaceFiles): Promise<void>;
}

/** File contents by path, with forward slashes. A path that ends with a slash is an empty folder. */
export type WorkspaceFiles = Readonly<Record<string, string | Uint8Array>>;

/** A folder with real files, to open as a workspace. */
export async function createTempWorkspace(files: WorkspaceFiles = {}): Promise<TempWorkspace> {
  const folder = await tempFolder('workspace');
  const workspace: TempWorkspace = {
    ...folder,
    write: (more) => writeFiles(folder.path, more),
    replace: async (files) => {
      const wanted = Object.keys(files);
      const isPartOf = (name: string): boolean => wanted.some((path) => path === name || path.startsWith(`${name}/`));
      const names = (await readdir(folder.path, { recursive: true })).map((name) => name.replaceAll('\\', '/'));
      const others = names.filter((name) => !isPartOf(name));
      await Promise.all(others.map((name) => rm(join(folder.path, name), { recursive: true, force: true })));
      const isThere = async ([name, content]: readonly [string, string | Uint8Array]): Promise<boolean> =>
        (await readFile(join(folder.path, name)).catch(() => undefined))?.equals(Buffer.from(content)) ?? false;
      for (const file of Object.entries(files))
        if (!(await isThere(file))) await workspace.write({ [file[0]]: file[1] });
    },
  };
  await workspace.write(files);
  return workspace;
}

/** Adds or overwrites files, and creates folders as needed. */
export async function writeFiles(folder: string, files: WorkspaceFiles): Promise<void> {
  for (const [name, content] of Object.entries(files)) await writeEntry(join(folder, name), name, content);
}

async function writeEntry(target: string, name: string, content: string | Uint8Array): Promise<void> {
  if (name.endsWith('/')) {
    await mkdir(target, { recursive: true });
    return;
  }
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, content);
}
