import * as l10n from '@vscode/l10n';
import type { RewindOutcome } from '../../runtime/changes/session-rewind.ts';
import type { RestoreStep } from '../../sessions/files/file-rewind.ts';

type RestoreOutcome = RewindOutcome['files'][number];

/** Formats a path relative to the workspace. */
export type NameOf = (path: string) => string;

const MAX_NAMES = 6;

/** Describes the effect of a rewind on files, in one line. */
export function previewText(steps: readonly RestoreStep[], nameOf: NameOf): string {
  const texts = steps.filter(({ kind }) => kind !== 'done').map((step) => stepText(step, nameOf));
  return texts.length === 0 ? l10n.t('No files to restore') : listed(texts);
}

/** Formats a step such as "notes.md +2 −1". */
export function stepText(step: RestoreStep, nameOf: NameOf): string {
  const name = nameOf(step.path);
  switch (step.kind) {
    case 'blocked':
      return l10n.t('{0} (cannot be restored)', name);
    case 'lost':
      return l10n.t('{0} (its earlier content is gone)', name);
    default: {
      const words = [
        name,
        ...(step.lines ? [`+${step.lines.added} −${step.lines.removed}`] : []),
        ...(step.target === null ? [l10n.t('(removed)')] : []),
        ...(step.kind === 'changed' ? [l10n.t('(changed by someone else)')] : []),
      ];
      return words.join(' ');
    }
  }
}

/** Describes what a rewind could not restore. Undefined if it restored everything. */
export function leftoverText(files: readonly RestoreOutcome[], nameOf: NameOf): string | undefined {
  const kept = files.filter(({ kind }) => kind === 'kept').map(({ path }) => nameOf(path));
  const failed = files.flatMap((file) => (file.kind === 'failed' ? [failedText(file.path, file.reason, nameOf)] : []));
  const sentences = [
    ...(kept.length > 0 ? [l10n.t('Kept, because someone else changed them: {0}.', listed(kept))] : []),
    ...(failed.length > 0 ? [l10n.t('Could not be restored: {0}.', listed(failed))] : []),
  ];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** Describes how many files were restored. */
export function restoredText(files: readonly RestoreOutcome[]): string {
  const count = files.filter(({ kind }) => kind === 'restored' || kind === 'removed').length;
  if (count === 0) return l10n.t('No file had to be restored.');
  return count === 1 ? l10n.t('One file was restored.') : l10n.t('{0} files were restored.', count);
}

function failedText(path: string, reason: string, nameOf: NameOf): string {
  return `${nameOf(path)} (${reason.replace(/\.$/, '')})`;
}

function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return more > 0 ? l10n.t('{0} and {1} more', names.slice(0, MAX_NAMES).join(', '), more) : names.join(', ');
}
