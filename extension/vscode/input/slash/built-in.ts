import * as vscode from 'vscode';
import { isModelName, KNOWN_MODELS } from '../../../model/model-choice.ts';
import { APPROVAL_MODES, isApprovalMode } from '../../../protocol/approval-mode.ts';
import { confirmYolo } from '../../approvals/yolo.ts';
import { BuiltIn, type Command, Commands, Settings } from '../../names.ts';
import type { PanelSession } from '../../panel-session.ts';
import type { RuntimeLoader } from '../../runtime-loader.ts';
import { saveSetting, sendKey } from '../../settings.ts';
import { keyWords } from '../key-words.ts';
import { helpNotice, inputKeys, statsNotice, toolsNotice } from './notices.ts';
import { refusal, type SlashCommand, type SlashOutcome, type SlashSource } from './slash-command.ts';

export interface BuiltInParts {
  readonly session: PanelSession;
  readonly runtime: RuntimeLoader;
  readonly version: string;
  /** All commands, for the help. */
  readonly all: () => ReadonlyMap<string, SlashCommand>;
}

/** The commands that Gantry itself has. */
export function builtInCommands(parts: BuiltInParts): SlashSource {
  const commands = [...conversation(parts), ...modelAndMode(parts), ...aroundIt(parts)];
  return { prefix: 'gantry', commands: () => commands };
}

function conversation({ session, runtime }: BuiltInParts): readonly SlashCommand[] {
  return [
    {
      name: 'clear',
      aliases: ['new'],
      description: 'Begin a new session',
      whileRunning: true,
      run: through(Commands.newSession),
    },
    {
      name: 'resume',
      aliases: ['chat', 'sessions'],
      description: 'Open another session',
      whileRunning: true,
      run: through(Commands.resumeSession),
    },
    { name: 'rewind', description: 'Go back to an earlier message', run: through(Commands.rewind) },
    {
      name: 'compress',
      aliases: ['summarize', 'compact'],
      description: 'Have a summary stand for what was said so far',
      run: async () => refusedBy(await session.compress()),
    },
    {
      name: 'copy',
      hint: '[all]',
      description: 'Copy the last answer, or all of the conversation, as Markdown',
      whileRunning: true,
      values: () => [{ value: 'all', detail: 'The whole conversation' }],
      run: (argument) => (argument === 'all' ? through(Commands.copyConversation)() : copyAnswer(session)),
    },
    {
      name: 'export',
      aliases: ['export-session', 'share'],
      description: 'Write this session into a file',
      whileRunning: true,
      run: through(Commands.exportSession),
    },
    {
      name: 'stats',
      aliases: ['usage'],
      description: 'What this session has used',
      whileRunning: true,
      run: async () => {
        const service = await runtime.load();
        const { id } = session;
        const none = { turns: 0, tokens: 0, cost: 0, milliseconds: 0 };
        const use = id !== undefined && service.isOpen(id) ? service.totalsOf(id) : none;
        return { notice: statsNotice(use, await session.state()) };
      },
    },
    {
      name: 'tasks',
      aliases: ['bg', 'background'],
      description: 'Commands that run, and their terminals',
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
      description: 'Choose the model',
      whileRunning: true,
      values: () => [
        { value: 'auto', detail: 'Chooses for each message' },
        ...KNOWN_MODELS.map((model) => ({ value: model, detail: '' })),
      ],
      run: (argument) => (argument === '' ? through(Commands.selectModel)() : setModel(session, argument)),
    },
    {
      name: 'mode',
      hint: '[mode]',
      description: 'How much runs without a question',
      whileRunning: true,
      values: () => APPROVAL_MODES.map((mode) => ({ value: mode, detail: MODE_WORDS[mode] })),
      run: (argument) => (argument === '' ? through(Commands.setApprovalMode)() : setMode(session, argument)),
    },
    {
      name: 'plan',
      hint: '[goal]',
      description: 'Plan first, change nothing',
      run: async (argument) => {
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
      aliases: ['shortcuts'],
      description: 'All commands and keys',
      whileRunning: true,
      run: () => ({ notice: helpNotice(all(), inputKeys(...keyWords(sendKey()))) }),
    },
    {
      name: 'tools',
      description: 'What Gantry can do',
      whileRunning: true,
      run: async () => ({
        notice: toolsNotice((await runtime.load()).listTools(), vscode.workspace.isTrusted),
      }),
    },
    {
      name: 'about',
      description: 'Version, model and how you are signed in',
      whileRunning: true,
      run: async () => {
        const { model, method } = await session.state();
        const rows = [
          { name: 'Gantry', value: version },
          { name: 'VS Code', value: vscode.version },
          { name: 'Model', value: model },
          ...(method === undefined ? [] : [{ name: 'Asked at', value: method }]),
          { name: 'Machine', value: `${process.platform} ${process.arch}${remoteWords()}` },
        ];
        return { notice: { title: 'About', rows } };
      },
    },
    {
      name: 'auth',
      hint: '[signin | signout | key]',
      description: 'Sign in, sign out, or set an API key',
      whileRunning: true,
      values: () => [
        { value: 'signin', detail: 'With Google' },
        { value: 'signout', detail: 'Forget the account' },
        { value: 'key', detail: 'Set an API key' },
      ],
      run: (argument) => AUTH[argument]?.() ?? refusal(`/auth knows no "${argument}"`, 'Use signin, signout or key.'),
    },
    { name: 'settings', description: 'Open the settings', whileRunning: true, run: through(Commands.openSettings) },
    { name: 'policies', description: 'What may run', whileRunning: true, run: through(Commands.openPolicies) },
    { name: 'hooks', description: 'Review hooks', whileRunning: true, run: through(Commands.reviewHooks) },
    {
      name: 'permissions',
      aliases: ['trust'],
      description: 'Manage Workspace Trust',
      whileRunning: true,
      run: through(BuiltIn.manageTrust),
    },
    {
      name: 'directory',
      aliases: ['dir'],
      description: 'Add a folder to the workspace',
      run: through(BuiltIn.addFolder),
    },
    { name: 'log', description: 'Show the log', whileRunning: true, run: through(Commands.showLog) },
  ];
}

const AUTH: Readonly<Record<string, () => Promise<SlashOutcome>>> = {
  '': () => through(Commands.signIn)(),
  signin: () => through(Commands.signIn)(),
  login: () => through(Commands.signIn)(),
  signout: () => through(Commands.signOut)(),
  logout: () => through(Commands.signOut)(),
  key: () => through(Commands.setApiKey)(),
};

const MODE_WORDS = {
  default: 'Asks before edits and commands',
  autoEdit: 'Applies edits, you review after. Commands ask',
  plan: 'Reads and plans. Changes nothing',
  yolo: 'Never asks. Until this session ends',
} as const;

/** By a command of the window, which reports its own problems. Nobody waits for its pickers. */
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
  if (answer?.kind !== 'answer') return refusal('There is nothing to copy', 'There is no answer in this session yet.');
  await vscode.env.clipboard.writeText(answer.text);
  return { notice: { title: 'The last answer was copied', rows: [] } };
}

