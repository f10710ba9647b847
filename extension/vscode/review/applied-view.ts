import * as l10n from '@vscode/l10n';
import { withLf } from '../../files/line-ends.ts';
import { carriedOver, type Hunk, hunkLineCounts, hunksBetween } from './hunks.ts';

/** A file that was changed without asking; null where there is no file. */
export interface AppliedTexts {
  /** What the user last agreed to. */
  readonly baseline: string | null;
  /** What the agent left. */
  readonly current: string | null;
  /** What the editor or the disk has. */
  readonly now: string | null;
  /** The user edited it between two changes of the agent's. */
  readonly holdsOthersEdits: boolean;
}

export interface AppliedView {
  /** What the user agreed to, with what they did themselves since: what differs from it waits for a verdict. */
  readonly left: string;
  readonly hunks: readonly Hunk[];
  readonly added: number;
  readonly removed: number;
  /** The text without the agent's changes, null for no file. Undefined when it cannot be told apart from the user's. */
  readonly undone?: string | null;
  /** Why it cannot. */
  readonly conflict?: string;
}

/** What there is to decide about a file, and what a rejection of all of it would leave. */
export function viewOf({ holdsOthersEdits, ...texts }: AppliedTexts): AppliedView {
  const { undone, ...view } = viewOfOwn(texts);
  if (undone === undefined) return view;
  return holdsOthersEdits ? { ...view, conflict: inBetween() } : { ...view, undone };
}

function viewOfOwn({ baseline, current, now }: Omit<AppliedTexts, 'holdsOthersEdits'>): AppliedView {
  if (now === null && current !== null) return { ...compared(baseline ?? '', ''), conflict: gone() };
  if (now !== null && current === null) return { ...compared(baseline ?? '', now), conflict: thereAgain() };
  if (now === current) return { ...compared(baseline ?? '', now ?? ''), undone: baseline };
  const { text, isWhole } = carriedOver(current ?? '', now ?? '', baseline ?? '');
  const view = compared(text, now ?? '');
  if (view.hunks.length > 0 && baseline === null) return { ...view, conflict: newAndEdited() };
  if (view.hunks.length > 0 && now !== null && withSameLineEnds(now, now) !== now)
    return { ...view, conflict: mixed() };
  return isWhole ? { ...view, undone: withSameLineEnds(now ?? '', text) } : { ...view, conflict: sameLines() };
}

const gone = (): string =>
  l10n.t('The file was moved or deleted, so there is nothing to revert. Accept removes it from the list.');
const thereAgain = (): string => l10n.t('Gantry deleted the file, and it exists again. Accept keeps it as it is.');
const newAndEdited = (): string =>
  l10n.t('You edited the file after Gantry created it, so it is not deleted. Delete it yourself, or accept it.');
const inBetween = (): string =>
  l10n.t("You edited the file between two of Gantry's changes. Decide about each change in the editor.");
const mixed = (): string =>
  l10n.t('You edited the file since then, and it has mixed line endings. Decide about each change in the editor.');
const sameLines = (): string => l10n.t('You edited the same lines since then. Decide about each change in the editor.');

/** Line ends are those of the text that is there: a hunk is compared and put together without them. */
export function withSameLineEnds(model: string, text: string): string {
  const lf = withLf(text);
  return model.includes('\r\n') ? lf.replaceAll('\n', '\r\n') : lf;
}

function compared(left: string, now: string): Pick<AppliedView, 'left' | 'hunks' | 'added' | 'removed'> {
  const hunks = hunksBetween(left, now);
  return { left, hunks, ...hunkLineCounts(hunks) };
}
