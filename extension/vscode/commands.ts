import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { actionCommands } from './actions/action-commands.ts';
import type { Actions } from './actions/actions.ts';
import type { ChatSessions } from './actions/chat-sessions.ts';
import type { ApprovalRouter } from './approval-router.ts';
import type { SignIn } from './auth/sign-in.ts';
import type { Authoring, AuthoringCommand } from './authoring/authoring.ts';
import type { Feature } from './base/features.ts';
import type { LazyPart } from './base/lazy-part.ts';
import type { ChannelLogger } from './base/logger.ts';
import { reportFailure, reportProblem } from './base/report.ts';
import type { AgentReview } from './consent/agent-review.ts';
import type { HookReview } from './consent/hook-review.ts';
import { addCommands } from './context/add-commands.ts';
import type { PanelContext } from './context/panel-context.ts';
import type { StoredSessions } from './library/stored-sessions.ts';
import type { McpServerList } from './mcp/server-list.ts';
import type { StoredApiKey } from './models/api-key.ts';
import { pickApprovalMode } from './models/mode-picker.ts';
import type { CommandBody } from './names.ts';
import { BuiltIn, type Command, Commands, EXTENSION_ID, Settings } from './names.ts';
import type { ChatView } from './panel/chat-view.ts';
import type { ShownRequest } from './panel/shown-request.ts';
import type { RulePages } from './policy/rule-pages.ts';
import type { LazyReview } from './review/lazy-review.ts';
import { reviewCommands } from './review/review-commands.ts';
import type { RuntimeLoader } from './runtime-loader.ts';
import type { ServedAgent } from './serving/served-agent.ts';
import type { PanelSession } from './session/panel-session.ts';

/** How long the confirmation is shown: long enough to read it. */
const COPIED_MS = 3000;

interface CommandTargets {
  /** The folder where Gantry is installed. */
  readonly extension: vscode.Uri;
  readonly session: PanelSession;
  readonly chatSessions: ChatSessions;
  readonly runtime: RuntimeLoader;
  readonly apiKey: StoredApiKey;
  readonly log: ChannelLogger;
  readonly chat: Feature<ChatView>;
  readonly questions: Feature<ApprovalRouter>;
  readonly context: Feature<PanelContext>;
  readonly sessions: Feature<StoredSessions>;
  readonly hookReview: Feature<HookReview>;
  readonly mcp: Feature<McpServerList>;
  readonly agentReview: Feature<AgentReview>;
  readonly actions: Feature<Actions>;
  readonly review: Feature<LazyReview>;
  readonly shownRequest: Feature<LazyPart<ShownRequest>>;
  readonly serving: Feature<LazyPart<ServedAgent>>;
  readonly rulePages: Feature<LazyPart<RulePages>>;
  readonly authoring: Feature<LazyPart<Authoring>>;
  readonly signIn: Feature<SignIn>;
}