async function setModel(session: PanelSession, argument: string): Promise<SlashOutcome> {
  const name = argument.replace(/^set\s+/, '').replace(/\s+--persist$/, '');
  if (!isModelName(name)) return refusal(`"${name}" is no name of a model`, `Such as auto or ${KNOWN_MODELS[0]}.`);
  await saveSetting(Settings.modelName, name);
  return refusedBy(await session.modelPicked(name));
}

async function setMode(session: PanelSession, argument: string): Promise<SlashOutcome> {
  const mode = APPROVAL_MODES.find((known) => known.toLowerCase() === argument.toLowerCase());
  if (!isApprovalMode(mode)) return refusal(`There is no mode "${argument}"`, `Use ${APPROVAL_MODES.join(', ')}.`);
  if (!vscode.workspace.isTrusted && mode !== 'default' && mode !== 'plan') {
    return refusal(`${mode} needs a trusted folder`, 'This folder is not trusted: Gantry only reads, in every mode.');
  }
  if (mode === 'yolo' && !(await confirmYolo())) return undefined;
  return refusedBy(await session.setApprovalMode(mode));
}

/** Commands of this session that have not ended. */
async function pickTask(session: PanelSession): Promise<SlashOutcome> {
  const running = session.entries.flatMap((entry) =>
    entry.kind === 'tool' && entry.command && ['running', 'waiting', 'background'].includes(entry.command.state)
      ? [{ label: entry.subject, description: STATE_WORDS[entry.command.state] ?? '', id: entry.id }]
      : [],
  );
  if (running.length === 0) return { notice: { title: 'No command of this session is running', rows: [] } };
  const picked = await vscode.window.showQuickPick(running, { title: 'Gantry: Commands that run' });
  if (picked) session.openTerminal(picked.id);
  return undefined;
}

const STATE_WORDS: Readonly<Record<string, string>> = {
  running: 'running',
  waiting: 'waiting for input',
  background: 'in background',
};

function remoteWords(): string {
  return vscode.env.remoteName === undefined ? '' : `, ${vscode.env.remoteName}`;
}
