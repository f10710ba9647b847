import * as vscode from 'vscode';
import type { ApiKey } from './api-key.ts';
import type { ChatView } from './chat-view.ts';
import { exportShown } from './export-flow.ts';
import type { HookReview } from './hook-review.ts';
import type { ChannelLogger } from './logger.ts';
import { pickApprovalMode } from './mode-picker.ts';
import { pickModel } from './model-picker.ts';
import { BuiltIn, type Command, Commands, EXTENSION_ID } from './names.ts';
import type { PanelSession } from './panel-session.ts';
import { openPolicies } from './policy-files.ts';
import { reportFailure } from './report.ts';
import { rewindToPicked, undoRewind } from './rewind-flow.ts';
import type { RuntimeLoader } from './runtime-loader.ts';
import { SessionPicker } from './session-picker.ts';
import type { StoredSessions } from './stored-sessions.ts';

interface CommandTargets {
  readonly chat: ChatView;
  readonly session: PanelSession;
  readonly sessions: StoredSessions;
  readonly runtime: RuntimeLoader;
  readonly hookReview: HookReview;
  readonly apiKey: ApiKey;
  readonly log: ChannelLogger;
}

/** Every command in one table. */
export function registerCommands(targets: CommandTargets): vscode.Disposable {
  const { chat, session, sessions, runtime, hookReview, apiKey, log } = targets;
  const table: Readonly<Record<Command, () => Promise<unknown> | unknown>> = {
    [Commands.openChat]: () => chat.focus(),
    [Commands.newSession]: async () => {
      await session.startNew();
      await chat.focus();
    },
    [Commands.resumeSession]: async () => {
      if (await new SessionPicker(sessions, session, runtime, log).open()) await chat.focus();
    },
    [Commands.stop]: () => session.stop(),
    [Commands.rewind]: () => rewindToPicked(session),
    [Commands.undoRewind]: () => undoRewind(session),
    [Commands.exportSession]: () => exportShown(session, runtime),
    [Commands.setApiKey]: () => apiKey.ask(),
    [Commands.selectModel]: () => pickModel(),
    [Commands.setApprovalMode]: () => pickApprovalMode(session),
    [Commands.focusApproval]: () => chat.focusApproval(),
    [Commands.openPolicies]: () => openPolicies(runtime),
    [Commands.reviewHooks]: () => hookReview.open(),
    [Commands.openSettings]: () => vscode.commands.executeCommand(BuiltIn.openSettings, `@ext:${EXTENSION_ID}`),
    [Commands.showLog]: () => log.show(),
  };
  const registered = Object.entries(table).map(([name, run]) =>
    vscode.commands.registerCommand(name, () => reporting(name, run, log)),
  );
  return vscode.Disposable.from(...registered);
}

async function reporting(name: string, run: () => Promise<unknown> | unknown, log: ChannelLogger): Promise<void> {
  try {
    await run();
  } catch (error) {
    await reportFailure(name, error, log);
  }
}
