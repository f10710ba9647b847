import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isModelName, KNOWN_MODELS } from '../../../model/catalog/model-names.ts';
import { APPROVAL_MODES, type ApprovalMode, isApprovalMode } from '../../../protocol/agent/approval-mode.ts';
import { confirmYolo } from '../../approvals/yolo.ts';
import { fileFolders } from '../../base/workspace.ts';
import { sandboxRows, sandboxWords } from '../../consent/sandbox-texts.ts';
import type { StoredSessions } from '../../library/stored-sessions.ts';
import { serverFile } from '../../mcp/server-texts.ts';
import { BuiltIn, type Command, Commands, EXTENSION_ID, Settings } from '../../names.ts';
import type { RuntimeLoader } from '../../runtime-loader.ts';
import type { PanelSession } from '../../session/panel-session.ts';
import { saveSetting, sendKey, VsCodeSettings } from '../../settings.ts';
import {
  type FilePlace,
  refusal,
  type SlashCommand,
  type SlashNotice,
  type SlashOutcome,
  type SlashSource,
} from '../../suggestions/slash-command.ts';
import { keyNames } from '../key-words.ts';
import { knowledgeCommands } from './knowledge-commands.ts';
import { foldersNotice, helpNotice, statsNotice, toolsNotice } from './notices.ts';
import { resumeCommand } from './saved-sessions.ts';
import { panelKeyRows, shortcutsNotice } from './shortcuts.ts';

export interface BuiltInParts {
  readonly session: PanelSession;
  readonly sessions: StoredSessions;
  readonly runtime: RuntimeLoader;
  readonly version: string;
  /** Returns false if the user cancels. */
  readonly signInToAgent: (name: string) => Promise<boolean>;
  /** All commands, for the help. */
  readonly all: () => ReadonlyMap<string, SlashCommand>;
}

/** Gantry's own commands. */
export function builtInCommands(parts: BuiltInParts): SlashSource {
  const commands = [...conversation(parts), ...modelAndMode(parts), ...knowledgeCommands(parts), ...aroundIt(parts)];
  return { prefix: 'gantry', commands: () => commands };
}

function conversation({ session, sessions, runtime }: BuiltInParts): readonly SlashCommand[] {
  return [
    {
      name: 'clear',
      aliases: ['new'],
      description: l10n.t('Start a new session'),
      whileRunning: true,
      run: through(Commands.newSession),
    },
    resumeCommand({ session, sessions }),
    {
      name: 'rewind',
      aliases: ['restore'],
      description: l10n.t('Go back to an earlier message'),
      run: through(Commands.rewind),
    },
    {
      name: 'compress',
      aliases: ['summarize', 'compact'],
      description: l10n.t('Replace earlier messages with a summary'),
      run: async () => refusedBy(await session.compress()),
    },
    {
      name: 'copy',
      hint: '[all]',
      description: l10n.t('Copy the last answer or the whole conversation as Markdown'),
      whileRunning: true,
      values: () => [{ value: 'all', detail: l10n.t('The whole conversation') }],
      run: (argument) => (argument === 'all' ? through(Commands.copyConversation)() : copyAnswer(session)),
    },
    {
      name: 'export',
      aliases: ['export-session', 'share'],
      description: l10n.t('Export this session to a file'),
      whileRunning: true,
      run: through(Commands.exportSession),
    },
    {
      name: 'stats',
      aliases: ['usage'],
      description: l10n.t('Show what this session has used'),
      whileRunning: true,
      run: async () => {
        const service = await runtime.load();
        const { id } = session;
        const none = { turns: 0, tokens: 0, cost: 0, milliseconds: 0 };
        const open = id !== undefined && service.isOpen(id) ? id : undefined;
        const use = open === undefined ? none : service.session(open).totals;
        const log = open === undefined ? undefined : service.library?.logFile(open);
        return { notice: statsNotice(use, await session.state(), service.telemetry.state, log) };
      },
    },
    {
      name: 'tasks',
      aliases: ['bg', 'background'],
      description: l10n.t('Show running commands and their terminals'),
      whileRunning: true,
      run: () => pickTask(session),
    },
  ];
}

