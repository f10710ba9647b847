import { type BigIntStats, closeSync, readlinkSync } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { descriptorOf, linkStats, type OpenFile, openForReading } from './disk-calls.ts';
import { errorCode, isForbidden, isMissing, undefinedIfMissing } from './error-code.ts';

export type OpenFailure = 'missing' | 'folder' | 'not_regular' | 'no_permission' | 'changed_meanwhile' | 'failed';

export type OpenedFile =
  | { readonly opened: true; readonly handle: OpenFile; readonly size: number }
  | { readonly opened: false; readonly reason: OpenFailure; readonly cause?: unknown };

/** Opens a real path for reading if it is a regular file, and still the file at that path. The caller closes it. */
export async function openRegularFile(realPath: string): Promise<OpenedFile> {
  try {
    const before = await linkStats(realPath);
    if (before.isDirectory()) return { opened: false, reason: 'folder' };
    // Checked before opening, because opening a device can already have side effects.
    if (!before.isFile()) return { opened: false, reason: 'not_regular' };
    return await openAndVerify(realPath);
  } catch (cause) {
    return { opened: false, reason: failureOf(cause), cause };
  }
}

/** The folders that contain a regular file with this name. */
export async function foldersWith(name: string, folders: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(folders.map((folder) => lstat(join(folder, name)).catch(() => undefined)));
  return folders.filter((_, at) => found[at]?.isFile());
}

/** Reads at most `limit` bytes; undefined if the file is longer, even if it grew since its size was read. */
export async function readUpTo(
  handle: OpenFile,
  size: number,
  limit: number,
  signal?: AbortSignal,
): Promise<Buffer | undefined> {
  if (size > limit) return undefined;
  let bytes = Buffer.alloc(size + 1);
  let filled = 0;
  for (;;) {
    signal?.throwIfAborted();
    const wanted = Math.min(bytes.length - filled, CHUNK_BYTES);
    const { bytesRead } = await handle.read(bytes, filled, wanted, filled);
    if (bytesRead === 0) return bytes.subarray(0, filled);
    filled += bytesRead;
    if (filled > limit) return undefined;
    // The file ends where it should. Files without a size, such as those in `/proc`, are read until nothing comes.
    if (filled === size && bytesRead < wanted) return bytes.subarray(0, filled);
    if (filled === bytes.length) bytes = Buffer.concat([bytes, Buffer.alloc(CHUNK_BYTES)]);
  }
}

/** Small enough that Stop takes effect at once, large enough that reading stays fast. */
const CHUNK_BYTES = 1024 * 1024;

async function openAndVerify(realPath: string): Promise<OpenedFile> {
  const handle = await openForReading(realPath);
  try {
    const file = await handle.stat({ bigint: true });
    const isSameFile = pathOfOpen(handle.fd) === realPath || (await isStillAt(realPath, file));
    if (isSameFile && file.isFile()) return { opened: true, handle, size: Number(file.size) };
    await handle.close();
    return { opened: false, reason: isSameFile ? 'not_regular' : 'changed_meanwhile' };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Whether this absolute path exists and is a real path, without links. On Linux, this takes one call, however long the
 * path is.
 */
export async function isRealPath(path: string): Promise<boolean> {
  if (process.platform !== 'linux') return (await realpath(path).catch(() => undefined)) === path;
  const fd = await descriptorOf(path).catch(() => undefined);
  if (fd === undefined) return false;
  try {
    return pathOfOpen(fd) === path;
  } finally {
    closeSync(fd);
  }
}

/**
 * The real path of an open file as Linux knows it. Not asynchronous, because it is in the kernel's memory even if the
 * file is on a slow disk. Undefined on other systems, and where there is no `/proc`.
 */
function pathOfOpen(fd: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
}

async function isStillAt(realPath: string, file: BigIntStats): Promise<boolean> {
  const [named, whereNow] = await Promise.all([lstat(realPath, { bigint: true }), realpath(realPath)]);
  return file.ino === named.ino && file.dev === named.dev && whereNow === realPath;
}

function failureOf(error: unknown): OpenFailure {
  if (isMissing(error)) return 'missing';
  if (isForbidden(error)) return 'no_permission';
  const code = errorCode(error);
  if (code === 'ELOOP') return 'changed_meanwhile';
  if (code === 'ENXIO') return 'not_regular';
  return 'failed';
}

/** Real settings and rules stay below some hundred KB; larger files are something else. */
const SMALL_FILE_BYTES = 4 * 1024 * 1024;

/**
 * Reads a file with settings or rules. Links are followed, because people link `.geminiignore` to `.gitignore`. Returns
 * undefined if there is no such file; throws if the file exists but cannot be read.
 */
export async function readSmallFile(path: string): Promise<string | undefined> {
  const real = await realpath(path).catch(undefinedIfMissing);
  if (real === undefined) return undefined;
  const file = await openRegularFile(real);
  if (!file.opened) throw file.cause ?? new Error(file.reason);
  const bytes = await readUpTo(file.handle, file.size, SMALL_FILE_BYTES).finally(() => file.handle.close());
  if (!bytes) throw new Error('too large');
  return bytes.toString('utf8');
}
