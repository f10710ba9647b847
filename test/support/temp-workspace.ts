import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type TempFolder, tempFolder } from './temp-folder.ts';

export interface TempWorkspace extends TempFolder {
  /** Adds or overwrites files; folders are made as needed. */
  write(files: WorkspaceFiles): Promise<void>;
}

/** Content by path with forward slashes. A path that ends with a slash is an empty folder. */
export type WorkspaceFiles = Readonly<Record<string, string | Uint8Array>>;

/** A folder with real files, to be opened as a workspace. */
export async function createTempWorkspace(files: WorkspaceFiles = {}): Promise<TempWorkspace> {
  const folder = await tempFolder('workspace');
  const workspace: TempWorkspace = {
    ...folder,
    write: async (more) => {
      for (const [name, content] of Object.entries(more)) await writeEntry(join(folder.path, name), name, content);
    },
  };
  await workspace.write(files);
  return workspace;
}

async function writeEntry(target: string, name: string, content: string | Uint8Array): Promise<void> {
  if (name.endsWith('/')) {
    await mkdir(target, { recursive: true });
    return;
  }
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, content);
}
