import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BlobStore } from '../../extension/sessions/files/blob-store.ts';
import { DiskFiles } from '../../extension/sessions/files/disk-files.ts';
import { type FileChangeBody, FileChanges } from '../../extension/sessions/files/file-changes.ts';
import { createTempWorkspace, type TempWorkspace, type WorkspaceFiles } from './temp-workspace.ts';

/** A workspace with everything that a session needs to change and restore its files. */
export interface SessionFiles {
  readonly workspace: TempWorkspace;
  readonly files: DiskFiles;
  readonly blobs: BlobStore;
  readonly blobFolder: string;
  readonly changes: FileChanges;
  /** The recorded changes, in order. */
  readonly log: FileChangeBody[];
  pathOf(name: string): string;
  /** Changes a file as the agent does. */
  agent(name: string, content: string | undefined): Promise<void>;
  /** Changes a file as anybody else does, without the session. */
  other(name: string, content: string | undefined): Promise<void>;
  contentOf(name: string): Promise<string | undefined>;
  dispose(): Promise<void>;
}

export async function createSessionFiles(
  initial: WorkspaceFiles = {},
  synced: (log: readonly FileChangeBody[]) => Promise<void> = () => Promise.resolve(),
): Promise<SessionFiles> {
  const workspace = await createTempWorkspace(initial);
  const store = await createTempWorkspace();
  const blobFolder = join(store.path, 'blobs');
  const files = new DiskFiles({ roots: () => [workspace.path] });
  const blobs = new BlobStore(blobFolder);
  const log: FileChangeBody[] = [];
  const changes = new FileChanges({ blobs, files, record: (body) => log.push(body), synced: () => synced(log) });
  const pathOf = (name: string): string => join(workspace.path, name);
  return {
    workspace,
    files,
    blobs,
    blobFolder,
    changes,
    log,
    pathOf,
    agent: (name, content) => changes.write(pathOf(name), bytesOf(content), { callId: 'call' }),
    other: async (name, content) => {
      if (content === undefined) return rm(pathOf(name), { force: true });
      await mkdir(dirname(pathOf(name)), { recursive: true });
      await writeFile(pathOf(name), content);
    },
    contentOf: (name) => readFile(pathOf(name), 'utf8').catch(() => undefined),
    dispose: async () => {
      await workspace.dispose();
      await store.dispose();
    },
  };
}

export function bytesOf(content: string): Buffer;
export function bytesOf(content: string | undefined): Buffer | undefined;
export function bytesOf(content: string | undefined): Buffer | undefined {
  return content === undefined ? undefined : Buffer.from(content);
}
