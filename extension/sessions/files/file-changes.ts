import { FileFailure } from '../../files/file-failure.ts';
import type { TextChange } from '../../ports/tool.ts';
import type { RecordBody } from '../session-record.ts';
import { type BlobStore, hashOf } from './blob-store.ts';
import type { FileVersion } from './restore-plan.ts';

/** The files of the workspace, by absolute path. */
export interface WritableFiles {
  /** Undefined if there is no such file. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Whether a file with this content has this text as the user sees it. Null means that there is no file. */
  hasText(path: string, content: Uint8Array | undefined, text: string | null): Promise<boolean>;
  /** If `content` is undefined, the file is removed. */
  write(path: string, content: Uint8Array | undefined, change?: TextChange): Promise<WrittenBy>;
  /** Removes temporary files that a write to this path left behind when its process was killed. */
  removeLeftovers(path: string): Promise<void>;
}

/** `editor`: the editor may have made further changes while saving, such as formatting. */
export type WrittenBy = 'disk' | 'editor';

export type FileChangeBody = Extract<RecordBody, { type: 'file_change' }>;

/** Why a file changes: a tool call, a rewind, or the review of a change. */
export type ChangeCause = { readonly callId: string } | { readonly rewindId: string } | { readonly reviewId: string };

/** With a version, the file must match it exactly; otherwise its text must be the expected one. */
export interface CheckedChange extends TextChange {
  readonly version?: FileVersion;
}

export type WriteOutcome = 'written' | 'unchanged' | 'refused';

type MayReplace = (version: FileVersion, current: Uint8Array | undefined) => boolean | Promise<boolean>;

export interface FileChangesParts {
  readonly blobs: Pick<BlobStore, 'put'>;
  /** Appends to the session's log. */
  readonly record: (body: FileChangeBody) => void;
  /** Resolves when everything recorded so far is on disk. */
  readonly synced: () => Promise<void>;
  readonly files: WritableFiles;
}

/** The only way in which a session changes files: stores and logs the earlier content before it is replaced. */
export class FileChanges {
  private readonly lastOf = new Map<string, Promise<unknown>>();

  constructor(private readonly parts: FileChangesParts) {}

  /**
   * If `content` is undefined, the file is removed. Throws if the file changed between storing and writing, or is not
   * what the change was computed from.
   */
  async write(
    path: string,
    content: Uint8Array | undefined,
    cause: ChangeCause,
    change?: CheckedChange,
  ): Promise<void> {
    const mayReplace = async (version: FileVersion, current: Uint8Array | undefined): Promise<boolean> => {
      if (change?.version !== undefined) return version === change.version;
      return change === undefined || this.parts.files.hasText(path, current, change.expected);
    };
    const outcome = await this.inTurn(path, () => this.replace(path, content, cause, mayReplace, change));
    if (outcome === 'refused') throw new FileFailure('changed_meanwhile');
  }

  /**
   * Settles a change that a killed process recorded and may not have made: if the file is unchanged, the log is
   * corrected. Otherwise a rewind would take the file for another person's edit, or for already restored.
   */
  async settle({ path, before, after, callId, rewindId, reviewId }: FileChangeBody): Promise<void> {
    const { record, files } = this.parts;
    await files.removeLeftovers(path);
    if (!(await this.holds(path, before))) return;
    const cause = {
      ...(callId !== undefined && { callId }),
      ...(rewindId !== undefined && { rewindId }),
      ...(reviewId !== undefined && { reviewId }),
    };
    record({ type: 'file_change', path, before: after, after: before, ...cause });
  }

  /** Writes only if `mayReplace` accepts the current content, which it gets with its hash. */
  writeIf(
    path: string,
    content: Uint8Array | undefined,
    cause: ChangeCause,
    mayReplace: MayReplace,
  ): Promise<WriteOutcome> {
    return this.inTurn(path, () => this.replace(path, content, cause, mayReplace));
  }

  private async replace(
    path: string,
    content: Uint8Array | undefined,
    cause: ChangeCause,
    mayReplace: MayReplace,
    change?: TextChange,
  ): Promise<WriteOutcome> {
    const { blobs, record, synced, files } = this.parts;
    const current = await files.read(path);
    const [before, after] = [hashOf(current), hashOf(content)];
    if (before === after) return 'unchanged';
    if (!(await mayReplace(before, current))) return 'refused';
    await Promise.all([current, content].map((bytes) => bytes && blobs.put(bytes)));
    const log = (from: FileVersion, to: FileVersion): void =>
      record({ type: 'file_change', path, before: from, after: to, ...cause });
    log(before, after);
    try {
      await synced();
      // While waiting for the disk, somebody may have saved the file, and only the earlier content is stored.
      if (hashOf(await files.read(path)) !== before) {
        log(after, before);
        return 'refused';
      }
      const by = await files.write(path, content, change);
      if (by === 'editor') await this.noteSaved(path, after, cause);
      return 'written';
    } catch (error) {
      // Correct the log. Otherwise the current content would later be taken for another person's edit.
      if (!(await this.holds(path, after))) log(after, before);
      throw error;
    }
  }

  /** Records changes that an editor made while saving, because they are part of the session's change. */
  private async noteSaved(path: string, meant: FileVersion, cause: ChangeCause): Promise<void> {
    const { blobs, record, files } = this.parts;
    const saved = await files.read(path);
    if (hashOf(saved) === meant) return;
    if (saved !== undefined) await blobs.put(saved);
    record({ type: 'file_change', path, before: meant, after: hashOf(saved), ...cause });
  }

  private async holds(path: string, version: FileVersion): Promise<boolean> {
    try {
      return hashOf(await this.parts.files.read(path)) === version;
    } catch {
      // Ignore this failure: the caller reports the one that caused this check.
      return false;
    }
  }

  private inTurn<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
    const result = (this.lastOf.get(path) ?? Promise.resolve()).then(work);
    const settled = result
      .catch(() => undefined)
      .then(() => {
        if (this.lastOf.get(path) === settled) this.lastOf.delete(path);
      });
    this.lastOf.set(path, settled);
    return result;
  }
}
