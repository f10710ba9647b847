import { createHash, randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { access, chmod, constants, lstat, open, readdir, readlink, realpath, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder, replaceByDraft } from '../../files/durable-files.ts';
import { isForbidden, isMissing } from '../../files/error-code.ts';
import { FileFailure } from '../../files/file-failure.ts';
import { type AllowedPath, guardPath } from '../../files/path-guard.ts';
import { openRegularFile } from '../../files/regular-file.ts';
import { decodeExactly } from '../../files/text-codec.ts';
import type { WorkspacePort } from '../../ports/workspace.ts';
import type { WritableFiles, WrittenBy } from './file-changes.ts';

/** The regular files on disk in the open folders, by their real paths. */
export class DiskFiles implements WritableFiles {
  constructor(private readonly workspace: Pick<WorkspacePort, 'roots'>) {}

  async read(path: string): Promise<Buffer | undefined> {
    const file = await openRegularFile((await this.guarded(path)).path);
    if (!file.opened) {
      if (file.reason === 'missing') return undefined;
      throw new FileFailure(file.reason, file.cause);
    }
    try {
      return await file.handle.readFile();
    } finally {
      await file.handle.close();
    }
  }

  /** False for a file in another encoding, because different bytes could pass for the same text. */
  hasText(_path: string, content: Uint8Array | undefined, text: string | null): Promise<boolean> {
    return Promise.resolve((content === undefined ? null : decodeExactly(content)?.text) === text);
  }

  /** Keeps the folders of a removed file, because it is not known whether the session created them. */
  async write(path: string, content: Uint8Array | undefined): Promise<WrittenBy> {
    await this.guarded(path);
    const existing = await statIfThere(path);
    if (existing) await checkWritable(path, existing);
    if (content !== undefined) await replaceFile(path, content, existing);
    else if (existing) await rm(path, { force: true });
    return 'disk';
  }

  async removeLeftovers(path: string): Promise<void> {
    try {
      await this.guarded(path);
      const folder = dirname(path);
      const leftovers = (await readdir(folder)).filter((name) => name.startsWith(draftsOf(path)));
      for (const name of leftovers) await rm(join(folder, name), { force: true });
    } catch {
      // If the folder is missing or not accessible, there is nothing to remove.
    }
  }

  /**
   * Creates (`from` is null), replaces or removes (`to` is null) a link. Throws if the path holds anything else by now.
   */
  async setLink(path: string, from: string | null, to: string | null): Promise<void> {
    await this.guarded(dirname(path));
    const existing = await statIfThere(path);
    const target = existing?.isSymbolicLink() ? await readlink(path) : undefined;
    if (existing ? target === undefined || target !== from : from !== null) throw new FileFailure('changed_meanwhile');
    if (existing) await rm(path);
    if (to !== null) await symlink(to, path);
  }

  async setMode(path: string, mode: number): Promise<void> {
    await this.guarded(path);
    await chmod(path, mode & 0o777);
  }

  /**
   * Checks the path on every access: a link may have replaced it since it was allowed. The target of such a link was
   * never checked and may be protected.
   */
  async guarded(path: string): Promise<AllowedPath> {
    const guarded = await guardPath(path, this.workspace.roots());
    if (!guarded.allowed) throw new FileFailure(guarded.reason, guarded.message);
    if (guarded.path !== path) throw new FileFailure('link');
    return guarded;
  }
}

async function checkWritable(path: string, stats: Stats): Promise<void> {
  if (stats.isDirectory()) throw new FileFailure('folder');
  if (!stats.isFile()) throw new FileFailure('not_regular');
  // Replacing a file requires only permission for the folder, but a read-only file must not change.
  await access(path, constants.W_OK);
}

/** Writes the content to a temporary file and renames it, so that no reader sees an incomplete file. */
async function replaceFile(target: string, content: Uint8Array, existing: Stats | undefined): Promise<void> {
  const folder = dirname(target);
  makeFolder(folder, 0o777);
  if ((await realpath(folder)) !== folder) throw new FileFailure('changed_meanwhile');
  const temporary = join(folder, `${draftsOf(target)}${randomUUID()}.tmp`);
  await replaceByDraft(temporary, target, () => writeLike(existing, temporary, content));
}

/** The prefix of the temporary files that replace this file. */
function draftsOf(target: string): string {
  return `.gantry-${createHash('sha256').update(target).digest('hex').slice(0, 16)}-`;
}

async function writeLike(existing: Stats | undefined, path: string, content: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', existing ? 0o600 : 0o666);
  try {
    await file.writeFile(content);
    if (existing) {
      // In a container, the user is often root while the files are not root's. Only root may change the owner.
      await file.chown(existing.uid, existing.gid).catch(ignoreForbidden);
      await file.chmod(existing.mode & 0o7777);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

async function statIfThere(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function ignoreForbidden(error: unknown): void {
  if (!isForbidden(error)) throw error;
}
