import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Problem } from '../../protocol/agent/problem.ts';
import type { PanelHandlers } from '../../protocol/panel/host-messages.ts';
import type { ToPanel } from '../../protocol/panel/panel-messages.ts';
import { withoutLinks } from '../base/escape-ui-text.ts';
import type { LazyPart } from '../base/lazy-part.ts';
import type { PanelInput } from '../input/panel-input.ts';
import type { StoredSessions } from '../library/stored-sessions.ts';
import type { RewindSheet } from '../rewind/rewind-sheet.ts';
import type { PanelSession } from '../session/panel-session.ts';
import type { UserEntry } from '../session/shown-conversation.ts';
import type { ThreadFeed } from './thread-feed.ts';

interface SheetTargets {
  readonly view: { post(message: ToPanel): void; postSessions(): Promise<void> };
  readonly session: PanelSession;
  readonly input: PanelInput;
  readonly sessions: StoredSessions;
  readonly rewinds: LazyPart<RewindSheet>;
  readonly threads: LazyPart<ThreadFeed>;
}

type SheetMessage =
  | 'listSessions'
  | 'searchSessions'
  | 'resume'
  | 'renameSession'
  | 'pinSession'
  | 'forkSession'
  | 'exportSession'
  | 'deleteSession'
  | 'rewindPreview'
  | 'rewind'
  | 'compareRewind'
  | 'openThread'
  | 'threadWindow'
  | 'closeThread'
  | 'resend';

/** The handlers for the panel's sheets: stored sessions, and messages to rewind to. */
export function sheetHandlers(
  { view, session, input, sessions, rewinds, threads }: SheetTargets,
  answer: (ref: number, refused: Problem | undefined) => Promise<void>,
): Pick<PanelHandlers, SheetMessage> {
  return {
    listSessions: () => view.postSessions(),
    searchSessions: async ({ ref, query }) =>
      view.post({ type: 'sessionsFound', ref, hits: await sessions.find(query) }),
    resume: ({ id }) => session.resume(id),
    renameSession: ({ id, title }) => (title.trim() === '' ? undefined : sessions.rename(id, title.trim())),
    pinSession: ({ id, pinned }) => sessions.pin(id, pinned),
    forkSession: ({ id }) => sessions.copy(id),
    exportSession: ({ id }) => sessions.export(id),
    deleteSession: ({ id }) => sessions.delete(id),
    rewindPreview: async (request) => view.post(await (await rewinds.load()).preview(request)),
    rewind: async (request) => view.post(await (await rewinds.load()).rewind(request)),
    compareRewind: async (request) => (await rewinds.load()).compare(request),
    openThread: async ({ threadId }) => (await threads.load()).open(threadId),
    threadWindow: async ({ around }) => (await threads.load()).show(around),
    closeThread: async () => (await threads.load()).close(),
    resend: async (request) => {
      const send = (text: string, message: UserEntry): Promise<Problem | undefined> => sendAgain(input, text, message);
      await answer(request.ref, await (await rewinds.load()).resend(request, send));
    },
  };
}

async function sendAgain(
  input: PanelInput,
  text: string,
  { attachments = [] }: UserEntry,
): Promise<Problem | undefined> {
  const ids = attachments.map(({ id }) => id);
  // Runs the prompt again, which restores its text and its contents.
  if (text.startsWith('/') && attachments.some(({ kind }) => kind === 'prompt')) return input.runSlash(text, ids);
  const missing = attachments.filter(({ id }) => !input.isKnown(id)).map(({ label }) => label);
  if (missing.length > 0) {
    const message = l10n.t('Sent without {0}, which is no longer available. Attach it again.', missing.join(', '));
    void vscode.window.showWarningMessage(withoutLinks(message));
  }
  return input.send(text, undefined, ids);
}
