import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { homeProblem } from '../gemini-config/home-problem.ts';
import { Actions } from './actions/actions.ts';
import { QuestionDesk } from './approval-router.ts';
import { ApprovalNotifications } from './approvals/approval-notifications.ts';
import { PendingApprovals } from './approvals/pending-approvals.ts';
import { StatusItem } from './approvals/status-item.ts';
import { takeUpUnfinished } from './approvals/unfinished-session.ts';
import { WantedYolo } from './approvals/wanted-yolo.ts';
import { confirmYolo } from './approvals/yolo.ts';
import { GoogleLogin } from './auth/google-login.ts';
import { SignIn } from './auth/sign-in.ts';
import type { SignInParts } from './auth/sign-in-flow.ts';
import { SignInLinks } from './auth/sign-in-links.ts';
import { WindowAttention } from './base/attention.ts';
import { Disposable } from './base/disposable.ts';
import { Later } from './base/lazy-part.ts';
import { ChannelLogger } from './base/logger.ts';
import { reportProblem } from './base/report.ts';
import { registerCommands } from './commands.ts';
import { AgentReview } from './consent/agent-review.ts';
import { HookReview } from './consent/hook-review.ts';
import { ProtectedNotices } from './consent/protected-notices.ts';
import { sandboxWords } from './consent/sandbox-texts.ts';
import { TrustNews } from './consent/trust-news.ts';
import { PanelContext } from './context/panel-context.ts';
import { offerProblems } from './context/problem-actions.ts';
import { followContextKeys } from './context-keys.ts';
import { PanelInput } from './input/panel-input.ts';
import { StoredSessions } from './library/stored-sessions.ts';
import { DisabledServers } from './mcp/disabled-servers.ts';
import { McpLogins } from './mcp/mcp-logins.ts';
import { ServerList } from './mcp/server-list.ts';
import { ApiKey } from './models/api-key.ts';
import { EDITOR_PANEL, Views } from './names.ts';
import { ChatView } from './panel/chat-view.ts';
import { PolicyDiagnostics } from './policy/policy-diagnostics.ts';
import { type GantryApi, publicApi } from './public-api.ts';
import { LaterReview } from './review/later-review.ts';
import { RuntimeLoader } from './runtime-loader.ts';
import { PanelSession } from './session/panel-session.ts';
import { RememberedSession } from './session/remembered-session.ts';
import { changesSettings, VsCodeSettings } from './settings.ts';
import { putCommandOnPath } from './terminals/command-on-path.ts';
import { InputNotices, type InputTargets } from './terminals/input-notices.ts';
import { TerminalPanes } from './terminals/terminal-panes.ts';
import { WaitingCommands } from './terminals/waiting-commands.ts';
import { vscodeHost } from './vscode-host.ts';

/** Everything Gantry shows in VS Code. Built at activation; the runtime below it is loaded on first use. */
export class Surface extends Disposable {
  readonly api: GantryApi;
  private readonly runtime: RuntimeLoader;
  private readonly unfinished: vscode.Disposable;