function modelAndMode({ session }: BuiltInParts): readonly SlashCommand[] {
  return [
    {
      name: 'model',
      hint: '[name]',
      description: l10n.t('Choose the model'),
      whileRunning: true,
      values: () => [
        { value: 'auto', detail: l10n.t('Chooses for each message') },
        ...KNOWN_MODELS.map((model) => ({ value: model, detail: '' })),
      ],
      run: (argument) => (PICKS_MODEL.has(argument) ? through(Commands.selectModel)() : setModel(session, argument)),
    },
    {
      name: 'mode',
      hint: '[mode]',
      description: l10n.t('Choose what runs without asking'),
      whileRunning: true,
      values: () => APPROVAL_MODES.map((mode) => ({ value: mode, detail: modeWords(mode) })),
      run: (argument) => (argument === '' ? through(Commands.setApprovalMode)() : setMode(session, argument)),
    },
    {
      name: 'plan',
      hint: '[goal | copy]',
      description: l10n.t('Plan first, without changing anything'),
      values: () => [{ value: 'copy', detail: l10n.t('Copy the plan that you approved') }],
      run: async (argument) => {
        if (argument === 'copy') return copyPlan(session);
        const refused = await session.setApprovalMode('plan');
        if (refused) return { refused };
        return argument === '' ? undefined : { say: argument };
      },
    },
  ];
}

function aroundIt({ runtime, version, session, all }: BuiltInParts): readonly SlashCommand[] {
  return [
    {
      name: 'help',
      description: l10n.t('Show all commands and keys'),
      whileRunning: true,
      run: () => ({ notice: helpNotice(all(), panelKeyRows(keyNames(sendKey()))) }),
    },
    {
      name: 'shortcuts',
      aliases: ['keys'],
      description: l10n.t('Show all keyboard shortcuts'),
      whileRunning: true,
      run: () => {
        const { contributes } = vscode.extensions.getExtension(EXTENSION_ID)?.packageJSON ?? {};
        const manifest = { commands: [], keybindings: [], ...contributes };
        return { notice: shortcutsNotice(keyNames(sendKey()), manifest, process.platform) };
      },
    },
    {
      name: 'docs',
      description: l10n.t("Open Gantry's documentation"),
      whileRunning: true,
      run: () => {
        void vscode.commands.executeCommand(BuiltIn.openExtension, EXTENSION_ID);
        return undefined;
      },
    },
    {
      name: 'tools',
      description: l10n.t('List the tools that Gantry can use'),
      whileRunning: true,
      run: async () => {
        const service = await runtime.load();
        const definitionOf = (server: string) => service.mcp.statuses.find(({ name }) => name === server)?.definition;
        const filePlace = (server: string): FilePlace | undefined => {
          const definition = definitionOf(server);
          return definition && serverFile(definition).file;
        };
        return { notice: toolsNotice(service.listTools(), vscode.workspace.isTrusted, filePlace) };
      },
    },
    {
      name: 'about',
      description: l10n.t('Show version, model and connection'),
      whileRunning: true,
      run: async () => {
        const { model, method } = await session.state();
        const rows = [
          { name: 'Gantry', value: version },
          { name: 'VS Code', value: vscode.version },
          { name: l10n.t('Model'), value: model },
          ...(method === undefined ? [] : [{ name: l10n.t('Endpoint'), value: method }]),
          { name: l10n.t('Commands'), value: sandboxWords(await (await runtime.load()).sandbox.wanted()) },
          { name: l10n.t('Machine'), value: `${process.platform} ${process.arch}${remoteWords()}` },
        ];
        return { notice: { title: l10n.t('About'), rows } };
      },
    },
    {
      name: 'auth',
      hint: '[signin | signout | key]',
      description: l10n.t('Sign in, sign out, or set an API key'),
      whileRunning: true,
      values: () => [
        { value: 'signin', detail: l10n.t('With Google') },
        { value: 'signout', detail: l10n.t('Sign out of the account') },
        { value: 'key', detail: l10n.t('Set an API key') },
      ],
      run: (argument) =>
        AUTH[argument]?.() ??
        refusal(l10n.t('/auth has no subcommand "{0}"', argument), l10n.t('Use signin, signout or key.')),
    },
    {
      name: 'settings',
      description: l10n.t('Open the settings'),
      whileRunning: true,
      run: through(Commands.openSettings),
    },
    {
      name: 'permissions',
      aliases: ['trust'],
      description: l10n.t('Show what Gantry may do here, and how commands are confined'),
      whileRunning: true,
      run: async () => ({ notice: await permissionsNotice(session, runtime) }),
    },
    {
      name: 'directory',
      aliases: ['dir'],
      hint: '[add | show]',
      description: l10n.t('Add a folder to the workspace, or list its folders'),
      values: () => [
        { value: 'add', detail: l10n.t('Choose a folder to add') },
        { value: 'show', detail: l10n.t('The folders that Gantry works in') },
      ],
      run: (argument) =>
        DIRECTORY[argument]?.() ??
        refusal(l10n.t('/directory has no subcommand "{0}"', argument), l10n.t('Use add or show.')),
    },
    {
      name: 'theme',
      description: l10n.t("Choose VS Code's color theme"),
      whileRunning: true,
      run: through(BuiltIn.selectTheme),
    },
    { name: 'log', description: l10n.t('Show the log'), whileRunning: true, run: through(Commands.showLog) },
  ];
}

