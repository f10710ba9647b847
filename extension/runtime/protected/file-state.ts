import { createHash } from 'node:crypto';
import { lstat, readlink } from 'node:fs/promises';
import { openRegularFile, readUpTo } from '../../files/regular-file.ts';
import { type PartlyProtected, tellingPart } from '../../policy/telling-part.ts';

/** What a file is at a moment; undefined where there is none. */
export type FileState =
  | {
      readonly kind: 'file';
      readonly stamp: string;
      /** It was written just now: clocks of file systems tick slowly, so the stamp alone does not tell. */
      readonly isFresh: boolean;
      readonly mode: number;
      /** Absent for a file that is too large, or that cannot be read. */
      readonly hash?: string;
      /** Absent where it could not be put back. */
      readonly content?: Uint8Array;
    }
  | { readonly kind: 'link'; readonly stamp: string; readonly target: string }
  | { readonly kind: 'other'; readonly stamp: string };

export type ChangeKind = 'created' | 'deleted' | 'changed' | 'linked' | 'mode';

/** Kept so that it can be put back. */
const MAX_KEPT_FILE = 256 * 1024;
/** Known by their hash; of larger ones only time and size are compared. */
const MAX_HASHED_FILE = 8 * 1024 * 1024;
const TICK_MS = 100;

/** How much more may be kept in memory. */
export interface Room {
  left: number;
}

/** Reads the file only where its stamp is another one than before. */
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

/** What happened to a file; undefined when it does the same as before. */
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

/** Whether it runs, and as whom. */
const EXECUTABLE = 0o6111;

function isFresh(state: FileState | undefined): boolean {
  return state?.kind === 'file' && state.isFresh;
}

/** By time and size, for what is too large to be read each time. */
function sameStamp(before: FileState, after: FileState): boolean {
  const [time, , size] = before.stamp.split(' ');
  const [timeNow, , sizeNow] = after.stamp.split(' ');
  return time === timeNow && size === sizeNow;
}

function samePart(before: FileState | undefined, after: FileState | undefined, part: PartlyProtected): boolean {
  const [was, is] = [partOf(before, part), partOf(after, part)];
  return was !== undefined && was === is;
}

/** Undefined where it cannot be told. */
function partOf(state: FileState | undefined, part: PartlyProtected): string | undefined {
  if (!state) return '';
  if (state.kind !== 'file' || !state.content) return undefined;
  return tellingPart(part, Buffer.from(state.content).toString('utf8'));
}
