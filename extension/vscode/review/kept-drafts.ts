import { isObject } from '../../base/objects.ts';
import type { Logger } from '../../ports/logger.ts';
import type { WorkspaceState } from '../base/workspace.ts';
import type { Remark } from './comment-texts.ts';
import { textVersion } from './item-version.ts';

const KEY = 'gantry.proposalDrafts';

/** More files than a user reviews at the same time. */
const MAX_KEPT = 200;
/** VS Code keeps this storage in memory. */
const MAX_LENGTH = 500_000;

/** The user's edits, remarks and verdicts for a proposal. */
export interface KeptDraft {
  /** Undefined if the user did not change the proposed text. */
  readonly text?: string | undefined;
  readonly remarks: readonly Remark[];
  readonly verdict?: 'accepted' | 'rejected' | undefined;
  /** The earlier text with the hunks that the user accepted. */
  readonly settled?: string | undefined;
}

/** The texts of the proposal. */
interface Proposed {
  readonly before: string | null;
  readonly after: string;
}

interface StoredDraft extends KeptDraft {
  readonly id: string;
  /** The version of the proposed text: edits of another text would not fit. */
  readonly proposed: string;
  /** The version of the earlier text: a verdict applies to the difference from it. */
  readonly before: string;
}

/** Stores the user's drafts for pending proposals, so that they survive a reload. */
export class KeptDrafts {
  constructor(
    private readonly state: WorkspaceState,
    private readonly log: Logger,
  ) {}

  of(id: string, proposed: Proposed): KeptDraft | undefined {
    const draft = this.stored.find((other) => other.id === id && other.proposed === textVersion(proposed.after));
    if (!draft) return undefined;
    const { text, remarks, verdict, settled } = draft;
    return draft.before === versionBefore(proposed) ? { text, remarks, verdict, settled } : { text, remarks };
  }

  keep(id: string, proposed: Proposed, made: KeptDraft): void {
    const others = this.stored.filter((draft) => draft.id !== id);
    const { text, remarks, verdict, settled } = withinLimits(made);
    const isWorthIt = [text, verdict, settled].some((part) => part !== undefined) || remarks.length > 0;
    if (!isWorthIt && others.length === this.stored.length) return;
    const versions = { proposed: textVersion(proposed.after), before: versionBefore(proposed) };
    const draft: StoredDraft = { id, ...versions, text, remarks, verdict, settled };
    this.store(isWorthIt ? [...others, draft].slice(-MAX_KEPT) : others);
  }

  forget(ids: readonly string[]): void {
    const others = this.stored.filter(({ id }) => !ids.includes(id));
    if (others.length < this.stored.length) this.store(others);
  }

  private get stored(): readonly StoredDraft[] {
    const value = this.state.get(KEY);
    return Array.isArray(value) ? value.filter(isStored) : [];
  }

  private store(drafts: readonly StoredDraft[]): void {
    this.state.update(KEY, drafts.length === 0 ? undefined : drafts).then(undefined, (error: unknown) => {
      this.log.error('What was typed into a proposal could not be kept for after a reload', error);
    });
  }
}

/** Drops texts that are too long, and an approval with them: it would cover another text. A rejection stays valid. */
function withinLimits(draft: KeptDraft): KeptDraft {
  const { text = '', settled = '', remarks, verdict } = draft;
  if (text.length + settled.length <= MAX_LENGTH) return draft;
  return { remarks, verdict: verdict === 'rejected' ? verdict : undefined };
}

function versionBefore({ before }: Proposed): string {
  return textVersion(JSON.stringify(before));
}

/** Another version of Gantry may have stored the value. */
function isStored(value: unknown): value is StoredDraft {
  if (!isObject(value)) return false;
  const { id, proposed, before, text, settled, verdict, remarks } = value;
  return (
    [id, proposed, before].every((each) => typeof each === 'string') &&
    [text, settled].every((each) => each === undefined || typeof each === 'string') &&
    (verdict === undefined || verdict === 'accepted' || verdict === 'rejected') &&
    Array.isArray(remarks) &&
    remarks.every(isRemark)
  );
}

function isRemark(value: unknown): value is Remark {
  return (
    isObject(value) &&
    Number.isSafeInteger(value['start']) &&
    Number.isSafeInteger(value['end']) &&
    typeof value['text'] === 'string'
  );
}
