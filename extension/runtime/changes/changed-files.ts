import { FileFailure } from '../../files/file-failure.ts';
import type { FilePort, WorkspacePort } from '../../ports/workspace.ts';
import type { Problem } from '../../protocol/agent/problem.ts';
import { type BlobStore, hashOf } from '../../sessions/files/blob-store.ts';
import { BufferedFiles } from '../../sessions/files/buffered-files.ts';
import { DiskFiles } from '../../sessions/files/disk-files.ts';
import { FileChanges } from '../../sessions/files/file-changes.ts';
import { applyRestore, previewRestore } from '../../sessions/files/file-rewind.ts';
import type { SessionJournal } from '../../sessions/session-journal.ts';
import { isNoPlaceToWrite } from '../../sessions/store/log-failure.ts';
import { notRewindable } from '../problems/session-problems.ts';
import type { ChangedFiles } from './session-rewind.ts';

interface Keeping {
  readonly journal: SessionJournal;
  /** Called once if earlier file contents cannot be stored, so files cannot be restored. */
  readonly tell: (problem: Problem) => void;
}

/** The files of a session. Without `blobs`, the session is not stored. */
export function changedFiles(
  workspace: Pick<WorkspacePort, 'roots'>,
  editors: FilePort,
  { blobs, ...keeping }: Keeping & { readonly blobs: BlobStore | undefined },
): ChangedFiles {
  return blobs ? storedFiles(workspace, editors, blobs, keeping) : unstoredFiles(workspace, editors);
}

/** Stores earlier file contents next to the session's log. If they cannot be stored, files change all the same. */
function storedFiles(
  workspace: Pick<WorkspacePort, 'roots'>,
  editors: FilePort,
  blobs: BlobStore,
  { journal, tell }: Keeping,
): ChangedFiles {
  const disk = new DiskFiles(workspace);
  const files = new BufferedFiles(disk, editors);
  let told = false;
  const put = async (content: Uint8Array): Promise<string> => {
    try {
      return await blobs.put(content);
    } catch (error) {
      if (!isNoPlaceToWrite(error)) throw error;
      if (!told) tell(notRewindable(blobs.folder));
      told = true;
      return hashOf(content);
    }
  };
  const changes = new FileChanges({
    blobs: { put },
    files,
    record: (body) => {
      if (!journal.isClosed) journal.append(body);
      // Appending may have closed the journal, because another process has the session now.
      if (journal.isClosed) throw new Error('The session was closed, so a change could not be taken back later.');
    },
    synced: () => journal.synced(),
  });
  return {
    write: (path, content, cause, change) => changes.write(path, content, cause, change),
    settle: async (inDoubt) => {
      for (const change of inDoubt) await changes.settle(change);
    },
    preview: (plan) => previewRestore(plan, blobs, files),
    restore: (steps, overwrite, rewindId) => applyRestore(steps, { overwrite }, changes, blobs, rewindId),
    read: (path) => files.read(path),
    keep: async (content) => (content === undefined ? null : put(content)),
    kept: async (version) => (version === null ? undefined : blobs.get(version)),
    ...shapesOf(disk),
  };
}

/** Files of a session that is not stored: they are written, but cannot be restored. */
export function unstoredFiles(workspace: Pick<WorkspacePort, 'roots'>, editors: FilePort): ChangedFiles {
  const disk = new DiskFiles(workspace);
  const files = new BufferedFiles(disk, editors);
  return {
    write: async (path, content, _cause, change) => {
      const fits = change === undefined || (await files.hasText(path, await files.read(path), change.expected));
      if (!fits) throw new FileFailure('changed_meanwhile');
      await files.write(path, content, change);
    },
    settle: () => Promise.resolve(),
    preview: () => Promise.resolve([]),
    restore: () => Promise.resolve([]),
    read: (path) => files.read(path),
    keep: (content) => Promise.resolve(hashOf(content)),
    kept: () => Promise.resolve(undefined),
    ...shapesOf(disk),
  };
}

function shapesOf(disk: DiskFiles): Pick<ChangedFiles, 'setLink' | 'setMode'> {
  return {
    setLink: (path, from, to) => disk.setLink(path, from, to),
    setMode: (path, mode) => disk.setMode(path, mode),
  };
}
