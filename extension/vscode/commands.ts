import * as vscode from 'vscode';
import type { Logger } from '../runtime/host.ts';
import type { ApiKey } from './api-key.ts';
import type { ChatView } from './chat-view.ts';
import type { ChannelLogger } from './logger.ts';
import { pickModel } from './model-picker.ts';
import { BuiltIn, type Command, Commands, EXTENSION_ID } from './names.ts';
import type { PanelSession } from './panel-session.ts';

interface CommandTargets {
  readonly chat: ChatView;
  readonly session: PanelSession;
  readonly apiKey: ApiKey;
  readonly log: ChannelLogger;
}

/** Every command in one table. */
export function registerCommands({ chat, session, apiKey, log }: CommandTargets): vscode.Disposable {
  const table: Readonly<Record<Command, () => Promise<unknown> | unknown>> = {
    [Commands.openChat]: () => chat.focus(),
    [Commands.newSession]: async () => {
      await session.startNew();
      await chat.focus();
    },
    [Commands.stop]: () => session.stop(),
    [Commands.setApiKey]: () => apiKey.ask(),
    [Commands.selectModel]: () => pickModel(),
    [Commands.openSettings]: () => vscode.commands.executeCommand(BuiltIn.openSettings, `@ext:${EXTENSION_ID}`),
    [Commands.showLog]: () => log.show(),
  };
  const registered = Object.entries(table).map(([name, run]) =>
    vscode.commands.registerCommand(name, () => reporting(name, run, log)),
  );
  return vscode.Disposable.from(...registered);
}

async function reporting(name: string, run: () => Promise<unknown> | unknown, log: Logger): Promise<void> {
  try {
    await run();
  } catch (error) {
    log.error(`${name} failed`, error);
    const showLog = 'Show Log';
    const reason = error instanceof Error ? error.message : String(error);
    const choice = await vscode.window.showErrorMessage(`Gantry: ${reason}`, showLog);
    if (choice === showLog) await vscode.commands.executeCommand(Commands.showLog);
  }
}