async function permissionsNotice(session: PanelSession, runtime: RuntimeLoader): Promise<SlashNotice> {
  const { isTrusted } = vscode.workspace;
  const service = await runtime.load();
  const { sandbox } = session.open?.commands ?? {};
  const rows = sandboxRows({
    support: await service.sandbox.wanted(),
    settings: new VsCodeSettings().sandbox(),
    roots: fileFolders().map(({ uri }) => uri.fsPath),
    session: { folders: sandbox?.opened('folder') ?? [], hosts: sandbox?.opened('host') ?? [] },
  });
  return {
    title: l10n.t('Permissions'),
    rows: [
      {
        name: l10n.t('Folder'),
        value: isTrusted ? l10n.t('trusted') : l10n.t("not trusted: Gantry only reads, and commands don't run"),
      },
      { name: l10n.t('Mode'), value: modeWords(session.approvalMode) },
      ...(isTrusted ? rows : []),
    ],
    actions: [
      { label: l10n.t('Manage Workspace Trust'), command: BuiltIn.manageTrust },
      { label: l10n.t('Open policies'), command: Commands.openPolicies },
      { label: l10n.t('Open the settings'), command: Commands.openSettings },
    ],
  };
}

/** These words open the picker, as they open a dialog in Gemini CLI. No model has such a name. */
const PICKS_MODEL: ReadonlySet<string> = new Set(['', 'manage', 'set']);

const AUTH: Readonly<Record<string, () => Promise<SlashOutcome>>> = {
  '': () => through(Commands.signIn)(),
  signin: () => through(Commands.signIn)(),
  login: () => through(Commands.signIn)(),
  signout: () => through(Commands.signOut)(),
  logout: () => through(Commands.signOut)(),
  key: () => through(Commands.setApiKey)(),
};

const DIRECTORY: Readonly<Record<string, () => Promise<SlashOutcome> | SlashOutcome>> = {
  '': () => through(BuiltIn.addFolder)(),
  add: () => through(BuiltIn.addFolder)(),
  show: () => ({ notice: foldersNotice(fileFolders(), vscode.workspace.isTrusted) }),
};

