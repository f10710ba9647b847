import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Logger } from '../../ports/logger.ts';
import type { PanelHandlers } from '../../protocol/panel/host-messages.ts';
import type { ToPanel } from '../../protocol/panel/panel-messages.ts';
import type { SessionCommands, StopOutcome } from '../../runtime/commands/session-commands.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';
import type { PanelSession } from '../session/panel-session.ts';
import { sandboxDialogs } from './sandbox-dialogs.ts';
import { sandboxHandlers } from './sandbox-handlers.ts';

type CommandMessage =
  | 'runCommand'
  | 'openTerminal'
  | 'moveToBackground'
  | 'stopCommand'
  | 'answerOffer'
  | 'allowBlocked'
  | 'runOutside';

/** Handles the panel's messages about commands. Only those of the session shown and its subagents can be addressed. */
export function commandHandlers(
  session: PanelSession,
  runtime: RuntimeLoader,
  view: { post(message: ToPanel): void; postState(): Promise<void> },
  /** Adds the text to the input history. */
  remember: (text: string) => Promise<void>,
  log: Logger,
): Pick<PanelHandlers, CommandMessage> {
  const commandsOf = async (threadId: string | undefined): Promise<SessionCommands | undefined> => {
    if (threadId === undefined) return session.open?.commands;
    const service = await runtime.load();
    return session.thread(threadId) && service.isOpen(threadId) ? service.session(threadId).commands : undefined;
  };
  return {
    ...sandboxHandlers({ session, commandsOf, dialogs: sandboxDialogs(log) }),
    runCommand: async ({ ref, command }) => {
      const refused = await session.runCommand(command);
      await view.postState();
      view.post({
        type: 'sent',
        ref,
        ...(refused && { refused: { title: refused.title, detail: refused.detail } }),
      });
      if (!refused) await remember(`!${command}`);
    },
    openTerminal: ({ callId, threadId }) => {
      const isKnown = threadId === undefined || session.thread(threadId) !== undefined;
      if (!isKnown || !session.openTerminal(callId, threadId))
        return say(l10n.t('The terminal of this command is closed.'));
      return undefined;
    },
    moveToBackground: async ({ callId, threadId }) => {
      const commands = await commandsOf(threadId);
      if (!commands?.moveToBackground(callId)) await say(l10n.t('That command is no longer running.'));
    },
    stopCommand: async ({ callId, threadId }) => {
      const told = stoppedText((await (await commandsOf(threadId))?.stop(callId)) ?? 'unknown');
      if (told !== undefined) await say(told);
    },
  };
}

/** A message about the outcome, if the command's card does not show it. */
function stoppedText(outcome: StopOutcome): string | undefined {
  switch (outcome) {
    case 'stopped':
      return undefined;
    case 'ended':
      return l10n.t('The command had already ended.');
    case 'forbidden':
      return l10n.t('The command was not stopped: it belongs to another user.');
    case 'unsure':
      return l10n.t(
        "The command was not stopped: Gantry can't verify that this process is still the command. Stop it yourself.",
      );
    case 'running':
      return l10n.t("The command doesn't end. Stop it in a terminal.");
    case 'elsewhere':
      return l10n.t('Stop it in the other window that has this session open.');
    case 'unknown':
      return l10n.t('That command is no longer running.');
  }
}

async function say(text: string): Promise<void> {
  await vscode.window.showInformationMessage(text);
}
