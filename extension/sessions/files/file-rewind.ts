import * as l10n from '@vscode/l10n';
import { failureText } from '../../files/file-failure.ts';
import { decodeText, looksBinary } from '../../files/text-codec.ts';
import { type BlobStore, hashOf } from './blob-store.ts';
import type { FileChanges, WritableFiles } from './file-changes.ts';
import { compare, type FileVersion, type PlannedRestore, type RestoreKind } from './restore-plan.ts';

/** What restoring a file would do. */
export type RestoreStep = PlannedRestore &
  (
    | {
        readonly kind: RestoreKind;
        readonly current: FileVersion;
        /**
         * The changed lines from the current to the restored content. Undefined if nothing changes or it is not text.
         */
        readonly lines?: ChangedLines;
      }
    | {
        /** The file is unreadable, so it will not be written. */
        readonly kind: 'blocked';
        /** For the user. */
        readonly reason: string;
      }
  );

export interface RestoreChoices {
  /** Paths that are restored even though somebody else changed them. */
  readonly overwrite: ReadonlySet<string>;
}

export type RestoreOutcome = { readonly path: string } & (
  | {
      /** `kept`: somebody else changed the file, so it was not restored. */
      readonly kind: 'restored' | 'removed' | 'unchanged' | 'kept';
    }
  | {
      readonly kind: 'failed';
      /** For the user. */
      readonly reason: string;
    }
);

const notStored = (): string => l10n.t('Its earlier content is no longer stored.');

export async function previewRestore(
  plan: readonly PlannedRestore[],
  blobs: BlobStore,
  files: WritableFiles,
): Promise<RestoreStep[]> {
  const steps: RestoreStep[] = [];
  // One after the other, so that only two contents are in memory at a time.
  for (const planned of plan) steps.push(await previewFile(planned, blobs, files));
  return steps;
}

/** Restores the files as previewed. A file that changed since then is kept, unless it is in `overwrite`. */
export async function applyRestore(
  steps: readonly RestoreStep[],
  choices: RestoreChoices,
  changes: FileChanges,
  blobs: BlobStore,
  rewindId: string,
): Promise<RestoreOutcome[]> {
  const outcomes: RestoreOutcome[] = [];
  for (const step of steps) {
    outcomes.push(await restoreFile(step, choices.overwrite.has(step.path), changes, blobs, rewindId));
  }
  return outcomes;
}

async function previewFile(planned: PlannedRestore, blobs: BlobStore, files: WritableFiles): Promise<RestoreStep> {
  try {
    const content = await files.read(planned.path);
    const current = hashOf(content);
    const target = await storedContent(planned.target, blobs);
    const kind = compare(planned, current, target !== undefined);
    if (kind === 'done' || kind === 'lost') return { ...planned, kind, current };
    const lines = changedLines(content, target);
    return { ...planned, kind, current, ...(lines && { lines }) };
  } catch (error) {
    return { ...planned, kind: 'blocked', reason: failureText(error) };
  }
}

async function restoreFile(
  step: RestoreStep,
  overwrite: boolean,
  changes: FileChanges,
  blobs: BlobStore,
  rewindId: string,
): Promise<RestoreOutcome> {
  const { path, target, expected, kind } = step;
  try {
    const content = await storedContent(target, blobs);
    if (target !== null && content === undefined) {
      return kind === 'done' ? { path, kind: 'unchanged' } : { path, kind: 'failed', reason: notStored() };
    }
    const isOurs = kind === 'restore' || kind === 'remove';
    const mayReplace = (current: FileVersion): boolean => overwrite || (isOurs && current === expected);
    const outcome = await changes.writeIf(path, content, { rewindId }, mayReplace);
    if (outcome === 'unchanged') return { path, kind: 'unchanged' };
    if (outcome === 'refused') return { path, kind: 'kept' };
    return { path, kind: target === null ? 'removed' : 'restored' };
  } catch (error) {
    return { path, kind: 'failed', reason: failureText(error) };
  }
}

function storedContent(version: FileVersion, blobs: BlobStore): Promise<Buffer | undefined> {
  return version === null ? Promise.resolve(undefined) : blobs.get(version);
}

interface ChangedLines {
  readonly added: number;
  readonly removed: number;
}

/** Counting is fast up to this size, and the numbers are not useful for larger files. */
const MAX_BYTES = 1024 * 1024;

/**
 * Counts the lines that only one of the contents has, in any order: a moved line does not count, so the numbers can be
 * smaller than those of a diff. Undefined unless both are text of a moderate size.
 */
export function changedLines(from: Uint8Array | undefined, to: Uint8Array | undefined): ChangedLines | undefined {
  const [before, after] = [linesOf(from), linesOf(to)];
  if (!before || !after) return undefined;
  const surplus = new Map<string, number>();
  for (const line of before) surplus.set(line, (surplus.get(line) ?? 0) + 1);
  let kept = 0;
  for (const line of after) {
    const left = surplus.get(line) ?? 0;
    if (left === 0) continue;
    surplus.set(line, left - 1);
    kept += 1;
  }
  return { added: after.length - kept, removed: before.length - kept };
}

function linesOf(content: Uint8Array | undefined): string[] | undefined {
  if (content === undefined || content.length === 0) return [];
  if (content.length > MAX_BYTES || looksBinary(content)) return undefined;
  // Keep the line endings: a file in which only they changed has changed.
  return decodeText(content).text.split(/(?<=\n)/);
}
