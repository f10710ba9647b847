import { randomUUID } from 'node:crypto';
import { sep } from 'node:path';
import { canonicalFolder } from '../policy/canonical-folder.ts';
import { failureText } from '../policy/file-failure.ts';
import { ProblemError } from '../protocol/problem.ts';
import { hashOf } from '../sessions/files/blob-store.ts';
import type { UnreviewedFile } from '../sessions/files/review-ledger.ts';
import type { SessionJournal } from '../sessions/session-journal.ts';
import type { TextChange } from '../tools/tool.ts';
import { cutPatch, unifiedDiff } from '../tools/unified-diff.ts';
import { badInput } from './message-limits.ts';
import { heldElsewhere } from './session-problems.ts';
import type { ChangedFiles } from './session-rewind.ts';

/** The contents behind an unreviewed file; undefined where there was no file. */
export interface PendingContents {
  readonly baseline: Uint8Array | undefined;
  readonly current: Uint8Array | undefined;
}

/** How a change is taken back. */
export interface TakenBack {
  /** Undefined removes the file. */
  readonly content: Uint8Array | undefined;
  /** The text it was worked out on, and the one that takes its place; it is refused when the file has another by now. */
  readonly text: TextChange;
}

/** What of a change is fine, and what the file held when the user said so. */
export interface AcceptedPart {
  readonly baseline: Uint8Array;
  readonly current: Uint8Array;
}

interface Surroundings {
  /** Who else writes this session, so that nothing may change here. */
  readonly heldBy: () => string | undefined;
  /** Undefined unless files are just being put back. */
  readonly rewinding: () => Promise<void> | undefined;
  readonly plansFolder: string | undefined;
}

const NOT_REVIEWED = 'The change was not reviewed';

/** What a session changed without anybody looking at it first, and the verdicts on it. */
export class PendingChanges {
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly journal: SessionJournal,
    private readonly files: ChangedFiles,
    private readonly surroundings: Surroundings,
  ) {
    journal.onRecord(({ type }) => {
      if (type === 'file_change' || type === 'reviewed') for (const listener of this.listeners) listener();
    });
  }

  /** Plans of the session are its own, and are shown when they are asked about. */
  get list(): readonly UnreviewedFile[] {
    const { plansFolder } = this.surroundings;
    const own = plansFolder === undefined ? undefined : canonicalFolder(plansFolder) + sep;
    return this.journal.history.review.unreviewed.filter(({ path }) => own === undefined || !path.startsWith(own));
  }

  onDidChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Undefined when the file does not wait any more, or when what it held is not stored any more. */
  async contents(path: string): Promise<PendingContents | undefined> {
    const file = this.list.find((each) => each.path === path);
    if (!file) return undefined;
    const [baseline, current] = await Promise.all([this.files.kept(file.baseline), this.files.kept(file.current)]);
    const isLost = (file.baseline !== null && !baseline) || (file.current !== null && !current);
    return isLost ? undefined : { baseline, current };
  }

  /** As it was listed: what came after that, nobody has seen. With `part`, only what that baseline has is fine. */
  async accept(file: UnreviewedFile, part?: AcceptedPart): Promise<void> {
    await this.surroundings.rewinding();
    this.check(file);
    const { path, current: seen } = file;
    const [baseline, current] = part
      ? await Promise.all([this.files.keep(part.baseline), this.files.keep(part.current)])
      : [seen, seen];
    this.check(file);
    this.journal.append({ type: 'reviewed', id: randomUUID(), path, baseline, current });
  }

  /** Puts back what the user does not want. What still waits afterwards is the difference to `baseline`, if there is one. */
  async reject(file: UnreviewedFile, change: TakenBack, baseline?: Uint8Array): Promise<void> {
    await this.surroundings.rewinding();
    this.check(file);
    const { path } = file;
    const kept = baseline && (await this.files.keep(baseline));
    const id = randomUUID();
    try {
      await this.files.write(path, change.content, { reviewId: id }, change.text);
    } catch (error) {
      throw badInput(`${path} was left as it is. ${failureText(error)}`, NOT_REVIEWED);
    }
    const changes = this.journal.history.fileChanges.filter((each) => each.path === path);
    const left = changes.findLast(({ reviewId }) => reviewId === id)?.after ?? hashOf(change.content);
    // The agent may have gone on with the file at once.
    const current = changes.at(-1)?.after ?? left;
    this.journal.append({ type: 'reviewed', id, path, baseline: kept ?? left, current, undone: undoneBy(change) });
  }

  private check({ path, baseline, current }: UnreviewedFile): void {
    const holder = this.surroundings.heldBy();
    if (holder !== undefined) throw new ProblemError(heldElsewhere(holder));
    if (this.journal.isClosed) throw badInput('The session was closed.', NOT_REVIEWED);
    const now = this.list.find((file) => file.path === path);
    if (now?.baseline === baseline && now.current === current) return;
    throw badInput(`${path} is not as it was when you looked at it. Look again.`, NOT_REVIEWED);
  }
}

function undoneBy({ content, text: { expected, text } }: TakenBack): string {
  if (content === undefined) return 'The file was removed.';
  return expected === null ? 'The file was put back.' : cutPatch(unifiedDiff(expected, text), LONGEST_UNDONE);
}

/** Enough for the model to see what is gone; it can read the file for more. */
const LONGEST_UNDONE = 2000;
