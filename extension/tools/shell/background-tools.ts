import { setTimeout as delay } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { once } from '../../base/once.ts';
import { type Tool, type ToolContext, type ToolResult, toolError } from '../../ports/tool.ts';
import type { BackgroundProcess, ProcessTable } from '../../processes/shell/process-table.ts';
import { asUntrusted } from '../../text/untrusted.ts';
import { outputSection } from './command-result.ts';
import { spellOutInvisible } from './visible-text.ts';

const DEFAULT_LINES = 100;
const MAX_LINES = 10_000;
const MAX_DELAY_MS = 60_000;
const MAX_COMMAND_CHARS = 200;

const pidField = once(() => z.int().min(1).describe('Process ID from run_shell_command or list_background_processes.'));
const listSchema = once(() => z.strictObject({}));
const stopSchema = once(() => z.strictObject({ pid: pidField() }));
const readSchema = once(() =>
  z.strictObject({
    pid: pidField(),
    lines: z
      .int()
      .min(1)
      .max(MAX_LINES)
      .optional()
      .describe(`Number of lines from the end. Default: ${DEFAULT_LINES}.`),
    delay_ms: z
      .int()
      .min(0)
      .max(MAX_DELAY_MS)
      .optional()
      .describe('How long to wait before reading, in milliseconds. Default: 0.'),
  }),
);

export function createListBackgroundProcessesTool(processes: ProcessTable): Tool<ReturnType<typeof listSchema>> {
  return {
    name: 'list_background_processes',
    displayName: 'BackgroundProcesses',
    kind: 'read',
    description:
      'Lists the background commands of this session: those that run and those that have ended, with their process IDs.',
    get schema() {
      return listSchema();
    },
    isWaiting: (_, { data }) => data?.['running'] !== 0,
    describe: () => '',
    execute: () => {
      const all = processes.list();
      const running = all.filter(({ exit }) => exit === undefined).length;
      const content = all.length === 0 ? 'There are no background processes.' : asUntrusted(all.map(lineOf).join('\n'));
      return Promise.resolve({
        content,
        display: { name: 'BackgroundProcesses', resultSummary: l10n.t('{0} running', running) },
        data: { running, total: all.length },
      });
    },
  };
}

export function createReadBackgroundOutputTool(processes: ProcessTable): Tool<ReturnType<typeof readSchema>> {
  return {
    name: 'read_background_output',
    displayName: 'BackgroundOutput',
    kind: 'read',
    description:
      'Returns the last lines of output of a background process of this session. To wait for more output, set delay_ms instead of calling it again and again.',
    get schema() {
      return readSchema();
    },
    longOutput: true,
    isWaiting: (_, { data }) => data?.['exitCode'] === null && data['signal'] === null,
    describe: (args) => describePid(args['pid'], processes),
    execute: (args, context) => readOutput(args, context, processes),
  };
}

export function createStopBackgroundProcessTool(processes: ProcessTable): Tool<ReturnType<typeof stopSchema>> {
  return {
    name: 'stop_background_process',
    displayName: 'StopProcess',
    // It can only end commands that this session was allowed to start.
    kind: 'other',
    description:
      'Ends a background process of this session and the processes that it started. Stop what you started and no longer need.',
    get schema() {
      return stopSchema();
    },
    describe: (args) => describePid(args['pid'], processes),
    execute: (args) => stopProcess(args.pid, processes),
  };
}

async function readOutput(
  args: z.infer<ReturnType<typeof readSchema>>,
  { signal }: ToolContext,
  processes: ProcessTable,
): Promise<ToolResult> {
  if (!processes.get(args.pid)) return unknownPid(args.pid);
  // An abort ends the wait; the check below reports it.
  await delay(args.delay_ms ?? 0, undefined, { signal }).catch(() => undefined);
  if (signal.aborted) return toolError('cancelled', 'Reading the output was cancelled. The process goes on.');
  const text = await processes.read(args.pid, args.lines ?? DEFAULT_LINES);
  const found = processes.get(args.pid);
  if (text === undefined || !found) return unknownPid(args.pid);
  const log = found.logFile === undefined ? [] : [`Whole output: ${found.logFile}`];
  return {
    content: [`Status: ${statusOf(found)}`, outputSection(text), ...log].join('\n'),
    display: {
      name: 'BackgroundOutput',
      description: describePid(args.pid, processes),
      resultSummary: shownStatus(found),
      result: { type: 'text', text },
    },
    data: exitData(found),
  };
}

async function stopProcess(id: number, processes: ProcessTable): Promise<ToolResult> {
  const before = processes.get(id);
  if (!before) return unknownPid(id);
  const description = describePid(id, processes);
  await processes.stop(id);
  const after = processes.get(id) ?? before;
  const outcome = before.exit ? 'It had ended already' : after.exit ? 'It was stopped' : 'It did not end';
  return {
    content: `${outcome}. Status: ${statusOf(after)}`,
    display: { name: 'StopProcess', description, resultSummary: shownStatus(after) },
    data: exitData(after),
  };
}

function unknownPid(id: number): ToolResult {
  const message = `There is no background process ${id} in this session. list_background_processes names those there are.`;
  return toolError('invalid_tool_params', message);
}

function exitData({ pid: id, exit }: BackgroundProcess): Readonly<Record<string, unknown>> {
  return { pid: id, exitCode: exit?.exitCode ?? null, signal: exit?.signal ?? null };
}

function describePid(value: unknown, processes: ProcessTable): string {
  if (typeof value !== 'number') return '';
  const found = processes.get(value);
  return found ? `${value}: ${shortCommand(found)}` : String(value);
}

function lineOf(entry: BackgroundProcess): string {
  const ended = entry.endedAt === undefined ? '' : `, ended ${new Date(entry.endedAt).toISOString()}`;
  const started = new Date(entry.startedAt).toISOString();
  return `PID ${entry.pid}: ${statusOf(entry)}, started ${started}${ended}, command: ${shortCommand(entry)}`;
}

function shortCommand({ command }: BackgroundProcess): string {
  const line = spellOutInvisible(command.trim()).replace(/\s+/g, ' ');
  return line.length > MAX_COMMAND_CHARS ? `${line.slice(0, MAX_COMMAND_CHARS)} …` : line;
}

function shownStatus({ exit }: BackgroundProcess): string {
  if (!exit) return l10n.t('running');
  return exit.signal ? l10n.t('ended by {0}', exit.signal) : l10n.t('exit {0}', exit.exitCode ?? '');
}

function statusOf({ exit }: BackgroundProcess): string {
  if (!exit) return 'running';
  return exit.signal ? `ended by ${exit.signal}` : `exit ${exit.exitCode}`;
}
