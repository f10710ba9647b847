import { homedir } from 'node:os';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { homeProblem } from '../gemini-config/home-folders.ts';
import type { Logger } from '../ports/logger.ts';
import type { GantryApi } from '../protocol/agent/gantry-api.ts';
import { Actions } from './actions/actions.ts';
import { ChatSessions } from './actions/chat-sessions.ts';
import { offerProblems } from './actions/code-actions.ts';
import { ApprovalRouter } from './approval-router.ts';
import { ApprovalNotifications } from './approvals/approval-notifications.ts';
import { PendingApprovals } from './approvals/pending-approvals.ts';
import { StatusItem } from './approvals/status-item.ts';
import { takeUpUnfinished } from './approvals/unfinished-session.ts';
import { confirmYolo, WantedYolo } from './approvals/yolo.ts';
import { RememberedSecrets } from './auth/remembered-secrets.ts';
import { SignIn } from './auth/sign-in.ts';
import type { SignInParts } from './auth/sign-in-flow.ts';
import { SignInLinks } from './auth/sign-in-links.ts';
import { GoogleLogin, McpLogins } from './auth/stored-logins.ts';
import { WindowAttention } from './base/attention.ts';
import { Disposable } from './base/disposable.ts';
import { Features } from './base/features.ts';
import { LazyPart } from './base/lazy-part.ts';
import { ChannelLogger } from './base/logger.ts';
import { reportProblem } from './base/report.ts';
import { registerCommands } from './commands.ts';
import { AgentReview } from './consent/agent-review.ts';
import { HookReview } from './consent/hook-review.ts';
import { ProtectedNotices } from './consent/protected-notices.ts';
import { sandboxWords } from './consent/sandbox-texts.ts';
import { TrustNews } from './consent/trust-news.ts';
import { PanelContext } from './context/panel-context.ts';
import { followContextKeys } from './context-keys.ts';
import { PanelInput } from './input/panel-input.ts';
import type { ConfigFiles } from './language/config-files.ts';
import { StoredSessions } from './library/stored-sessions.ts';
import { DisabledServers } from './mcp/disabled-servers.ts';
import { McpServerList } from './mcp/server-list.ts';
import { StoredApiKey } from './models/api-key.ts';
import { EDITOR_PANEL, Views } from './names.ts';
import { ChatView } from './panel/chat-view.ts';
import { publicApi } from './public-api.ts';
import { LazyReview } from './review/lazy-review.ts';
import { RuntimeLoader } from './runtime-loader.ts';
import type { ServedAgent } from './serving/served-agent.ts';
import { PanelSession } from './session/panel-session.ts';
import { RememberedSession } from './session/remembered-session.ts';
import { VsCodeSettings } from './settings.ts';
import { putCommandOnPath } from './terminals/command-on-path.ts';
import { TerminalPanes } from './terminals/terminal-panes.ts';
import { InputNotices, type InputTargets, WaitingCommands } from './terminals/waiting-commands.ts';
import { vscodeHost } from './vscode-host.ts';
import { WorkspaceChanges } from './workspace-changes.ts';

/** Everything that Gantry adds to VS Code, built feature by feature at activation. The runtime loads on first use. */
export class Composition extends Disposable {
  readonly api: GantryApi;
  private readonly runtime: RuntimeLoader;
  private unfinished: vscode.Disposable | undefined;
  private served: ServedAgent | undefined;
  private configFiles: ConfigFiles | undefined;

