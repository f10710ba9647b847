import * as vscode from 'vscode';
import type { ToPanel } from '../../protocol/panel-messages.ts';
import type { PanelHandlers } from '../panel-handlers.ts';
import type { PanelSession } from '../panel-session.ts';

type CommandMessage = 'runCommand' | 'openTerminal' | 'moveToBackground' | 'stopCommand';

/** What the panel asks about commands. Each is about a command of the session shown, and nothing else can be named. */
export function commandHandlers(
  session: PanelSession,
  view: { post(message: ToPanel): void; postState(): Promise<void> },
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
    },
    openTerminal: ({ callId }) => {
      if (!session.openTerminal(callId)) return say('The terminal of this command is closed.');
      return undefined;
    },
    moveToBackground: ({ callId }) => {
      if (!session.commands?.moveToBackground(callId)) return say('That command is not running any more.');
      return undefined;
    },
    stopCommand: async ({ callId }) => {
      if (!(await session.commands?.stop(callId))) await say('That command is not running any more.');
    },
  };
}

async function say(text: string): Promise<void> {
  await vscode.window.showInformationMessage(text);
}
