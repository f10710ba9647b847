import * as l10n from '@vscode/l10n';
import type { RewindFile, RewindPreview } from '../../protocol/panel/sheets-to-panel.ts';
import type { Entry } from '../../protocol/transcript/transcript-entry.ts';
import type { SessionRewind } from '../../runtime/changes/session-rewind.ts';
import type { RestoreStep } from '../../sessions/files/file-rewind.ts';
import type { UserEntry } from '../session/shown-conversation.ts';
import type { NameOf } from './rewind-texts.ts';

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