  constructor(window: vscode.ExtensionContext, makeFeatures = (log: Logger): Features => new Features(log)) {
    super();
    const { extension, extensionUri, secrets, workspaceState } = window;
    const version = String(extension.packageJSON.version);
    const log = this.register(new ChannelLogger());
    const kept = this.register(new RememberedSecrets(secrets));
    const apiKey = new StoredApiKey(secrets, kept);
    const terminals = this.register(new TerminalPanes());
    const settings = new VsCodeSettings(window.globalStorageUri);
    const login = new GoogleLogin(secrets, kept);
    const disabled = new DisabledServers(workspaceState);
    const host = {
      ...vscodeHost(
        join(extensionUri.fsPath, 'dist', 'assets'),
        settings,
        { apiKey: () => apiKey.apiKey(), login, mcpLogins: new McpLogins(secrets) },
        terminals,
        log,
      ),
      mcp: disabled,
    };
    const runtime = new RuntimeLoader(host);
    this.runtime = runtime;
    // With an unusable home folder the runtime refuses to start, so report this before the panel is opened.
    void reportProblem(homeProblem(host.environment, homedir()));
    const remembered = new RememberedSession(workspaceState);
    const session = this.register(new PanelSession(host, runtime, remembered));
    const pending = this.register(new PendingApprovals(session, runtime));
    const workspaceChanges = this.register(new WorkspaceChanges());
    const links = new SignInLinks();
    this.api = publicApi(version, runtime, confirmYolo, (made) => session.keepOpen(made));

    const features = this.register(makeFeatures(log));
    const signIn = features.build(l10n.t('Sign-in'), () => {
      const exchange: SignInParts['exchange'] = async (answer, signal) =>
        (await runtime.load()).newLogin(answer, signal);
      return new SignIn(login, { host, exchange, links });
    });
    const mcp = features.build(l10n.t('MCP servers'), () => new McpServerList({ runtime, disabled, links, log }));
    const sessions = features.build(l10n.t('List of sessions'), () => {
      const { processBefore = process.pid } = remembered;
      const own = new Set([process.pid, processBefore]);
      remembered.rememberProcess(process.pid).catch((error: unknown) => log.error('Reloads will not be known', error));
      return new StoredSessions(extensionUri, runtime, session, host.workspace, log, own);
    });
    const context = features.build(
      l10n.t('Context of messages'),
      () => new PanelContext(session, runtime, workspaceState, log),
    );
    const input = features.build(l10n.t('Input'), () => {
      const parts = { session, sessions: sessions(), context: context(), runtime, mcp: mcp(), state: workspaceState };
      return new PanelInput({ ...parts, storage: window.storageUri ?? window.globalStorageUri, version, log });
    });
    const review = features.build(l10n.t('Review of edits'), () => new LazyReview(session, workspaceState, log));
    const protectedFiles = features.build(
      l10n.t('Protected files'),
      () => new LazyPart(async () => new (await import('./consent/protected-files.ts')).ProtectedFileReview(session)),
    );
    const chat = features.build(l10n.t('Chat'), () => {
      const parts = [sessions(), context(), input(), review(), protectedFiles()] as const;
      const view = new ChatView(extensionUri, session, ...parts, runtime, workspaceState, log);
      const update = (): void => void view.postState();
      this.register(vscode.window.registerWebviewViewProvider(Views.chat, view));
      this.register(vscode.window.registerWebviewPanelSerializer(EDITOR_PANEL, view));
      this.register(apiKey.onDidChange(update));
      this.register(workspaceChanges.onDidChange(update));
      return view;
    });
    features.build(l10n.t('Language server'), () => {
      const load = async (): Promise<ConfigFiles> => {
        const { ConfigFiles } = await import('./language/config-files.ts');
        this.configFiles = new ConfigFiles({ host, onDidChange: workspaceChanges.onDidChange, log });
        return this.configFiles;
      };
      // Most windows open no such file, and whether a file is one takes more code than this.
      const files = new LazyPart(load);
      const failed = (error: unknown): void => log.error('Files that configure the agent are not checked', error);
      const look = (): void => void files.load().catch(failed);
      if (vscode.workspace.textDocuments.length > 0) look();
      return vscode.Disposable.from(files, vscode.workspace.onDidOpenTextDocument(look));
    });
    const hookReview = features.build(l10n.t('Review of hooks'), () => new HookReview(runtime));
    const agentReview = features.build(l10n.t('Review of agents'), () => new AgentReview(runtime));
    const chatSessions = new ChatSessions(runtime, session);
    const actions = features.build(l10n.t('Actions in editors'), () => {
      const { attachments } = context();
      const parts = { extensionUri, chat: chat(), session, chatSessions, pending, sessions: sessions(), attachments };
      return new Actions({ ...parts, runtime, settings, signIn: signIn(), log });
    });
    const questions = features.build(
      l10n.t('Answers to approvals outside the panel'),
      () => new ApprovalRouter({ pending, sessions: chatSessions, chat: chat(), review: review(), runtime }),
    );
    const shownRequest = features.build(
      l10n.t('What the Model Gets'),
      () => new LazyPart(async () => new (await import('./panel/shown-request.ts')).ShownRequest(session)),
    );
    const serving = features.build(
      l10n.t('Serving over A2A'),
      () =>
        new LazyPart(async () => {
          const { ServedAgent } = await import('./serving/served-agent.ts');
          this.served = new ServedAgent({ version, host, runtime, session });
          return this.served;
        }),
    );
    const rulePages = features.build(
      l10n.t('All Rules'),
      () => new LazyPart(async () => new (await import('./policy/rule-pages.ts')).RulePages(runtime, session)),
    );
    const authoring = features.build(
      l10n.t('New rules, agents, skills and commands'),
      () =>
        new LazyPart(async () => {
          const { Authoring } = await import('./authoring/authoring.ts');
          return new Authoring({ runtime, pending, settings, pages: () => rulePages().load() });
        }),
    );
    features.build(l10n.t('Commands'), () => {
      const reviewing = { hookReview, agentReview, mcp, review };
      const working = { chat, questions, context, session, chatSessions, sessions, runtime, ...reviewing, actions };
      const loadedLater = { shownRequest, serving, rulePages, authoring };
      return registerCommands({ ...working, ...loadedLater, extension: extensionUri, apiKey, signIn, log });
    });
    features.build(l10n.t('Quick fixes'), offerProblems);
    features.build(l10n.t('The gantry command in terminals'), () => putCommandOnPath(window));
    features.build(l10n.t('Unfinished work'), () => {
      const parts = { session, pending, review: review(), remembered, trust: vscode.workspace, log };
      this.unfinished = takeUpUnfinished(parts);
      return this.unfinished;
    });
    const attention = features.build(l10n.t('Focus tracking'), () => new WindowAttention(chat()));
    features.build(
      l10n.t('Notifications for approvals'),
      () => new ApprovalNotifications(pending, attention(), questions(), log),
    );
    features.build(l10n.t('Yolo mode from settings'), () => new WantedYolo(session, settings, host.workspace, log));
    const waiting = features.build(l10n.t('Commands that wait for input'), () => new WaitingCommands(session));
    features.build(l10n.t('Notifications for commands'), () => {
      const inputs: InputTargets = {
        isLookedAt: (callId) => terminals.isLookedAt(session.id ?? '', callId),
        openTerminal: (callId) => session.openTerminal(callId),
      };
      return new InputNotices(waiting(), attention(), inputs);
    });
    features.build(
      l10n.t('Notifications for protected files'),
      () => new ProtectedNotices(session, attention(), protectedFiles(), log),
    );
    features.build(l10n.t('Status bar'), () => {
      const status = new StatusItem(session, pending, waiting(), log);
      const update = (): void => status.update();
      this.register(apiKey.onDidChange(update));
      this.register(workspaceChanges.onDidChange(update));
      runtime.onDidLoad(({ sandbox }) => {
        if (vscode.workspace.isTrusted) void sandbox.wanted().then((found) => status.tellCommands(sandboxWords(found)));
      });
      return status;
    });
    features.build(l10n.t('Keyboard shortcuts and menus'), () => followContextKeys(session, pending));
    features.build(l10n.t('Changes of trust and settings'), () => {
      const news = new TrustNews(session, runtime);
      const failed = (what: string) => (error: unknown) => log.error(what, error);
      return vscode.Disposable.from(
        news,
        workspaceChanges.onDidChange(() => void runtime.reloadPolicies()),
        workspaceChanges.onDidGrantTrust(() => news.tell().catch(failed('What trust has changed could not be shown'))),
        workspaceChanges.onDidChangeSettings(() =>
          runtime.settingsChanged().catch(failed('Settings were not applied')),
        ),
      );
    });
    void features.report();
  }

  /** Stops everything that runs. VS Code waits for this when the window closes. */
  async shutDown(): Promise<void> {
    // Runs that end because the window closes are still unfinished.
    this.unfinished?.dispose();
    await Promise.allSettled([this.served?.stop(), this.configFiles?.stop()]);
    await this.runtime.dispose();
  }
}
