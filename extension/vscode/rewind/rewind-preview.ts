import * as l10n from '@vscode/l10n';
import type { RewindFile, RewindPreview } from '../../protocol/panel/sheets-to-panel.ts';
import type { Entry } from '../../protocol/transcript/transcript-entry.ts';
import type { RewindOutcome, SessionRewind } from '../../runtime/changes/session-rewind.ts';
import type { RestoreStep } from '../../sessions/files/file-rewind.ts';
import type { UserEntry } from '../session/shown-conversation.ts';

type Grant = ReturnType<SessionRewind['grantsSince']>[number];

export interface PreviewFacts {
  readonly entries: readonly Entry[];
  readonly steps: readonly RestoreStep[];
  readonly grants: readonly Grant[];
  readonly isTrusted: boolean;
  readonly nameOf: NameOf;
}

/** Enough to recognize what ran. */
const MAX_COMMANDS = 50;
/** How much of a message is shown, so that the user recognizes it. */
const MAX_TEXT = 2000;

/** The effects of rewinding to before a message, for the sheet that asks about it. */
export function rewindPreview(message: UserEntry, facts: PreviewFacts): RewindPreview {
  const { entries, steps, grants, isTrusted, nameOf } = facts;
  const messages = entries.filter(isDelivered);
  const since = entries.slice(entries.indexOf(message));
  const { messageId, text, at } = message;
  return {
    messageId,
    text: text.slice(0, MAX_TEXT),
    ...(at !== undefined && { at }),
    turn: messages.indexOf(message) + 1,
    turns: messages.length,
    calls: since.filter(({ kind }) => kind === 'tool').length,
    grants: [...new Set(grants.map(grantName))],
    files: steps.flatMap((step) => fileOf(step, nameOf)),
    commands: [...new Set(since.flatMap(commandOf))].slice(0, MAX_COMMANDS),
    ...(!isTrusted && { filesStay: l10n.t('This folder is not trusted, so its files are not restored.') }),
  };
}

export function isDelivered(entry: Entry): entry is UserEntry {
  return entry.kind === 'user' && entry.pending === undefined;
}

function fileOf(step: RestoreStep, nameOf: NameOf): RewindFile[] {
  const { path, kind, target } = step;
  if (kind === 'done') return [];
  const reason = kind === 'blocked' ? step.reason : undefined;
  const lines = kind === 'blocked' ? undefined : step.lines;
  return [
    {
      path,
      label: nameOf(path),
      kind,
      removes: target === null,
      ...(lines && { lines: { ...lines } }),
      ...(reason !== undefined && { reason }),
    },
  ];
}

/** Only commands that ran: a refused call has no command. */
function commandOf(entry: Entry): string[] {
  return entry.kind === 'tool' && entry.command ? [entry.command.typed ?? entry.subject] : [];
}

function grantName({ commandPrefix, mcpName, toolName }: Grant): string {
  return commandPrefix ?? (mcpName === undefined ? toolName : `${mcpName}: ${toolName}`);
}

type RestoreOutcome = RewindOutcome['files'][number];

/** Formats a path relative to the workspace. */
type NameOf = (path: string) => string;

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
      const lines = step.lines ? [`+${step.lines.added} −${step.lines.removed}`] : [];
      const words = [
        name,
        ...(step.target === null ? [l10n.t('(will be deleted)')] : lines),
        ...(step.kind === 'changed' ? [l10n.t('(edited since)')] : []),
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
    ...(kept.length > 0 ? [l10n.t('Kept, because they were edited since: {0}.', listed(kept))] : []),
    ...(failed.length > 0 ? [l10n.t('Could not be restored: {0}.', listed(failed))] : []),
  ];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** Describes how many files were restored, and how many of the agent's new files were deleted. */
export function restoredText(files: readonly RestoreOutcome[]): string {
  const count = (wanted: RestoreOutcome['kind']): number => files.filter(({ kind }) => kind === wanted).length;
  const [restored, deleted] = [count('restored'), count('removed')];
  if (restored + deleted === 0) return l10n.t('No file had to be restored.');
  const sentences = [
    ...(restored === 0
      ? []
      : [restored === 1 ? l10n.t('1 file was restored.') : l10n.t('{0} files were restored.', restored)]),
    ...(deleted === 0
      ? []
      : [deleted === 1 ? l10n.t('1 file was deleted.') : l10n.t('{0} files were deleted.', deleted)]),
  ];
  return sentences.join(' ');
}

function failedText(path: string, reason: string, nameOf: NameOf): string {
  return `${nameOf(path)} (${reason.replace(/\.$/, '')})`;
}

function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return more > 0 ? l10n.t('{0} and {1} more', names.slice(0, MAX_NAMES).join(', '), more) : names.join(', ');
}
