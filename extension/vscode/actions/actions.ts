import * as vscode from 'vscode';
import type { Logger } from '../../ports/logger.ts';
import type { SettingsPort } from '../../ports/settings.ts';
import type { PendingApprovals } from '../approvals/pending-approvals.ts';
import type { SignIn } from '../auth/sign-in.ts';
import { Disposable } from '../base/disposable.ts';
import { LazyPart } from '../base/lazy-part.ts';
import { reportFailure } from '../base/report.ts';
import type { Attachments } from '../context/attachments.ts';
import type { StoredSessions } from '../library/stored-sessions.ts';
import type { ChatView } from '../panel/chat-view.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';
import type { PanelSession } from '../session/panel-session.ts';
import type { ChatSessions } from './chat-sessions.ts';
import { registerCodeActions } from './code-actions.ts';
import type { RequestedActions } from './editor-actions.ts';
import { registerChatParticipant, registerModelTools } from './native-chat.ts';
import { RunNotice } from './run-notice.ts';
import { followTour } from './tour.ts';

interface ActionParts {
  readonly extensionUri: vscode.Uri;
  readonly chat: ChatView;
  readonly session: PanelSession;
  readonly chatSessions: ChatSessions;
  readonly pending: PendingApprovals;
  readonly sessions: StoredSessions;
  readonly attachments: Attachments;
  readonly runtime: RuntimeLoader;
  readonly settings: SettingsPort;
  readonly signIn: SignIn;
  readonly log: Logger;
}

/** Entry points outside of the panel that lead into it or use the same agent. */
export class Actions extends Disposable {
  readonly requested: LazyPart<RequestedActions>;

  constructor(parts: ActionParts) {
    super();
    const { extensionUri, chat, session, chatSessions, pending, sessions, attachments } = parts;
    const { runtime, settings, signIn, log } = parts;
    this.requested = this.register(
      new LazyPart(async () => {
        const { RequestedActions } = await import('./editor-actions.ts');
        return new RequestedActions({ session, chat, attachments }, runtime);
      }),
    );
    this.register(new RunNotice(session, pending, chat, runtime, log));
    this.register(followTour(session));
    this.register(registerCodeActions());
    const openLink = async (uri: vscode.Uri): Promise<void> => {
      if (signIn.take(uri)) return;
      const { openPromptLink } = await import('./prompt-link.ts');
      await openPromptLink(uri, { session, chat, attachments });
    };
    const failed = (error: unknown): Promise<void> => reportFailure('A link', error, log);
    this.register(vscode.window.registerUriHandler({ handleUri: (uri) => openLink(uri).catch(failed) }));
    this.register(registerChatParticipant(chatSessions, vscode.Uri.joinPath(extensionUri, 'media', 'gantry.svg')));
    this.register(registerModelTools({ sessions: chatSessions, listed: () => sessions.items(), settings }));
  }
}