/** Registers every command from one table. If the feature of a command is missing, running the command reports that. */
export function registerCommands(targets: CommandTargets): vscode.Disposable {
  const { chat, questions, context, session, sessions, runtime, hookReview, agentReview } = targets;
  const { chatSessions, extension, mcp, review, shownRequest, serving, rulePages, authoring } = targets;
  const { actions, apiKey, signIn, log } = targets;
  const author =
    (command: AuthoringCommand): CommandBody =>
    async (about) =>
      (await authoring().load()).run(command, about);
  const table: Readonly<Record<Command, CommandBody>> = {
    ...reviewCommands({ load: () => review().load() }),
    [Commands.openChat]: () => chat().focus(),
    [Commands.newSession]: async () => {
      await session.startNew();
      await chat().focus();
    },
    [Commands.resumeSession]: async () => {
      const { SessionPicker } = await import('./library/session-picker.ts');
      if (await new SessionPicker(sessions(), session, runtime, log).open()) await chat().focus();
    },
    [Commands.stop]: () => session.stop(),
    [Commands.find]: () => chat().openFind(),
    [Commands.reloadView]: () => chat().reload(),
    [Commands.toggleThinking]: async () => (await import('./models/thinking-setting.ts')).toggleThinking(),
    [Commands.rewind]: async () => (await import('./rewind/rewind-flow.ts')).rewindToPicked(session),
    [Commands.undoRewind]: async () => (await import('./rewind/rewind-flow.ts')).undoRewind(session),
    [Commands.exportSession]: async () =>
      (await import('./replay/export-flow.ts')).exportShown(session, { runtime, extension }),
    [Commands.copyConversation]: async () => {
      const { copyShown } = await import('./replay/export-flow.ts');
      if (await copyShown(session, runtime))
        vscode.window.setStatusBarMessage(l10n.t('Conversation copied'), COPIED_MS);
    },
    [Commands.openInEditor]: () => chat().openInEditor(),
    [Commands.openInWindow]: () => chat().openInWindow(),
    [Commands.compress]: async () => reportProblem(await session.compress()),
    [Commands.showRequest]: async () => (await shownRequest().load()).show(),
    ...addCommands({ attachments: () => context().attachments, focusChat: () => chat().focus() }),
    [Commands.setApiKey]: () => apiKey.ask(),
    [Commands.signIn]: () => signIn().signIn(),
    [Commands.signOut]: () => signIn().signOut(),
    [Commands.selectModel]: async () => {
      const { pickModel } = await import('./models/model-picker.ts');
      const model = await pickModel((await session.state()).method);
      if (model !== undefined) await reportProblem(await session.modelPicked(model));
    },
    [Commands.setApprovalMode]: () => pickApprovalMode(session),
    [Commands.focusApproval]: (id) => questions().show(typeof id === 'string' ? id : undefined),
    [Commands.openPolicies]: async () => {
      const { openPolicies } = await import('./policy/policy-files.ts');
      await openPolicies(runtime, () => rulePages().load());
    },
    [Commands.tryCommand]: async () => (await rulePages().load()).tryCommand(),
    [Commands.tryRule]: async (file, line) => {
      const isPlace = typeof file === 'string' && typeof line === 'number';
      const pages = await rulePages().load();
      await (isPlace ? pages.tryRule({ file, line }) : pages.tryCommand());
    },
    [Commands.acceptPolicyFile]: async (file) => {
      const { acceptPolicyFile } = await import('./policy/policy-files.ts');
      await acceptPolicyFile(runtime, typeof file === 'string' ? file : undefined);
    },
    [Commands.newPolicyRule]: author(Commands.newPolicyRule),
    [Commands.newAgent]: author(Commands.newAgent),
    [Commands.newSkill]: author(Commands.newSkill),
    [Commands.newCommand]: author(Commands.newCommand),
    [Commands.writeRule]: author(Commands.writeRule),
    [Commands.reviewHooks]: () => hookReview().open(),
    [Commands.reviewMcpServers]: () => mcp().review(),
    [Commands.mcpServers]: () => mcp().open(),
    [Commands.reviewAgents]: () => agentReview().open(),
    [Commands.extensions]: async () => (await import('./extensions/extension-picker.ts')).pickExtensions(runtime),
    [Commands.serveAgent]: async () => (await serving().load()).serve(),
    [Commands.stopServing]: async () => (await serving().load()).stop(),
    [Commands.openSettings]: (setting) =>
      vscode.commands.executeCommand(
        BuiltIn.openSettings,
        setting === Settings.authMethod ? `@id:gantry.${Settings.authMethod}` : `@ext:${EXTENSION_ID}`,
      ),
    [Commands.showLog]: () => log.show(),
    ...actionCommands(actions, chatSessions, chat),
  };
  const registered = Object.entries(table).map(([name, run]) =>
    vscode.commands.registerCommand(name, (...args: unknown[]) => reporting(name, () => run(...args), log)),
  );
  return vscode.Disposable.from(...registered);
}

async function reporting(name: string, run: () => unknown, log: ChannelLogger): Promise<void> {
  try {
    await run();
  } catch (error) {
    await reportFailure(name, error, log);
  }
}
