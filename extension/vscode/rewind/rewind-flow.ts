import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { RewindScope } from '../../protocol/agent/agent-event.ts';
import type { Problem } from '../../protocol/agent/problem.ts';
import type { RewindWay } from '../../protocol/panel/sheets-to-host.ts';
import type { RewindOutcome } from '../../runtime/changes/session-rewind.ts';
import type { RestoreStep } from '../../sessions/files/file-rewind.ts';
import { withoutIcons, withoutLinks } from '../base/escape-ui-text.ts';
import { reportProblem } from '../base/report.ts';
import { Commands } from '../names.ts';
import type { PanelSession } from '../session/panel-session.ts';
import type { UserEntry } from '../session/shown-conversation.ts';
import { isDelivered, leftoverText, previewText, restoredText, stepText } from './rewind-preview.ts';

const pickerTitle = (): string => l10n.t('Gantry: Rewind');

/** Asks which message to rewind to, then how. */
export async function rewindToPicked(session: PanelSession): Promise<void> {
  const messages = session.entries.filter(isDelivered).reverse();
  const items = messages.map(({ messageId, text }, index) => ({
    label: withoutIcons(firstLine(text)),
    ...(index === 0 && { description: l10n.t('your last message') }),
    messageId,
  }));
  if (items.length === 0) {
    await vscode.window.showInformationMessage(l10n.t('There is no message to go back to yet.'));
    return;
  }
  const placeHolder = l10n.t('Go back to before this message');
  const picked = await vscode.window.showQuickPick(items, { title: pickerTitle(), placeHolder });
  if (picked) await rewindTo(session, picked.messageId);
}

/** Asks how to rewind to a message, and does it. */
export async function rewindTo(session: PanelSession, messageId: string): Promise<void> {
  const { id } = session;
  const rewind = session.open?.rewind;
  const message = session.entries.filter(isDelivered).find((entry) => entry.messageId === messageId);
  if (!rewind || id === undefined || !message || !(await isFree(session))) return;
  const steps = await rewind.preview(messageId);
  const way = await pickWay(message, steps);
  if (way === undefined) return;
  const overwrite = way === 'conversation' || way === 'fork' ? [] : await pickOverwritten(steps);
  if (overwrite !== undefined) await carryOut(session, message, way, overwrite);
}

/** Rewinds as the user chose. If the conversation is rewound, the message returns to the input. */
export async function carryOut(
  session: PanelSession,
  message: UserEntry,
  way: RewindWay,
  overwrite: readonly string[],
): Promise<void> {
  const { id } = session;
  const rewind = session.open?.rewind;
  const { messageId } = message;
  if (!rewind || id === undefined) return;
  if (way === 'fork') await session.show((service) => service.forkSession(id, messageId));
  else reportRewind(way, await rewind.rewind({ messageId, what: way, overwrite }));
  if (way !== 'files') session.returnMessage(message);
}

/** Sends the last message again. If files have changed since, or it had attachments, the user chooses how to rewind. */
export async function tryAgain(session: PanelSession): Promise<void> {
  const rewind = session.open?.rewind;
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
  const rewind = session.open?.rewind;
  if (!rewind?.canUndo) {
    await vscode.window.showInformationMessage(
      l10n.t('There is no rewind to undo: the conversation has continued since then.'),
    );
    return;
  }
  if (!(await isFree(session))) return;
  const overwrite = await pickOverwritten(await rewind.previewUndo());
  if (overwrite === undefined) return;
  const { files } = await rewind.undo(overwrite);
  const left = leftoverText(files, relativeName);
  if (left !== undefined)
    void vscode.window.showWarningMessage(withoutLinks(l10n.t('The rewind was undone. {0}', left)));
}

async function isFree(session: PanelSession): Promise<boolean> {
  const problem = whyNotNow(session);
  await reportProblem(problem);
  return problem === undefined;
}

/** The reason why the session cannot be rewound now. */
export function whyNotNow({ isRunning, heldBy }: PanelSession): Problem | undefined {
  const refusal = { kind: 'bad-input', title: l10n.t('Nothing was rewound'), actions: [] } as const;
  if (heldBy !== undefined)
    return { ...refusal, detail: l10n.t('This session is open in {0}. Rewind it there, or open a copy here.', heldBy) };
  return isRunning ? { ...refusal, detail: l10n.t('Gantry is still working. Stop it first, then rewind.') } : undefined;
}

async function pickWay(message: UserEntry, steps: readonly RestoreStep[]): Promise<RewindWay | undefined> {
  const files = previewText(steps, relativeName);
  const items: readonly (vscode.QuickPickItem & { readonly way: RewindWay })[] = [
    { label: l10n.t('Conversation and files'), detail: files, way: 'both' },
    { label: l10n.t('Conversation only'), detail: l10n.t('Files stay as they are'), way: 'conversation' },
    { label: l10n.t('Files only'), detail: files, way: 'files' },
    {
      label: l10n.t('New session from here'),
      detail: l10n.t('This session and all files stay as they are'),
      way: 'fork',
    },
  ];
  const { isTrusted } = vscode.workspace;
  const offered = isTrusted ? items : items.filter(({ way }) => way === 'conversation' || way === 'fork');
  const line = firstLine(message.text);
  const placeHolder = isTrusted
    ? l10n.t('Go back to before "{0}"', line)
    : l10n.t('Go back to before "{0}". Files are kept: the folder is not trusted.', line);
  return (await vscode.window.showQuickPick(offered, { title: pickerTitle(), placeHolder }))?.way;
}

/** The files to overwrite although somebody else changed them. Undefined if the user cancels. */
async function pickOverwritten(steps: readonly RestoreStep[]): Promise<string[] | undefined> {
  const changed = steps.filter(({ kind }) => kind === 'changed');
  if (changed.length === 0) return [];
  const items = changed.map((step) => ({ label: stepText(step, relativeName), path: step.path }));
  const placeHolder = l10n.t('These files were edited since. Select the files to overwrite.');
  const picked = await vscode.window.showQuickPick(items, { title: pickerTitle(), placeHolder, canPickMany: true });
  return picked?.map(({ path }) => path);
}

function reportRewind(way: RewindScope, outcome: RewindOutcome): void {
  if (tellLeftovers(outcome) || way !== 'files') return;
  // The conversation does not show a rewind of files only.
  const undo = l10n.t('Undo');
  void vscode.window.showInformationMessage(restoredText(outcome.files), undo).then((choice) => {
    if (choice === undo) return vscode.commands.executeCommand(Commands.undoRewind);
  });
}

/** Reports files that could not be restored. Returns whether there were any. */
export function tellLeftovers({ files }: RewindOutcome): boolean {
  const left = leftoverText(files, relativeName);
  if (left !== undefined) void vscode.window.showWarningMessage(withoutLinks(`${left} ${restoredText(files)}`));
  return left !== undefined;
}

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
}

/** The number of characters that fit into a quick pick on a small screen. */
const MAX_LINE = 80;

export function relativeName(path: string): string {
  return vscode.workspace.asRelativePath(path);
}
