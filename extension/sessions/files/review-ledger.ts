import type { RecordOf, SessionRecord } from '../session-record.ts';
import type { FileVersion } from './restore-plan.ts';

/** A file that the session changed and that has not been reviewed since. */
export interface UnreviewedFile {
  readonly path: string;
  /** The last version that the user agreed to, before the first unreviewed change. */
  readonly baseline: FileVersion;
  /** The version that the session or the last review left. */
  readonly current: FileVersion;
  /** Whether somebody else edited the file between the changes, so that not all differences are the session's. */
  readonly holdsOthersEdits: boolean;
}

type Agreed = Pick<UnreviewedFile, 'baseline' | 'holdsOthersEdits'>;

interface ReviewedFile {
  current: FileVersion;
  /** For each version of the file, what the user had agreed to. A rewind restores a version together with this. */
  readonly agreed: Map<FileVersion, Agreed>;
}

/**
 * Tracks which changes are still unreviewed. A change that a person approved counts as reviewed; a change that only a
 * mode, a rule or a grant allowed does not. Depends on the records alone.
 */
export class ReviewLedger {
  /** Reviews that undid something, oldest first. The model is notified of them. */
  readonly undone: RecordOf<'reviewed'>[] = [];
  private readonly asked = new Map<string, string>();
  private readonly approvedCalls = new Set<string>();
  private readonly files = new Map<string, ReviewedFile>();
  /** The ids of reviews whose writes were recorded, but are not known to have happened. */
  private readonly openReviews = new Set<string>();

  get unreviewed(): readonly UnreviewedFile[] {
    return [...this.files].flatMap(([path, file]) => {
      const { current } = file;
      const agreed = agreedAt(file, current);
      return agreed.baseline === current ? [] : [{ path, current, ...agreed }];
    });
  }

  /** Whether the process may have ended after this write was recorded and before it was made. */
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
    // The user asked for the versions that a rewind restores. Versions that were unreviewed stay unreviewed.
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

/** An unknown version is an edit by the user, either on top of unreviewed changes or on its own. */
function agreedAt({ current, agreed }: ReviewedFile, version: FileVersion): Agreed {
  const known = agreed.get(version);
  if (known) return known;
  const last = agreed.get(current);
  return last && last.baseline !== current ? { ...last, holdsOthersEdits: true } : agreedTo(version);
}

function agreedTo(version: FileVersion): Agreed {
  return { baseline: version, holdsOthersEdits: false };
}
