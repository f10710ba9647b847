import { createHash } from 'node:crypto';
import { lstat, readlink } from 'node:fs/promises';
import { openRegularFile, readUpTo } from '../../files/regular-file.ts';
import { type PartlyProtected, tellingPart } from '../../policy/telling-part.ts';

/** The state of a file; undefined if there is no file. */
export type FileState =
  | {
      readonly kind: 'file';
      readonly stamp: string;
      /**
       * Whether it was written just now. The clocks of file systems tick slowly, so the stamp may not reveal another
       * write.
       */
      readonly isFresh: boolean;
      readonly mode: number;
      /** Undefined for a file that is too large or unreadable. */
      readonly hash?: string;
      /** Undefined if the content is not kept, so that the file can't be restored. */
      readonly content?: Uint8Array;
    }
  | { readonly kind: 'link'; readonly stamp: string; readonly target: string }
  | { readonly kind: 'other'; readonly stamp: string };

export type ChangeKind = 'created' | 'deleted' | 'changed' | 'linked' | 'mode';

/** The content of files up to this size is kept, so that they can be restored. */
const MAX_KEPT_FILE = 256 * 1024;
/** Files up to this size are compared by hash; larger ones only by time and size. */
const MAX_HASHED_FILE = 8 * 1024 * 1024;
const TICK_MS = 100;

/** The memory that is left for contents. */
export interface Room {
  left: number;
}

/** Reads the file only if its stamp has changed. */
export async function fileState(
  path: string,
  before: FileState | undefined,
  room: Room,
): Promise<FileState | undefined> {
  const stats = await lstat(path, { bigint: true }).catch(() => undefined);
  if (!stats) return undefined;
  const { mtimeNs, ctimeNs, ctimeMs, size, ino, mode } = stats;
  const stamp = `${mtimeNs} ${ctimeNs} ${size} ${ino} ${mode}`;
  if (before?.stamp === stamp && !(before.kind === 'file' && before.isFresh)) return kept(before, room);
  if (stats.isSymbolicLink()) return { kind: 'link', stamp, target: await readlink(path).catch(() => '') };
  if (!stats.isFile()) return { kind: 'other', stamp };
  const isFresh = Math.abs(Date.now() - Number(ctimeMs)) < TICK_MS;
  const content = await contentOf(path);
  const state = { kind: 'file' as const, stamp, isFresh, mode: Number(mode) & 0o7777 };
  if (!content) return state;
  return kept({ ...state, hash: createHash('sha256').update(content).digest('hex'), content }, room);
}

function kept(state: FileState, room: Room): FileState {
  if (state.kind !== 'file' || !state.content) return state;
  const { content, ...rest } = state;
  if (content.length > MAX_KEPT_FILE || content.length > room.left) return rest;
  room.left -= content.length;
  return state;
}

async function contentOf(path: string): Promise<Uint8Array | undefined> {
  const file = await openRegularFile(path);
  if (!file.opened) return undefined;
  try {
    return await readUpTo(file.handle, file.size, MAX_HASHED_FILE);
  } catch {
    return undefined;
  } finally {
    await file.handle.close();
  }
}

/** What happened to a file; undefined if its effect is unchanged. */
export function changeOf(
  before: FileState | undefined,
  after: FileState | undefined,
  part: PartlyProtected | undefined,
): ChangeKind | undefined {
  if (before?.stamp === after?.stamp && !isFresh(before)) return undefined;
  if (part !== undefined && samePart(before, after, part)) return undefined;
  if (!before || !after) return before ? 'deleted' : 'created';
  if (after.kind === 'link') return before.kind === 'link' && before.target === after.target ? undefined : 'linked';
  if (before.kind !== 'file' || after.kind !== 'file') return before.kind === after.kind ? undefined : 'changed';
  const isSame =
    before.hash === undefined || after.hash === undefined ? sameStamp(before, after) : before.hash === after.hash;
  if (!isSame) return 'changed';
  return (before.mode & EXECUTABLE) === (after.mode & EXECUTABLE) ? undefined : 'mode';
}

/** The bits that say whether a file can be run, and as which user. */
const EXECUTABLE = 0o6111;

function isFresh(state: FileState | undefined): boolean {
  return state?.kind === 'file' && state.isFresh;
}

/** Compares time and size, for files that are too large to hash. */
function sameStamp(before: FileState, after: FileState): boolean {
  const [time, , size] = before.stamp.split(' ');
  const [timeNow, , sizeNow] = after.stamp.split(' ');
  return time === timeNow && size === sizeNow;
}

function samePart(before: FileState | undefined, after: FileState | undefined, part: PartlyProtected): boolean {
  const [was, is] = [partOf(before, part), partOf(after, part)];
  return was !== undefined && was === is;
}

/** The protected part of a file; undefined if it can't be determined. */
function partOf(state: FileState | undefined, part: PartlyProtected): string | undefined {
  if (!state) return '';
  if (state.kind !== 'file' || !state.content) return undefined;
  return tellingPart(part, Buffer.from(state.content).toString('utf8'));
}
