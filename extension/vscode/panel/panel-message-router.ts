import * as vscode from 'vscode';
import type { Logger } from '../../ports/logger.ts';
import type { Problem } from '../../protocol/agent/problem.ts';
import { type PanelHandlers, readHostMessage, type ToHost } from '../../protocol/panel/host-messages.ts';
import type { ToPanel } from '../../protocol/panel/panel-messages.ts';
import { turnAnswer } from '../../protocol/transcript/entry-text.ts';
import { Disposable } from '../base/disposable.ts';
import { LazyPart } from '../base/lazy-part.ts';
import { reportFailure, reportProblem } from '../base/report.ts';
import type { CodeReview } from '../code/code-actions.ts';
import type { ProtectedFileReview } from '../consent/protected-files.ts';
import type { PanelContext } from '../context/panel-context.ts';
import type { PanelInput } from '../input/panel-input.ts';
import type { StoredSessions } from '../library/stored-sessions.ts';
import { BuiltIn, Commands } from '../names.ts';
import { openFileLink, openWebLink } from '../replay/links.ts';
import type { ReviewList } from '../review/lazy-review.ts';
import type { RewindSheet } from '../rewind/rewind-sheet.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';
import type { PanelSession } from '../session/panel-session.ts';
import { commandHandlers } from '../terminals/command-handlers.ts';
import { sheetHandlers } from './sheet-handlers.ts';
import type { SnapshotDocuments } from './snapshot-documents.ts';
import type { ThreadFeed } from './thread-feed.ts';

interface HandlerTargets {
  readonly view: {
    begin(reader: Extract<ToHost, { type: 'ready' }>): Promise<void>;
    showEntries(around: number): void;
    find(request: Extract<ToHost, { type: 'find' }>): void;
    isThere(count: number): void;
    keep(saved: string): void;
    post(message: ToPanel): void;
    postState(): Promise<void>;
    postSessions(): Promise<void>;
  };
  readonly session: PanelSession;
  readonly context: PanelContext;
  readonly input: PanelInput;
  readonly sessions: StoredSessions;
  readonly rewinds: LazyPart<RewindSheet>;
  readonly threads: LazyPart<ThreadFeed>;
  readonly reviews: ReviewList & CodeReview;
  readonly snapshots: SnapshotDocuments;
  readonly protectedFiles: LazyPart<ProtectedFileReview>;
  readonly runtime: RuntimeLoader;
  readonly log: Logger;
}

/** Handles the messages of the page. It is loaded with the first message, together with their schemas. */
export class PanelMessageRouter extends Disposable {
  private readonly handlers: PanelHandlers;

  constructor(private readonly targets: Omit<HandlerTargets, 'rewinds' | 'threads'>) {
    super();
    const { session, view } = targets;
    const rewinds = this.register(
      new LazyPart(async () => new (await import('../rewind/rewind-sheet.ts')).RewindSheet(session)),
    );
    const threads = this.register(
      new LazyPart(async () => {
        const { ThreadFeed } = await import('./thread-feed.ts');
        return new ThreadFeed(session, (message) => view.post(message));
      }),
    );
    this.handlers = panelHandlers({ ...targets, rewinds, threads });
  }

  receive(message: unknown): void {
    const { log } = this.targets;
    const parsed = readHostMessage(message);
    if (!parsed.success) {
      log.warn(`A panel message of the wrong shape was ignored: ${parsed.error.message}`);
      return;
    }
    const { type } = parsed.data;
    this.handle(parsed.data).catch((error: unknown) => reportFailure(`"${type}" from the panel`, error, log));
  }

  private async handle<Type extends ToHost['type']>(message: Extract<ToHost, { type: Type }>): Promise<void> {
    await this.handlers[message.type as Type](message);
  }
}

