import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { SessionSummary } from '../../../sessions/store/session-summary.ts';
import { nearestNames } from '../../../text/nearest-names.ts';
import { sessionTitle } from '../../library/session-items.ts';
import type { StoredSessions } from '../../library/stored-sessions.ts';
import { Commands } from '../../names.ts';
import type { PanelSession } from '../../session/panel-session.ts';
import { refusal, type SlashCommand, type SlashOutcome, type SlashValue } from '../../suggestions/slash-command.ts';

interface SavedParts {
  readonly session: PanelSession;
  readonly sessions: StoredSessions;
}

/** `/resume`, including the actions that Gemini CLI's `/chat` offers for conversations with a name. */
export function resumeCommand(parts: SavedParts): SlashCommand {
  return {
    name: 'resume',
    aliases: ['chat', 'sessions'],
    hint: '[save | load | delete | share] [name]',
    description: l10n.t('Open another session, or save this one with a name'),
    whileRunning: true,
    values: subcommands,
    run: (argument) => {
      const [, act = '', name = ''] = /^(\S*)\s*([\s\S]*)$/.exec(argument) ?? [];
      return run(act.toLowerCase(), name.trim(), parts);
    },
  };
}

const subcommands = (): readonly SlashValue[] => [
  { value: 'save', detail: l10n.t('Save a copy with a name') },
  { value: 'load', detail: l10n.t('Open a session by its name') },
  { value: 'delete', detail: l10n.t('Delete a session by its name') },
  { value: 'share', detail: l10n.t('Export this session to a file') },
];

async function run(act: string, name: string, parts: SavedParts): Promise<SlashOutcome> {
  switch (act) {
    case '':
    case 'list':
      return opening(Commands.resumeSession);
    case 'share':
      return opening(Commands.exportSession);
    case 'save':
      return name === '' ? nameless(act) : save(name, parts);
    case 'load':
    case 'resume':
      return name === '' ? nameless(act) : withNamed(name, parts, ({ id }) => parts.session.resume(id));
    case 'delete':
      return name === '' ? nameless(act) : withNamed(name, parts, ({ id }) => parts.sessions.delete(id));
    default:
      return refusal(
        l10n.t('/resume has no subcommand "{0}"', act),
        l10n.t('Use save, load, delete or share, or /resume alone.'),
      );
  }
}

/** Saves a copy of the current state. The session continues, and the copy stays as it is. */
async function save(name: string, { session, sessions }: SavedParts): Promise<SlashOutcome> {
  const { id } = session;
  if (id === undefined || !session.hasConversation) return refusal(notSaved(), l10n.t('There are no messages yet.'));
  if (session.isRunning)
    return refusal(notSaved(), l10n.t('Gantry is working. Stop it, or try again when it is done.'));
  const before = await named(name, sessions);
  if (before && (before.copyOf === undefined || before.id === id))
    return refusal(notSaved(), l10n.t('A session named "{0}" already exists. Choose another name.', name));
  if (before && !(await mayReplace(name))) return undefined;
  await sessions.save(id, name);
  if (before) await sessions.discard(before.id);
  return { notice: { title: l10n.t('Saved as "{0}"', name), rows: [] } };
}

async function mayReplace(name: string): Promise<boolean> {
  const replace = l10n.t('Replace');
  const choice = await vscode.window.showWarningMessage(
    l10n.t('Replace the session saved as "{0}"?', name),
    { modal: true, detail: l10n.t('The earlier one is moved to the trash.') },
    replace,
  );
  return choice === replace;
}

async function withNamed(
  name: string,
  { sessions }: SavedParts,
  act: (found: SessionSummary) => Promise<void>,
): Promise<SlashOutcome> {
  const found = await named(name, sessions);
  if (found) {
    await act(found);
    return undefined;
  }
  const near = nearestNames(name, (await sessions.list()).here.map(sessionTitle), 1).map((title) => `"${title}"`);
  const detail = near[0] === undefined ? l10n.t('/resume lists all sessions.') : l10n.t('Did you mean {0}?', near[0]);
  return refusal(l10n.t('There is no session named "{0}"', name), detail);
}

/** Finds a session of this folder by its name. If several have it, returns the newest. */
async function named(name: string, sessions: StoredSessions): Promise<SessionSummary | undefined> {
  const { here } = await sessions.list();
  return here.find((session) => sessionTitle(session).toLowerCase() === name.toLowerCase());
}

async function opening(command: string): Promise<undefined> {
  // Does not wait for the pickers of the command.
  void vscode.commands.executeCommand(command);
  return undefined;
}

function nameless(act: string): SlashOutcome {
  return refusal(l10n.t('A name is missing'), l10n.t('Write it after the command: /resume {0} name', act));
}

const notSaved = (): string => l10n.t('The session was not saved');
