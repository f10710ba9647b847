import * as vscode from 'vscode';
import type { RewindScope } from '../protocol/agent-event.ts';
import type { Entry } from '../protocol/transcript-entry.ts';
import type { RewindOutcome } from '../runtime/session-rewind.ts';
import { Commands } from './names.ts';
import type { PanelSession } from './panel-session.ts';
import { withoutIcons, withoutLinks } from './plain-words.ts';
import { reportProblem } from './report.ts';
import { leftoverText, previewText, type RestoreStep, restoredText, stepText } from './rewind-texts.ts';
import type { UserEntry } from './shown-conversation.ts';

type Way = RewindScope | 'fork';

const TITLE = 'Gantry: Rewind';

/** Asks which message to go back to, then how. */
export async function rewindToPicked(session: PanelSession): Promise<void> {
  const messages = session.entries.filter(isDelivered).reverse();
  const items = messages.map(({ messageId, text }, index) => ({
    label: withoutIcons(firstLine(text)),
    ...(index === 0 && { description: 'your last message' }),
    messageId,
  }));
  if (items.length === 0) {
    await vscode.window.showInformationMessage('There is no message of yours to go back to yet.');
    return;
  }
  const placeHolder = 'Go back to before this message';
  const picked = await vscode.window.showQuickPick(items, { title: TITLE, placeHolder });
  if (picked) await rewindTo(session, picked.messageId);
}

/** Asks how to go back to a message, and does it. */
export async function rewindTo(session: PanelSession, messageId: string): Promise<void> {
  const { rewind, id } = session;
  const message = session.entries.filter(isDelivered).find((entry) => entry.messageId === messageId);
  if (!rewind || id === undefined || !message || !(await isFree(session))) return;
  const steps = await rewind.preview(messageId);
  const way = await pickWay(message, steps);
  if (way === undefined) return;
  if (way === 'fork') {
    await session.show((service) => service.forkSession(id, messageId));
  } else {
    const overwrite = way === 'conversation' ? [] : await pickOverwritten(steps);
    if (overwrite === undefined) return;
    await reportRewind(way, await rewind.rewind({ messageId, what: way, overwrite }));
  }
  if (way !== 'files') session.returnMessage(message);
}

/** The last message once more. Where files were changed since, or something went with it, the user says how. */
export async function tryAgain(session: PanelSession): Promise<void> {
  const { rewind } = session;
  const message = session.entries.findLast(isDelivered);
  if (!rewind || !message || !(await isFree(session))) return;
  const { messageId, text, attachments = [] } = message;
  const steps = await rewind.preview(messageId);
  if (steps.length > 0 || attachments.length > 0) return rewindTo(session, messageId);
  await rewind.rewind({ messageId, what: 'conversation', overwrite: [] });
  const problem = await session.send(text);
  if (!problem) return;
  session.returnMessage(message);
  await reportProblem(problem);
}

export async function undoRewind(session: PanelSession): Promise<void> {
  const { rewind } = session;
  if (!rewind?.canUndo) {
    await vscode.window.showInformationMessage('There is no rewind to undo: the conversation went on since.');
    return;
  }
  if (!(await isFree(session))) return;
  const overwrite = await pickOverwritten(await rewind.previewUndo());
  if (overwrite === undefined) return;
  const { files } = await rewind.undo(overwrite);
  const left = leftoverText(files, nameOf);
  if (left !== undefined) void vscode.window.showWarningMessage(withoutLinks(`The rewind was undone. ${left}`));
}

async function isFree({ isRunning, heldBy }: PanelSession): Promise<boolean> {
  if (heldBy !== undefined) {
    await vscode.window.showWarningMessage(
      `This session is open in ${heldBy}. Nothing was changed; rewind it there, or open a copy here.`,
    );
  } else if (isRunning) {
    await vscode.window.showWarningMessage('Gantry is still at work. Stop it first, then rewind.');
  }
  return heldBy === undefined && !isRunning;
}

async function pickWay(message: UserEntry, steps: readonly RestoreStep[]): Promise<Way | undefined> {
  const files = previewText(steps, nameOf);
  const items: readonly (vscode.QuickPickItem & { readonly way: Way })[] = [
    { label: 'Conversation and files', detail: files, way: 'both' },
    { label: 'Conversation only', detail: 'Files stay as they are', way: 'conversation' },
    { label: 'Files only', detail: files, way: 'files' },
    { label: 'New session from here', detail: 'This session and all files stay as they are', way: 'fork' },
  ];
  const { isTrusted } = vscode.workspace;
  const offered = isTrusted ? items : items.filter(({ way }) => way === 'conversation' || way === 'fork');
  const placeHolder = `To before “${firstLine(message.text)}”${isTrusted ? '' : '. Files stay: this folder is not trusted.'}`;
  return (await vscode.window.showQuickPick(offered, { title: TITLE, placeHolder }))?.way;
}

/** Paths to overwrite although somebody else changed them; undefined when the user turned back. */
async function pickOverwritten(steps: readonly RestoreStep[]): Promise<string[] | undefined> {
  const changed = steps.filter(({ kind }) => kind === 'changed');
  if (changed.length === 0) return [];
  const items = changed.map((step) => ({ label: stepText(step, nameOf), path: step.path }));
  const placeHolder = 'These files were changed by someone else since. Select those to overwrite.';
  const picked = await vscode.window.showQuickPick(items, { title: TITLE, placeHolder, canPickMany: true });
  return picked?.map(({ path }) => path);
}

async function reportRewind(way: RewindScope, { files }: RewindOutcome): Promise<void> {
  const left = leftoverText(files, nameOf);
  if (left !== undefined) {
    void vscode.window.showWarningMessage(withoutLinks(`${restoredText(files)} ${left}`));
  } else if (way === 'files') {
    // The conversation does not show it.
    const undo = 'Undo';
    void vscode.window.showInformationMessage(restoredText(files), undo).then((choice) => {
      if (choice === undo) return vscode.commands.executeCommand(Commands.undoRewind);
    });
  }
}

function isDelivered(entry: Entry): entry is UserEntry {
  return entry.kind === 'user' && entry.pending === undefined;
}

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
}

/** What fits into a quick pick on a small screen. */
const MAX_LINE = 80;

function nameOf(path: string): string {
  return vscode.workspace.asRelativePath(path);
}