/** The handler for each message of the webview. */
function panelHandlers(targets: HandlerTargets): PanelHandlers {
  const { view, session, context, input, sessions, rewinds, threads, reviews, runtime, log } = targets;
  const { snapshots, protectedFiles } = targets;
  return {
    ready: async (reader) => {
      await view.begin(reader);
      await session.restore();
    },
    window: ({ around }) => view.showEntries(around),
    find: (request) => view.find(request),
    pong: ({ count }) => view.isThere(count),
    saved: ({ view: saved }) => view.keep(saved),
    send: async ({ ref, text, delivery }) => answerTo(view, ref, await input.send(text, delivery)),
    ...input.handlers((ref, refused) => answerTo(view, ref, refused)),
    openSnapshot: ({ id }) => snapshots.open(id),
    ...commandHandlers(session, runtime, view, (text) => input.remember(text), log),
    stop: () => session.stop(),
    stopAgent: async ({ callId }) => reportProblem(await session.stopAgent(callId)),
    removeAttachment: ({ id }) => context.attachments.remove(id),
    includeEditor: ({ included }) => context.includeEditor(included),
    retry: async () => reportProblem(await session.retry()),
    compress: async () => reportProblem(await session.compress()),
    contextShares: () => view.post({ type: 'contextShares', shares: session.open?.contextShares ?? [] }),
    showRequest: () => vscode.commands.executeCommand(Commands.showRequest),
    newSession: () => vscode.commands.executeCommand(Commands.newSession),
    continue: async () => reportProblem(await session.goOn()),
    turnOffLoopDetection: async () => reportProblem(await session.goOnWithoutLoopDetection()),
    answer: async ({ type: _, ...answer }) => reportProblem(await session.answer(answer, answer.by)),
    writeRule: ({ requestId }) => vscode.commands.executeCommand(Commands.writeRule, requestId),
    openDiff: ({ requestId }) => vscode.commands.executeCommand(Commands.reviewChanges, requestId),
    openPlan: async ({ requestId }) => (await reviews.load()).openPlan(requestId),
    withdraw: async ({ messageId, forget }) => reportProblem(await session.withdraw(messageId, forget)),
    ...sheetHandlers({ view, session, input, sessions, rewinds, threads }, (ref, refused) =>
      answerTo(view, ref, refused),
    ),
    putBack: async ({ change }) => (await protectedFiles.load()).putBack(change),
    showProtectedChange: async ({ change, path }) => (await protectedFiles.load()).show(change, path),
    undoRewind: () => vscode.commands.executeCommand(Commands.undoRewind),
    openCopy: () => openCopy(session),
    acceptChange: ({ id }) => reviews.decideItem(id, 'accept'),
    rejectChange: ({ id }) => reviews.decideItem(id, 'reject'),
    acceptAllChanges: ({ ids }) => reviews.decideAll('accept', ids),
    rejectAllChanges: ({ ids }) => reviews.decideAll('reject', ids),
    openChange: ({ id }) => reviews.open(id),
    reviewChanges: () => reviews.choose(),
    setApiKey: () => vscode.commands.executeCommand(Commands.setApiKey),
    signIn: () => vscode.commands.executeCommand(Commands.signIn),
    setApprovalMode: () => vscode.commands.executeCommand(Commands.setApprovalMode),
    selectModel: () => vscode.commands.executeCommand(Commands.selectModel),
    setThinking: async ({ way }) => (await import('../models/thinking-setting.ts')).setThinking(way),
    openSettings: ({ setting }) => vscode.commands.executeCommand(Commands.openSettings, setting),
    reviewHooks: () => vscode.commands.executeCommand(Commands.reviewHooks),
    reviewMcpServers: () => vscode.commands.executeCommand(Commands.reviewMcpServers),
    reviewAgents: () => vscode.commands.executeCommand(Commands.reviewAgents),
    openPolicies: () => vscode.commands.executeCommand(Commands.openPolicies),
    showLog: () => vscode.commands.executeCommand(Commands.showLog),
    manageTrust: () => vscode.commands.executeCommand(BuiltIn.manageTrust),
    openFile: ({ path, line }) => openFileLink(path, line),
    openRule: async ({ file, tier, line }) =>
      (await import('../policy/policy-files.ts')).openRule(runtime, { file, tier, line }),
    openLink: ({ url }) => openWebLink(url),
    copy: ({ text }) => vscode.env.clipboard.writeText(text),
    copyTurn: ({ id }) => vscode.env.clipboard.writeText(turnAnswer(session.entries, id)),
    tryAgain: async () => (await import('../rewind/rewind-flow.ts')).tryAgain(session),
    insertCode: async ({ text }) => (await codeActions()).insertCode(text),
    applyCode: async ({ text, path }) => (await codeActions()).applyCode(reviews, text, path),
    openCode: async ({ text, language }) => (await codeActions()).openCode(text, language),
    tokenColours: async ({ theme }) => {
      const { themeColours } = await import('../theme/theme-colours.ts');
      view.post({ type: 'tokenColours', colours: await themeColours(theme) });
    },
    viewError: ({ message }) => log.error(`The panel reported: ${message}`),
  };
}

/** Loaded on first use. */
function codeActions(): Promise<typeof import('../code/code-actions.ts')> {
  return import('../code/code-actions.ts');
}

async function answerTo(view: HandlerTargets['view'], ref: number, refused: Problem | undefined): Promise<void> {
  const answer = refused && { refused: { title: refused.title, detail: refused.detail } };
  // Posts the state first, so that the webview knows of the run before it discards the message.
  await view.postState();
  view.post({ type: 'sent', ref, ...answer });
}

/** Opens a copy of a session that another window holds, so that the user can continue here. */
async function openCopy(session: PanelSession): Promise<void> {
  const { id } = session;
  if (id !== undefined) await session.show((service) => service.forkSession(id));
}
