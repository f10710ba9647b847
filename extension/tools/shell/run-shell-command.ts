import { stat } from 'node:fs/promises';
import * as z from 'zod';
import { errorText } from '../../base/errors.ts';
import { once } from '../../base/once.ts';
import { guardPath } from '../../files/path-guard.ts';
import type { Alarm } from '../../ports/clock.ts';
import type { Confinement, ShellPort } from '../../ports/shell.ts';
import { type ProposeOutcome, type Tool, type ToolContext, type ToolResult, toolError } from '../../ports/tool.ts';
import type { ProcessTable } from '../../processes/shell/process-table.ts';
import { RunningCommand } from '../../processes/shell/running-command.ts';
import { didYouMean } from '../files/similar-paths.ts';
import { ERROR_OF_REFUSAL } from '../files/tool-path.ts';
import { backgroundResult, endedResult, type MovedBy } from './command-result.ts';
import { type ReadyServer, watchCommand } from './command-watch.ts';
import { showLive } from './live-output.ts';
import text from './run-shell-command.md';
import { commandLabel } from './visible-text.ts';
import { waitForCommand } from './wait-for-command.ts';

/** Confines commands with the operating system. */
export interface CommandSandbox {
  /** Whether commands run in the sandbox, as far as known. */
  readonly isOn: boolean;
  /** Confines one command. Undefined if it runs unconfined. Rejects if it must not run at all. */
  confine(outside: boolean): Promise<Confinement | undefined>;
}

/** A command that is about to run. */
export interface StartingCommand {
  readonly callId: string;
  readonly command: string;
  /** Absent if only rules allowed it. */
  readonly byPerson?: ToolContext['byPerson'];
}

/** Compares protected files before and after commands. */
export interface ProtectedFiles {
  before(command: StartingCommand): Promise<ComparedFiles>;
}

export interface ComparedFiles {
  /** A note for the model about protected files that changed in the meantime. The user has already been notified. */
  after(): Promise<string | undefined>;
  /** For a command that continues in the background. The model is informed in another way. */
  later(end: Promise<unknown>): void;
}

export interface ShellToolParts {
  readonly shell: ShellPort;
  readonly sandbox?: CommandSandbox;
  readonly protectedFiles?: ProtectedFiles;
  readonly processes: ProcessTable;
  /** Called for every command right after its start. */
  readonly commandStarted?: (callId: string, command: RunningCommand) => void;
  /** Whether there is a terminal that the user can type in. */
  readonly canBeAnswered?: boolean;
  /** How long a command may write nothing. 300 s by default, as in Gemini CLI. 0 or less means no limit. */
  readonly inactivityMs?: number;
  /** Defaults to real time. */
  readonly alarm?: Alarm;
}

const DEFAULT_INACTIVITY_MS = 300_000;
const DEFAULT_DELAY_MS = 200;
const MAX_DELAY_MS = 60_000;
const MAX_TIMEOUT_MS = 24 * 60 * 60 * 1000;
/** Linux's limit for one argument, in characters of up to four bytes. Longer scripts belong in a file. */
const MAX_COMMAND_CHARS = 32_000;

const schema = once(() =>
  z.strictObject({
    command: z
      .string()
      .max(MAX_COMMAND_CHARS)
      .refine((command) => command.trim() !== '', 'command must not be empty')
      .refine((command) => !command.includes('\0'), 'command must not contain NUL')
      .describe('The exact command line.'),
    description: z.string().optional().describe('What the command is for, in a few words for the user.'),
    dir_path: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Folder to run it in, relative to the workspace folder or absolute. Default: the first workspace folder.',
      ),
    is_background: z
      .boolean()
      .optional()
      .describe('Start it and let it run on, such as a server or a watcher. Default: false.'),
    delay_ms: z
      .int()
      .min(0)
      .max(MAX_DELAY_MS)
      .optional()
      .describe(`With is_background: how long to wait for its first output. Default: ${DEFAULT_DELAY_MS}.`),
    outside_sandbox: z
      .boolean()
      .optional()
      .describe(
        'Only if commands run in a sandbox: run it outside, after the user approves. For a host that the sandbox blocks, a port ' +
          'that others use, or files outside the workspace. Set it after a call failed inside, not at once.',
      ),
    timeout_ms: z
      .int()
      .min(1)
      .max(MAX_TIMEOUT_MS)
      .optional()
      .describe('End it after this time. By default it ends after 5 minutes without output.'),
  }),
);

