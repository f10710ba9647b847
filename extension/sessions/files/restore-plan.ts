/** A version of a file: the hash of its content, or null if there was no file. */
export type FileVersion = string | null;

/** A change that the session made, from its log. */
export interface RestorableChange {
  readonly path: string;
  readonly before: FileVersion;
  readonly after: FileVersion;
  readonly callId?: string | undefined;
  readonly rewindId?: string | undefined;
}

export interface PlannedRestore {
  readonly path: string;
  /** The version to restore. */
  readonly target: FileVersion;
  /** The version that the session left. Any other version is an edit by somebody else. */
  readonly expected: FileVersion;
  /** Whether `expected` is based on an edit by somebody else that `target` does not contain. */
  readonly holdsOthersEdits: boolean;
}

export type RestoreKind =
  | 'restore'
  /** The session created the file. */
  | 'remove'
  /** The file already has the target version. */
  | 'done'
  /** An edit by somebody else would be lost, so the user has to decide. */
  | 'changed'
  /** The earlier content is no longer stored. */
  | 'lost';

/** Plans the return to the state after the session's first `point` changes. */
export function planRewind(changes: readonly RestorableChange[], point: number): PlannedRestore[] {
  return plan(changes, (_change, index) => index >= point);
}

/**
 * Plans the return to the state before a rewind. The undo may write under the id of the same rewind: the first change
 * counts, so an incomplete undo can be repeated.
 */
export function planUndo(changes: readonly RestorableChange[], rewindId: string): PlannedRestore[] {
  return plan(changes, (change) => change.rewindId === rewindId);
}

export function compare(planned: PlannedRestore, current: FileVersion, isTargetStored: boolean): RestoreKind {
  if (current === planned.target) return 'done';
  if (planned.target !== null && !isTargetStored) return 'lost';
  if (current !== planned.expected || planned.holdsOthersEdits) return 'changed';
  return planned.target === null ? 'remove' : 'restore';
}

/** Restores each path to the version before its first change that is `undone`. */
function plan(
  changes: readonly RestorableChange[],
  undone: (change: RestorableChange, index: number) => boolean,
): PlannedRestore[] {
  const targets = new Map<string, FileVersion>();
  for (const [index, change] of changes.entries()) {
    if (undone(change, index) && !targets.has(change.path)) targets.set(change.path, change.before);
  }
  const restores = [...targets].map(([path, target]) => {
    const history = changes.filter((change) => change.path === path);
    return planPath(path, target, history);
  });
  return restores.filter(({ target, expected }) => target !== expected);
}

function planPath(path: string, target: FileVersion, history: readonly RestorableChange[]): PlannedRestore {
  const expected = history.at(-1)?.after ?? null;
  const edits = othersEdits(history);
  const [inTarget, inExpected] = [edits.get(target), edits.get(expected)];
  const holdsOthersEdits = [...(inExpected ?? [])].some((edit) => !inTarget?.has(edit));
  return { path, target, expected, holdsOthersEdits };
}

/**
 * For each version of a file, the edits by others that it is based on. The log does not contain those edits, but they
 * show where a change starts from an unknown version. A missing file contains no edits.
 */
function othersEdits(history: readonly RestorableChange[]): ReadonlyMap<FileVersion, ReadonlySet<number>> {
  const known = new Map<FileVersion, ReadonlySet<number>>([[null, new Set()]]);
  let last: ReadonlySet<number> | undefined;
  for (const [index, { before, after }] of history.entries()) {
    const start = known.get(before) ?? new Set(last ? [...last, index] : []);
    known.set(before, start);
    last = known.get(after) ?? start;
    known.set(after, last);
  }
  return known;
}
