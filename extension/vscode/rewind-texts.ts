import type { RewindOutcome, SessionRewind } from '../runtime/session-rewind.ts';

export type RestoreStep = Awaited<ReturnType<SessionRewind['preview']>>[number];
type RestoreOutcome = RewindOutcome['files'][number];

/** How a path is shown: relative to the workspace. */
export type NameOf = (path: string) => string;

const MAX_NAMES = 6;

/** What going back would do to files, in one line. */
export function previewText(steps: readonly RestoreStep[], nameOf: NameOf): string {
  const texts = steps.filter(({ kind }) => kind !== 'done').map((step) => stepText(step, nameOf));
  return texts.length === 0 ? 'No files to put back' : listed(texts);
}

/** Such as "notes.md +2 −1". */
export function stepText(step: RestoreStep, nameOf: NameOf): string {
  const name = nameOf(step.path);
  switch (step.kind) {
    case 'blocked':
      return `${name} (cannot be put back)`;
    case 'lost':
      return `${name} (its earlier content is gone)`;
    default: {
      const lines = step.lines ? ` +${step.lines.added} −${step.lines.removed}` : '';
      const removed = step.target === null ? ' (removed)' : '';
      return `${name}${lines}${removed}${step.kind === 'changed' ? ' (changed by someone else)' : ''}`;
    }
  }
}

/** What a rewind could not do, in one message; undefined when everything is as it was. */
export function leftoverText(files: readonly RestoreOutcome[], nameOf: NameOf): string | undefined {
  const kept = files.filter(({ kind }) => kind === 'kept').map(({ path }) => nameOf(path));
  const failed = files.flatMap((file) => (file.kind === 'failed' ? [failedText(file.path, file.reason, nameOf)] : []));
  const sentences = [
    ...(kept.length > 0 ? [`Left as they are, because someone else changed them: ${listed(kept)}.`] : []),
    ...(failed.length > 0 ? [`Could not be put back: ${listed(failed)}.`] : []),
  ];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** How many files are as they were again. */
export function restoredText(files: readonly RestoreOutcome[]): string {
  const count = files.filter(({ kind }) => kind === 'restored' || kind === 'removed').length;
  if (count === 0) return 'No file had to be put back.';
  return count === 1 ? 'One file was put back.' : `${count} files were put back.`;
}

function failedText(path: string, reason: string, nameOf: NameOf): string {
  return `${nameOf(path)} (${reason.replace(/\.$/, '')})`;
}

function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return more > 0 ? `${names.slice(0, MAX_NAMES).join(', ')} and ${more} more` : names.join(', ');
}