type Arguments = z.infer<ReturnType<typeof schema>>;

const SHELL = process.platform === 'win32' ? 'PowerShell' : 'bash';

export function createRunShellCommandTool(parts: ShellToolParts): Tool<ReturnType<typeof schema>> {
  return {
    name: 'run_shell_command',
    displayName: 'Shell',
    kind: 'execute',
    description: `Runs a command with ${SHELL} in its own terminal. ${text.trim()}`,
    get schema() {
      return schema();
    },
    longOutput: true,
    mayPlan: () => parts.sandbox?.isOn ?? false,
    isWaiting: ({ command }) => typeof command === 'string' && SLEEPS.test(command),
    describe: ({ command }) => (typeof command === 'string' ? commandLabel(command) : ''),
    touches: ({ dir_path }) => (dir_path === undefined ? [] : [{ path: dir_path, access: 'read' }]),
    propose: (args, context) => propose(args, context, parts),
    execute: (args, context) => execute(args, context, parts),
  };
}

/** A command that waits before it checks again. */
const SLEEPS = /(?:^|[;&|(]\s*)(?:sleep|Start-Sleep)\s/;

async function propose(
  { command, description, dir_path, outside_sandbox }: Arguments,
  context: ToolContext,
  { sandbox }: ShellToolParts,
): Promise<ProposeOutcome> {
  const found = await commandFolder(dir_path, context);
  if ('failed' in found) return found;
  const details = {
    type: 'exec' as const,
    command,
    folder: found.folder,
    ...(description && { reason: description }),
    ...(sandbox?.isOn && { sandbox: outside_sandbox === true ? ('outside' as const) : ('inside' as const) }),
  };
  return { proposal: { kind: 'details', details } };
}

async function execute(args: Arguments, context: ToolContext, parts: ShellToolParts): Promise<ToolResult> {
  const found = await commandFolder(args.dir_path, context);
  const result = 'failed' in found ? found.failed : await runIn(found.folder, args, context, parts);
  const display = { name: 'Shell', description: commandLabel(args.command), ...result.display };
  return { ...result, display };
}

/** Runs only in the folder that the card showed, because a link may lead elsewhere by now. */
async function runIn(
  folder: string,
  args: Arguments,
  context: ToolContext,
  parts: ShellToolParts,
): Promise<ToolResult> {
  const proposal = context.approved?.proposal;
  const shown = proposal?.kind === 'details' && proposal.details.type === 'exec' ? proposal.details.folder : folder;
  if (shown === folder) return run(args, folder, context, parts);
  return toolError('execution_failed', `Nothing was run: the folder is ${folder} by now, and the user saw ${shown}.`);
}

async function run(args: Arguments, folder: string, context: ToolContext, parts: ShellToolParts): Promise<ToolResult> {
  if (context.signal.aborted) return toolError('cancelled', 'The command was cancelled before it was started.');
  const { inactivityMs = DEFAULT_INACTIVITY_MS, shell, processes, commandStarted, canBeAnswered = false } = parts;
  const { timeout_ms: timeoutMs } = args;
  const confined = await confine(args, context, parts);
  if ('failed' in confined) return confined.failed;
  const { confinement } = confined;
  const { judged: line = args.command, callId, byPerson } = context;
  const compared = await parts.protectedFiles?.before({ callId, command: args.command, byPerson });
  const command = new RunningCommand(shell.start(line, { folder, confinement }), args.command, folder, {
    confinement: confinement?.kind,
  });
  commandStarted?.(context.callId, command);
  const live = showLive(command, context.update);
  const moved = movedToBackground(args, context.callId, command, processes);
  let isWaiting = false;
  const onWaiting = (waiting: boolean): void => {
    isWaiting = waiting;
    live.setWaiting(waiting);
  };
  const stopWatching = watchCommand(command, { onWaiting, onServer: moved.asServer }, parts.alarm);
  try {
    const outcome = await waitForCommand(command, {
      signal: context.signal,
      inactivityMs,
      waitsForUser: () => canBeAnswered && isWaiting,
      timeoutMs,
      moved: moved.promise,
      alarm: parts.alarm,
    });
    live.stop();
    if (outcome === 'moved_to_background') {
      processes.adopt(command, context.callId);
      compared?.later(command.ended);
      return await backgroundResult(command, moved.by());
    }
    const protectedFact = await compared?.after();
    const failure = command.exit?.failure;
    if (failure) return toolError('shell_execute_error', `The command could not be started: ${failure}`);
    const roots = context.workspace.roots();
    return await endedResult({ command, confinement, outcome, inactivityMs, timeoutMs, protectedFact, roots });
  } finally {
    live.stop();
    stopWatching();
    moved.dispose();
  }
}

async function confine(
  { outside_sandbox }: Arguments,
  { onlyConfined }: ToolContext,
  { sandbox }: ShellToolParts,
): Promise<{ readonly confinement: Confinement | undefined } | { readonly failed: ToolResult }> {
  try {
    const confinement = await sandbox?.confine(outside_sandbox === true);
    if (onlyConfined && !confinement) throw new Error('It was allowed for the sandbox only, which is off by now.');
    return { confinement };
  } catch (error) {
    return {
      failed: toolError('shell_execute_error', `Nothing was run, because it cannot be confined. ${messageOf(error)}`),
    };
  }
}

function messageOf(error: unknown): string {
  return errorText(error);
}

interface Move {
  readonly promise: Promise<void>;
  readonly by: () => MovedBy;
  readonly asServer: (server: ReadyServer) => void;
  dispose(): void;
}

/** When the agent continues: after the delay with `is_background`, when the user asks, or when a server is ready. */
function movedToBackground(
  { is_background, delay_ms = DEFAULT_DELAY_MS }: Arguments,
  callId: string,
  command: RunningCommand,
  processes: ProcessTable,
): Move {
  let timer: NodeJS.Timeout | undefined;
  let remove = (): void => undefined;
  let move = (): void => undefined;
  let by: MovedBy = { who: is_background ? 'model' : 'user' };
  const promise = new Promise<void>((resolve) => {
    move = resolve;
    remove = processes.foreground.add(callId, command, resolve);
    if (is_background) timer = setTimeout(resolve, delay_ms);
  });
  return {
    promise,
    by: () => by,
    asServer: ({ url }) => {
      if (!is_background) by = { who: 'server', url };
      move();
    },
    dispose: () => {
      clearTimeout(timer);
      remove();
    },
  };
}

/** The real folder in which a command runs: the first open folder unless another is named. Plans are not in one. */
async function commandFolder(
  path: string | undefined,
  context: ToolContext,
): Promise<{ readonly folder: string } | { readonly failed: ToolResult }> {
  const { workspace, session } = context;
  const roots = workspace.roots().filter((root) => root !== session.plansFolder);
  const guarded = await guardPath(path ?? roots[0] ?? '.', roots);
  if (!guarded.allowed) return { failed: toolError(ERROR_OF_REFUSAL[guarded.reason], guarded.message) };
  const stats = await stat(guarded.path).catch(() => undefined);
  if (!stats) {
    const meant = await didYouMean(guarded, context, 'folder');
    const message = `There is no folder "${path}". ${meant || 'Leave dir_path out to use the workspace folder.'}`;
    return { failed: toolError('file_not_found', message) };
  }
  if (!stats.isDirectory())
    return {
      failed: toolError(
        'path_is_not_a_directory',
        `"${path}" is a file, not a folder. Give the folder to run the command in.`,
      ),
    };
  return { folder: guarded.path };
}
