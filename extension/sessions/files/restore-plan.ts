/** What a file held, by the hash of its content; null when there was no file. */
export type FileVersion = string | null;

/** A change the session made, as its log has it. */
export interface RestorableChange {
  readonly path: string;
  readonly before: FileVersion;
  readonly after: FileVersion;
  readonly callId?: string | undefined;
  readonly rewindId?: string | undefined;
}

export interface PlannedRestore {
  readonly path: string;
  /** What the file is to hold again. */
  readonly target: FileVersion;
  /** What the session left in it, so anything else was put there by somebody else. */
  readonly expected: FileVersion;
  /** `expected` was built on an edit of somebody else that `target` does not have. */
  readonly holdsOthersEdits: boolean;
}

export type RestoreKind =
  | 'restore'
  /** The session created the file. */
  | 'remove'
  /** It already is as it was. */
  | 'done'
  /** Somebody else's edit would be lost: a person has to decide. */
  | 'changed'
  /** The earlier content is not stored any more. */
  | 'lost';

/** Back to where the session had made `point` changes. */
export function planRewind(changes: readonly RestorableChange[], point: number): PlannedRestore[] {
  return plan(changes, (_change, index) => index >= point);
}

/**
 * Back to before a rewind. Writing this under the id of the same rewind is fine: its first change counts, so an undo
 * that was only done in part can be done again.
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

/** Each path goes back to before its first change that is `undone`. */
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
 * For each version of a file, the edits of others it was built on. The log does not have those edits; they show where
 * a change starts from a version that nobody knew. A file that is not there has nothing of anybody.
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
