import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ToPanel } from '../../protocol/panel-messages.ts';
import type { StopOutcome } from '../../runtime/session-commands.ts';
import type { PanelHandlers } from '../panel-handlers.ts';
import type { PanelSession } from '../panel-session.ts';

type CommandMessage = 'runCommand' | 'openTerminal' | 'moveToBackground' | 'stopCommand';

/** What the panel asks about commands. Each is about a command of the session shown, and nothing else can be named. */
export function commandHandlers(
  session: PanelSession,
  view: { post(message: ToPanel): void; postState(): Promise<void> },
  /** What was typed can be had again. */
  remember: (text: string) => Promise<void>,
): Pick<PanelHandlers, CommandMessage> {
  return {
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
    openTerminal: ({ callId }) => {
      if (!session.openTerminal(callId)) return say(l10n.t('The terminal of this command is closed.'));
      return undefined;
    },
    moveToBackground: ({ callId }) => {
      if (!session.commands?.moveToBackground(callId)) return say(l10n.t('That command is not running any more.'));
      return undefined;
    },
    stopCommand: async ({ callId }) => {
      const told = stoppedText((await session.commands?.stop(callId)) ?? 'unknown');
      if (told !== undefined) await say(told);
    },
  };
}

/** What its card does not say. */
function stoppedText(outcome: StopOutcome): string | undefined {
  switch (outcome) {
    case 'stopped':
      return undefined;
    case 'ended':
      return l10n.t('It had ended already.');
    case 'forbidden':
      return l10n.t(
        'It was not stopped: it belongs to another user, so Gantry may not end it. End it yourself, as that user.',
      );
    case 'unsure':
      return l10n.t('It was not stopped: nobody can tell whether that process still is this command. End it yourself.');
    case 'running':
      return l10n.t('It does not end, and nothing more can be done from here. Stop it in a terminal.');
    case 'elsewhere':
      return l10n.t('It was not stopped: another window has this session. Stop it there.');
    case 'unknown':
      return l10n.t('That command is not running any more.');
  }
}

async function say(text: string): Promise<void> {
  await vscode.window.showInformationMessage(text);
}
