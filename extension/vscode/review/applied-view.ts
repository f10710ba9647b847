import * as l10n from '@vscode/l10n';
import { withLf } from '../../files/line-ends.ts';
import { carriedOver, type Hunk, hunkLineCounts, hunksBetween } from './hunks.ts';

/** The versions of a file that was changed without asking. Null means that the file does not exist. */
export interface AppliedTexts {
  /** The version that the user last accepted. */
  readonly baseline: string | null;
  /** The version that the agent wrote last. */
  readonly current: string | null;
  /** The current version in the editor or on disk. */
  readonly now: string | null;
  /** Whether the user edited the file between two changes by the agent. */
  readonly holdsOthersEdits: boolean;
}

export interface AppliedView {
  /** The accepted version with the user's own later edits. Every difference from it is pending review. */
  readonly left: string;
  readonly hunks: readonly Hunk[];
  readonly added: number;
  readonly removed: number;
  /** The text without the agent's changes, null for no file. Undefined if they cannot be separated from the user's. */
  readonly undone?: string | null;
  /** The reason why they cannot be separated. */
  readonly conflict?: string;
}

/** Computes the pending changes of a file, and the text that rejecting all of them would leave. */
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

/** Uses the line ends of `model`, because hunks are compared and assembled without them. */
export function withSameLineEnds(model: string, text: string): string {
  const lf = withLf(text);
  return model.includes('\r\n') ? lf.replaceAll('\n', '\r\n') : lf;
}

function compared(left: string, now: string): Pick<AppliedView, 'left' | 'hunks' | 'added' | 'removed'> {
  const hunks = hunksBetween(left, now);
  return { left, hunks, ...hunkLineCounts(hunks) };
}
