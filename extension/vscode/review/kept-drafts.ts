import { createHash } from 'node:crypto';
import { isObject } from '../../protocol/is-object.ts';
import type { Logger } from '../../runtime/host.ts';
import type { WorkspaceState } from '../remembered-session.ts';
import type { Remark } from './comment-texts.ts';

const KEY = 'gantry.proposalDrafts';

/** More proposals than anybody works on at a time. */
const MAX_KEPT = 20;
/** VS Code keeps all of it in memory. */
const MAX_LENGTH = 500_000;

/** What the user has made of a proposal. */
export interface KeptDraft {
  readonly text: string;
  readonly remarks: readonly Remark[];
}

interface StoredDraft extends KeptDraft {
  readonly id: string;
  /** A fingerprint of the text that was proposed: what was made of another one would not fit. */
  readonly proposed: string;
}

/** What the user has made of proposals that still wait, for the time after a reload. */
export class KeptDrafts {
  constructor(
    private readonly state: WorkspaceState,
    private readonly log: Logger,
  ) {}

  of(id: string, proposed: string): KeptDraft | undefined {
    return this.stored.find((draft) => draft.id === id && draft.proposed === fingerprint(proposed));
  }

  keep(id: string, proposed: string, { text, remarks }: KeptDraft): void {
    const others = this.stored.filter((draft) => draft.id !== id);
    const isWorthIt = (text !== proposed || remarks.length > 0) && text.length <= MAX_LENGTH;
    const draft: StoredDraft = { id, proposed: fingerprint(proposed), text, remarks };
    this.store(isWorthIt ? [...others, draft].slice(-MAX_KEPT) : others);
  }

  forget(ids: readonly string[]): void {
    this.store(this.stored.filter(({ id }) => !ids.includes(id)));
  }

  private get stored(): readonly StoredDraft[] {
    const value = this.state.get(KEY);
    return Array.isArray(value) ? value.filter(isStored) : [];
  }

  private store(drafts: readonly StoredDraft[]): void {
    if (drafts.length === 0 && this.state.get(KEY) === undefined) return;
    this.state.update(KEY, drafts.length === 0 ? undefined : drafts).then(undefined, (error: unknown) => {
      this.log.error('What was typed into a proposal could not be kept for after a reload', error);
    });
  }
}

function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** Another version may have stored it. */
function isStored(value: unknown): value is StoredDraft {
  if (!isObject(value)) return false;
  const { id, proposed, text, remarks } = value;
  const texts = [id, proposed, text];
  return texts.every((each) => typeof each === 'string') && Array.isArray(remarks) && remarks.every(isRemark);
}

function isRemark(value: unknown): value is Remark {
  return (
    isObject(value) &&
    Number.isSafeInteger(value['start']) &&
    Number.isSafeInteger(value['end']) &&
    typeof value['text'] === 'string'
  );
}
