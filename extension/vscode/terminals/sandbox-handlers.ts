import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Logger } from '../../ports/logger.ts';
import type { BlockedKind } from '../../protocol/agent/sandbox-block.ts';
import type { BlockedCommand } from '../../runtime/commands/blocked-commands.ts';
import type { SessionCommands } from '../../runtime/commands/session-commands.ts';
import { reportFailure, reportProblem } from '../base/report.ts';
import { Settings } from '../names.ts';
import type { PanelHandlers } from '../panel/panel-handlers.ts';
import type { PanelSession } from '../session/panel-session.ts';
import { addToSetting, saveSetting } from '../settings.ts';

export interface SandboxTargets {
  readonly session: PanelSession;
  /** Of the session shown, or of a subagent of it. Undefined where it is closed. */
  readonly commandsOf: (threadId: string | undefined) => Promise<SessionCommands | undefined>;
  readonly log: Logger;
}

type SandboxMessage = 'answerOffer' | 'allowBlocked' | 'runOutside';

/** What the user does about the sandbox on a card. The page only says where: what is meant was written down before. */
export function sandboxHandlers({ session, commandsOf, log }: SandboxTargets): Pick<PanelHandlers, SandboxMessage> {
  return {
    answerOffer: async ({ requestId, accepted }) => {
      if (!isOffered(session, requestId)) return;
      // A no is written down as well, so that nobody asks again.
      await saveSetting(Settings.sandboxAutoAllow, accepted).catch((error: unknown) =>
        reportFailure('Saving the answer about the sandbox', error, log),
      );
      if (accepted) await reportProblem(await session.answer({ requestId, decision: 'once' }));
    },
    allowBlocked: async ({ callId, threadId, kind, index, always }) => {
      const what = blockedAt(session, callId, threadId, kind, index);
      // What is opened is opened to the session, also when an agent of it found the door closed.
      const leading = session.commands;
      if (what === undefined || !leading) return;
      try {
        const setting = kind === 'host' ? Settings.sandboxNetwork : Settings.sandboxFolders;
        const save = always ? () => addToSetting(setting, what) : undefined;
        if (!(await leading.allow({ callId, kind, what }, save))) return await say(staysClosed(what));
        if (threadId !== undefined) (await commandsOf(threadId))?.sandbox.allow({ callId, kind, what, always });
      } catch (error) {
        await reportFailure('Opening the sandbox', error, log);
      }
    },
    runOutside: async ({ callId, threadId }) => {
      try {
        const commands = await commandsOf(threadId);
        if (commands) await commands.runOutside(callId, confirmOutside);
        else await say(l10n.t('The agent of this command has ended. Ask Gantry to run it again.'));
      } catch (error) {
        await reportFailure('Running a command outside the sandbox', error, log);
      }
    },
  };
}

function isOffered({ entries }: PanelSession, requestId: string): boolean {
  return entries.some(
    (entry) =>
      entry.kind === 'tool' &&
      entry.approval?.requestId === requestId &&
      entry.approval.request?.offersAutoAllow === true,
  );
}

function blockedAt(
  session: PanelSession,
  callId: string,
  threadId: string | undefined,
  kind: BlockedKind,
  index: number,
): string | undefined {
  const entry = threadId === undefined ? session.entry(callId) : session.thread(threadId)?.entry(callId);
  const blocked = entry?.kind === 'tool' ? entry.command?.blocked : undefined;
  return (kind === 'host' ? blocked?.hosts : blocked?.folders)?.[index];
}

/** All of the command, because the card has only one line of it. */
async function confirmOutside({ command, folder }: BlockedCommand): Promise<boolean> {
  const yes = l10n.t('Run Outside the Sandbox');
  const answer = await vscode.window.showWarningMessage(
    l10n.t('Run this command outside the sandbox?'),
    {
      modal: true,
      detail: [command, l10n.t('In {0}', folder), l10n.t('Outside the sandbox: it may do whatever you may.')].join(
        '\n\n',
      ),
    },
    yes,
  );
  return answer === yes;
}

function staysClosed(what: string): string {
  return l10n.t(
    '{0} stays closed to commands in the sandbox: it is protected, holds secrets, or is not there any more.',
    what,
  );
}

async function say(text: string): Promise<void> {
  await vscode.window.showInformationMessage(text);
}