  constructor(window: vscode.ExtensionContext) {
    super();
    const { extension, extensionUri, secrets, workspaceState } = window;
    const log = this.register(new ChannelLogger());
    const apiKey = new ApiKey(secrets);
    const terminals = this.register(new TerminalPanes());
    const assets = join(extensionUri.fsPath, 'dist', 'assets');
    const settings = new VsCodeSettings(window.globalStorageUri);
    const login = new GoogleLogin(secrets);
    const kept = { apiKey: () => apiKey.apiKey(), login, mcpLogins: new McpLogins(secrets) };
    const disabled = new DisabledServers(workspaceState);
    const host = { ...vscodeHost(assets, settings, kept, terminals, log), mcp: disabled };
    this.runtime = new RuntimeLoader(host);
    // The runtime refuses to start then, and whoever opens the panel should know before.
    void reportProblem(homeProblem(host.environment, homedir()));
    const exchange: SignInParts['exchange'] = async (answer, signal) =>
      (await this.runtime.load()).newLogin(answer, signal);
    const links = new SignInLinks();
    const signIn = this.register(new SignIn(login, { host, exchange, links }));
    const mcp = this.register(new ServerList({ runtime: this.runtime, disabled, links, log }));
    const remembered = new RememberedSession(workspaceState);
    const session = this.register(new PanelSession(host, this.runtime, remembered));
    const { processBefore = process.pid } = remembered;
    const own = new Set([process.pid, processBefore]);
    remembered.rememberProcess(process.pid).catch((error: unknown) => log.error('Reloads will not be known', error));
    const sessions = this.register(new StoredSessions(extensionUri, this.runtime, session, host.workspace, log, own));
    const context = this.register(new PanelContext(session, this.runtime, workspaceState, log));
    const input = this.register(
      new PanelInput({
        session,
        sessions,
        context,
        runtime: this.runtime,
        mcp,
        state: workspaceState,
        storage: window.storageUri ?? window.globalStorageUri,
        version: String(extension.packageJSON.version),
        log,
      }),
    );
    const review = this.register(new LaterReview(session, workspaceState, log));
    const protectedFiles = this.register(
      new Later(async () => new (await import('./consent/protected-files.ts')).ProtectedSurface(session)),
    );
    const chat = this.register(
      new ChatView(
        extensionUri,
        session,
        sessions,
        context,
        input,
        review,
        protectedFiles,
        this.runtime,
        workspaceState,
        log,
      ),
    );
    this.register(vscode.window.registerWebviewViewProvider(Views.chat, chat));
    this.register(vscode.window.registerWebviewPanelSerializer(EDITOR_PANEL, chat));
    this.register(new PolicyDiagnostics(this.runtime, log));
    const hookReview = this.register(new HookReview(this.runtime));
    const agentReview = this.register(new AgentReview(this.runtime));
    const { runtime } = this;
    const { attachments } = context;
    const pending = this.register(new PendingApprovals(session, runtime));
    const parts = { extensionUri, chat, session, pending, sessions, attachments, runtime, settings, signIn, log };
    const actions = this.register(new Actions(parts));
    const { chatSessions } = actions;
    const questions = new QuestionDesk({ pending, session, sessions: chatSessions, chat, review, runtime });
    const reviewing = { hookReview, agentReview, mcp, review };
    const working = { chat, questions, context, session, sessions, runtime, ...reviewing, actions };
    this.register(registerCommands({ ...working, extension: extensionUri, apiKey, signIn, log }));
    this.register(offerProblems());
    this.register(putCommandOnPath(window));
    this.unfinished = this.register(
      takeUpUnfinished({ session, pending, review, remembered, trust: vscode.workspace, log }),
    );
    const attention = this.register(new WindowAttention(chat));
    this.register(new ApprovalNotifications(pending, attention, questions, log));
    this.register(new WantedYolo(session, settings, host.workspace, log));
    const waiting = this.register(new WaitingCommands(session));
    const inputs: InputTargets = {
      isLookedAt: (callId) => terminals.isLookedAt(session.id ?? '', callId),
      openTerminal: (callId) => session.openTerminal(callId),
    };
    this.register(new InputNotices(waiting, attention, inputs));
    this.register(new ProtectedNotices(session, attention, protectedFiles, log));
    const status = this.register(new StatusItem(session, pending, waiting, log));
    this.runtime.onDidLoad(({ sandbox }) => {
      if (vscode.workspace.isTrusted) void sandbox.wanted().then((found) => status.tellCommands(sandboxWords(found)));
    });
    this.register(followContextKeys(session, pending));
    this.register(
      apiKey.onDidChange(() => {
        void chat.postState();
        status.update();
      }),
    );
    const surroundingsChanged = (): void => {
      void chat.postState();
      status.update();
      void this.runtime.reloadPolicies();
    };
    const trustNews = this.register(new TrustNews(session, this.runtime));
    this.register(
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        surroundingsChanged();
        trustNews.tell().catch((error: unknown) => log.error('What trust has changed could not be told', error));
      }),
    );
    this.register(vscode.workspace.onDidChangeWorkspaceFolders(surroundingsChanged));
    this.register(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (!changesSettings(event)) return;
        surroundingsChanged();
        this.runtime
          .settingsChanged()
          .catch((error: unknown) => log.error('Sessions were not told of settings', error));
      }),
    );
    this.api = publicApi(String(extension.packageJSON.version), this.runtime, confirmYolo, (made) =>
      session.keepOpen(made),
    );
  }

  /** Stops what is running; VS Code waits for it when the window closes. */
  shutDown(): Promise<void> {
    // What ends now because the window closes is not finished.
    this.unfinished.dispose();
    return this.runtime.dispose();
  }
}