const modeWords = (mode: ApprovalMode): string =>
  ({
    default: l10n.t('Asks before edits and commands'),
    autoEdit: l10n.t('Applies edits, and you review them afterwards. Commands require approval'),
    plan: l10n.t('Reads and plans. Changes nothing'),
    yolo: l10n.t('Almost never asks until this session ends'),
  })[mode];

/** Runs a command of the window, which reports its own problems. Does not wait for the pickers of the command. */
function through(command: Command | (typeof BuiltIn)[keyof typeof BuiltIn]): () => Promise<undefined> {
  return async () => {
    void vscode.commands.executeCommand(command);
    return undefined;
  };
}

function refusedBy(refused: Awaited<ReturnType<PanelSession['compress']>>): SlashOutcome {
  return refused && { refused };
}

async function copyAnswer({ entries }: PanelSession): Promise<SlashOutcome> {
  const answer = entries.findLast((entry) => entry.kind === 'answer' && entry.text !== '');
  if (answer?.kind !== 'answer')
    return refusal(l10n.t('There is nothing to copy'), l10n.t('There is no answer in this session yet.'));
  await vscode.env.clipboard.writeText(answer.text);
  return { notice: { title: l10n.t('The last answer was copied'), rows: [] } };
}

async function copyPlan({ approvedPlan }: PanelSession): Promise<SlashOutcome> {
  if (approvedPlan === undefined)
    return refusal(l10n.t('There is nothing to copy'), l10n.t('You have not approved a plan in this session.'));
  await vscode.env.clipboard.writeText(approvedPlan);
  return { notice: { title: l10n.t('The approved plan was copied'), rows: [] } };
}

async function setModel(session: PanelSession, argument: string): Promise<SlashOutcome> {
  const name = argument.replace(/^set\s+/, '').replace(/\s+--persist$/, '');
  if (!isModelName(name))
    return refusal(
      l10n.t('"{0}" is not a model name', name),
      l10n.t('Use a name such as auto or {0}.', KNOWN_MODELS[0] ?? ''),
    );
  await saveSetting(Settings.modelName, name);
  return refusedBy(await session.modelPicked(name));
}

async function setMode(session: PanelSession, argument: string): Promise<SlashOutcome> {
  const mode = APPROVAL_MODES.find((known) => known.toLowerCase() === argument.toLowerCase());
  if (!isApprovalMode(mode))
    return refusal(l10n.t('There is no mode "{0}"', argument), l10n.t('Use {0}.', APPROVAL_MODES.join(', ')));
  if (!vscode.workspace.isTrusted && mode !== 'default' && mode !== 'plan') {
    return refusal(
      l10n.t('{0} needs a trusted folder', mode),
      l10n.t('This folder is not trusted: Gantry only reads, in every mode.'),
    );
  }
  if (mode === 'yolo' && !(await confirmYolo())) return undefined;
  return refusedBy(await session.setApprovalMode(mode));
}

/** Shows the commands of this session that are still running. */
async function pickTask(session: PanelSession): Promise<SlashOutcome> {
  const running = session.entries.flatMap((entry) =>
    entry.kind === 'tool' && entry.command && ['running', 'waiting', 'background'].includes(entry.command.state)
      ? [{ label: entry.subject, description: stateWords(entry.command.state), id: entry.id }]
      : [],
  );
  if (running.length === 0) return { notice: { title: l10n.t('No command of this session is running'), rows: [] } };
  const picked = await vscode.window.showQuickPick(running, { title: l10n.t('Gantry: Running Commands') });
  if (picked) session.openTerminal(picked.id);
  return undefined;
}

function stateWords(state: string): string {
  if (state === 'waiting') return l10n.t('waiting for input');
  return state === 'background' ? l10n.t('in background') : l10n.t('running');
}

function remoteWords(): string {
  return vscode.env.remoteName === undefined ? '' : `, ${vscode.env.remoteName}`;
}
