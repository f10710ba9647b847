import * as l10n from '@vscode/l10n';
import type { Problem } from '../../protocol/agent/problem.ts';
import type { BlockedKind } from '../../protocol/agent/sandbox-block.ts';
import type { PanelHandlers } from '../../protocol/panel/host-messages.ts';
import type { BlockedCommand } from '../../runtime/commands/blocked-commands.ts';
import type { SessionCommands } from '../../runtime/commands/session-commands.ts';
import type { PanelSession } from '../session/panel-session.ts';

type ShownSession = Pick<PanelSession, 'entries' | 'entry' | 'thread' | 'answer'>;

/** The dialogs and settings that only VS Code can show and store. */
export interface SandboxDialogs {
  /** Shows all of the command. */
  readonly confirmOutside: (command: BlockedCommand) => Promise<boolean>;
  readonly say: (text: string) => Promise<void>;
  readonly saveAutoAllow: (allowed: boolean) => Promise<void>;
  readonly saveOpened: (kind: BlockedKind, what: string) => Promise<void>;
  readonly reportProblem: (problem: Problem | undefined) => Promise<void>;
  readonly reportFailure: (what: string, error: unknown) => Promise<void>;
}

export interface SandboxTargets {
  readonly session: ShownSession;
  /** The commands of the session shown, or of one of its subagents. Undefined if it is closed. */
  readonly commandsOf: (threadId: string | undefined) => Promise<SessionCommands | undefined>;
  readonly dialogs: SandboxDialogs;
}

type SandboxMessage = 'answerOffer' | 'allowBlocked' | 'runOutside';

/** Handles the user's sandbox decisions on a card. The page sends only a position: the values come from the session. */
export function sandboxHandlers({ session, commandsOf, dialogs }: SandboxTargets): Pick<PanelHandlers, SandboxMessage> {
  /** Calls with an open dialog, so that a page cannot fill the window with dialogs. */
  const asking = new Set<string>();
  const confirmOutside = async (callId: string, command: BlockedCommand): Promise<boolean> => {
    if (asking.has(callId)) return false;
    asking.add(callId);
    return dialogs.confirmOutside(command).finally(() => asking.delete(callId));
  };
  return {
    answerOffer: async ({ requestId, accepted }) => {
      if (!isOffered(session, requestId)) return;
      // A rejection is saved as well, so that the question is not asked again.
      await dialogs
        .saveAutoAllow(accepted)
        .catch((error: unknown) => dialogs.reportFailure('Saving the answer about the sandbox', error));
      if (accepted) await dialogs.reportProblem(await session.answer({ requestId, decision: 'once' }));
    },
    allowBlocked: async ({ callId, threadId, kind, index, always }) => {
      const what = blockedAt(session, callId, threadId, kind, index);
      // Access is granted to the whole session, even if a subagent's command was blocked.
      const leading = await commandsOf(undefined);
      if (what === undefined || !leading) return;
      try {
        const save = always ? () => dialogs.saveOpened(kind, what) : undefined;
        if (!(await leading.allow({ callId, kind, what }, save))) return await dialogs.say(staysClosed(what));
        if (threadId !== undefined) (await commandsOf(threadId))?.sandbox.allow({ callId, kind, what, always });
      } catch (error) {
        await dialogs.reportFailure('Opening the sandbox', error);
      }
    },
    runOutside: async ({ callId, threadId }) => {
      try {
        const commands = await commandsOf(threadId);
        if (commands) await commands.runOutside(callId, (command) => confirmOutside(callId, command));
        else await dialogs.say(l10n.t('The agent of this command has ended. Ask Gantry to run it again.'));
      } catch (error) {
        await dialogs.reportFailure('Running a command outside the sandbox', error);
      }
    },
  };
}

function isOffered({ entries }: ShownSession, requestId: string): boolean {
  return entries.some(
    (entry) =>
      entry.kind === 'tool' &&
      entry.approval?.requestId === requestId &&
      entry.approval.request?.offersAutoAllow === true,
  );
}

function blockedAt(
  session: ShownSession,
  callId: string,
  threadId: string | undefined,
  kind: BlockedKind,
  index: number,
): string | undefined {
  const entry = threadId === undefined ? session.entry(callId) : session.thread(threadId)?.entry(callId);
  const blocked = entry?.kind === 'tool' ? entry.command?.blocked : undefined;
  return (kind === 'host' ? blocked?.hosts : blocked?.folders)?.[index];
}

function staysClosed(what: string): string {
  return l10n.t(
    "{0} can't be opened to commands in the sandbox: it is protected, contains secrets, or no longer exists.",
    what,
  );
}
