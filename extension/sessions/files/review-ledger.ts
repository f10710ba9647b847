import type { RecordOf, SessionRecord } from '../session-record.ts';
import type { FileVersion } from './restore-plan.ts';

/** A file that the session changed and that nobody has looked at since. */
export interface UnreviewedFile {
  readonly path: string;
  /** What the user last agreed to: before the first change they have not seen. */
  readonly baseline: FileVersion;
  /** What the session, or the last verdict, left in it. */
  readonly current: FileVersion;
  /** Somebody else edited it between two of the changes: what differs from the baseline is not all the session's. */
  readonly holdsOthersEdits: boolean;
}

type Agreed = Pick<UnreviewedFile, 'baseline' | 'holdsOthersEdits'>;

interface ReviewedFile {
  current: FileVersion;
  /** For each version the file had: what the user had agreed to then. A rewind brings a version back, and its mark with it. */
  readonly agreed: Map<FileVersion, Agreed>;
}

/**
 * Which changes still wait for somebody to look at them. A change that a person approved was looked at; one that only
 * a mode, a rule or a grant allowed was not. Follows from the records alone.
 */
export class ReviewLedger {
  /** Verdicts that took something back, oldest first: the model has to be told about them. */
  readonly undone: RecordOf<'reviewed'>[] = [];
  private readonly asked = new Map<string, string>();
  private readonly approvedCalls = new Set<string>();
  private readonly files = new Map<string, ReviewedFile>();
  /** Writes of verdicts that were begun, by id, and are not known to have happened. */
  private readonly openReviews = new Set<string>();

  get unreviewed(): readonly UnreviewedFile[] {
    return [...this.files].flatMap(([path, file]) => {
      const { current } = file;
      const agreed = agreedAt(file, current);
      return agreed.baseline === current ? [] : [{ path, current, ...agreed }];
    });
  }

  /** Whether the process may have ended between the record of this write and the write. */
  isOpen(reviewId: string): boolean {
    return this.openReviews.has(reviewId);
  }

  take(record: SessionRecord): void {
    switch (record.type) {
      case 'asked':
        if (record.callId !== undefined) this.asked.set(record.requestId, record.callId);
        return;
      case 'answered':
        this.takeAnswer(record);
        return;
      case 'file_change':
        this.takeChange(record);
        return;
      case 'reviewed':
        this.takeVerdict(record);
        return;
      default:
        return;
    }
  }

  private takeAnswer({ requestId, action, by }: RecordOf<'answered'>): void {
    const callId = this.asked.get(requestId);
    this.asked.delete(requestId);
    if (callId !== undefined && action === 'accept' && by !== 'rule') this.approvedCalls.add(callId);
  }

  private takeChange({ path, before, after, callId, rewindId, reviewId }: RecordOf<'file_change'>): void {
    const file = this.fileAt(path, before);
    const from = agreedAt(file, before);
    file.agreed.set(before, from);
    const isSeen = from.baseline === before && callId !== undefined && this.approvedCalls.has(callId);
    if (rewindId === undefined) file.agreed.set(after, isSeen ? agreedTo(after) : from);
    // What a rewind brings back, the user asked for; what it brings back unseen is still unseen.
    else if (!file.agreed.has(after)) file.agreed.set(after, agreedTo(after));
    file.current = after;
    if (reviewId !== undefined) this.openReviews.add(reviewId);
  }

  private takeVerdict(record: RecordOf<'reviewed'>): void {
    const { id, path, baseline, current, undone } = record;
    const file = this.fileAt(path, current);
    const { holdsOthersEdits } = agreedAt(file, file.current);
    file.current = current;
    file.agreed.set(current, { baseline, holdsOthersEdits: holdsOthersEdits && baseline !== current });
    this.openReviews.delete(id);
    if (undone !== undefined) this.undone.push(record);
  }

  private fileAt(path: string, version: FileVersion): ReviewedFile {
    const known = this.files.get(path);
    if (known) return known;
    const file = { current: version, agreed: new Map<FileVersion, Agreed>() };
    this.files.set(path, file);
    return file;
  }
}

/** A version that nobody knows is an edit of the user's: on top of what they have not looked at, or one they made. */
function agreedAt({ current, agreed }: ReviewedFile, version: FileVersion): Agreed {
  const known = agreed.get(version);
  if (known) return known;
  const last = agreed.get(current);
  return last && last.baseline !== current ? { ...last, holdsOthersEdits: true } : agreedTo(version);
}

function agreedTo(version: FileVersion): Agreed {
  return { baseline: version, holdsOthersEdits: false };
}
