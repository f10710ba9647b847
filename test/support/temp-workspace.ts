import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface TempWorkspace {
  /** Absolute, without links. */
  readonly path: string;
  /** Adds or overwrites files; folders are made as needed. */
  write(files: WorkspaceFiles): Promise<void>;
  dispose(): Promise<void>;
}

/** Content by path with forward slashes. A path that ends with a slash is an empty folder. */
export type WorkspaceFiles = Readonly<Record<string, string | Uint8Array>>;

/** A folder with real files, to be opened as a workspace. */
export async function createTempWorkspace(files: WorkspaceFiles = {}): Promise<TempWorkspace> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'gantry-workspace-')));
  const workspace: TempWorkspace = {
    path,
    write: async (more) => {
      for (const [name, content] of Object.entries(more)) await writeEntry(join(path, name), name, content);
    },
    dispose: () => rm(path, { recursive: true, force: true }),
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
