import * as l10n from '@vscode/l10n';
import type { Confinement } from '../../ports/shell.ts';
import type { ToolResult } from '../../ports/tool.ts';
import type { RunningCommand, StoppedBy } from '../../processes/shell/running-command.ts';
import { terminalText } from '../../processes/shell/terminal-text.ts';
import { cutLongOutput } from '../../text/long-output.ts';
import { asUntrusted } from '../../text/untrusted.ts';
import { sandboxBlock, sandboxFact } from './blocked-by-sandbox.ts';
import { binaryNotice, isBinary, terminalDisplay } from './live-output.ts';
import { missingProgramFact } from './missing-program.ts';
import { withoutInvisible } from './visible-text.ts';
import type { WaitOutcome } from './wait-for-command.ts';

/** The message of an error isn't cut elsewhere. */
const MAX_ERROR_OUTPUT_CHARS = 20_000;

export interface EndedRun {
  readonly command: RunningCommand;
  readonly confinement?: Confinement | undefined;
  readonly outcome: Exclude<WaitOutcome, 'moved_to_background'>;
  readonly inactivityMs: number;
  readonly timeoutMs: number | undefined;
  /** Says which protected files the command changed without approval. */
  readonly protectedFact?: string | undefined;
  /** The workspace folders. */
  readonly roots: readonly string[];
}

/** The result of a command that has ended, by itself or because it was stopped, for the model and people. */
export async function endedResult(run: EndedRun): Promise<ToolResult> {
  const { command, confinement, outcome, protectedFact } = run;
  const { exit } = command;
  const changed = protectedFact === undefined ? [] : [protectedFact];
  const output = await outputText(command);
  const inside = confinement && { output, folder: command.folder, failed: exit?.exitCode !== 0, confinement };
  const blocked = inside && (await sandboxBlock(inside));
  const result = {
    display: { resultSummary: summaryOf(outcome, command), result: terminalDisplay(command) },
    data: {
      exitCode: exit?.exitCode ?? null,
      signal: exit?.signal ?? null,
      pid: command.pid,
      ...(blocked && { blocked }),
    },
  };
  if (outcome === 'cancelled') {
    const partial = outputSection(cutLongOutput(output, { threshold: MAX_ERROR_OUTPUT_CHARS, file: undefined }));
    const was = 'The command was cancelled and its processes were ended. What it did until then stays done.';
    const message = [was, ...changed, partial].join('\n');
    return { ...result, content: '', error: { type: 'cancelled', message } };
  }
  const sandbox = inside && sandboxFact(inside);
  const missing = await missingProgramFact({
    command: command.command,
    output,
    exitCode: exit?.exitCode,
    folder: command.folder,
    roots: run.roots,
    path: process.env['PATH'],
  });
  const further = [missing, sandbox].filter((fact) => fact !== undefined);
  const facts = [outputSection(output), ...factsOf(run), ...further, ...changed];
  return { ...result, content: facts.join('\n') };
}

/** Why the agent continues without the command. */
export type MovedBy =
  | { readonly who: 'model' | 'user' }
  /** The command is a server that is ready. `url` is its address if its output named one. */
  | { readonly who: 'server'; readonly url: string | undefined };

/** The result of a command that continues in the background. */
export async function backgroundResult(command: RunningCommand, by: MovedBy): Promise<ToolResult> {
  const content = [
    `${whereItGoesOn(by)} as process ${command.pid}. Use read_background_output with this pid to see what it writes and stop_background_process to end it.`,
    outputSection(await outputText(command)),
    `Process Group: ${command.pid}`,
    ...(command.confinement ? ['Sandbox: its ports can be reached by commands in the sandbox, not by the user.'] : []),
  ].join('\n');
  return {
    content,
    display: { resultSummary: 'in background', result: terminalDisplay(command) },
    data: { exitCode: null, signal: null, pid: command.pid, background: true },
  };
}

function whereItGoesOn(by: MovedBy): string {
  switch (by.who) {
    case 'model':
      return 'It runs in the background';
    case 'user':
      return 'The user moved the command to the background. It goes on there';
    case 'server':
      return `It has come up and keeps running${by.url ? ` (${by.url})` : ''}, so it was moved to the background. It goes on there`;
  }
}

async function outputText({ output }: RunningCommand): Promise<string> {
  return isBinary(output) ? binaryNotice(output) : terminalText(output.read());
}

/** Marks only the output as untrusted. Gantry's own text is outside of the mark, so the output can't imitate it. */
export function outputSection(output: string): string {
  const { text, removed } = withoutInvisible(output);
  const note = removed === 0 ? '' : `\n(${removed} invisible characters were removed from the output.)`;
  return `Output:${text === '' ? ' (empty)' : `\n${asUntrusted(text)}`}${note}`;
}

function factsOf({ command: { pid, exit, stoppedBy }, outcome, inactivityMs, timeoutMs }: EndedRun): string[] {
  const left = exit?.leftRunning ?? [];
  return [
    ...(stoppedBy ? [stoppedFact(stoppedBy)] : []),
    ...(outcome === 'inactive' ? [`Error: ${inactiveMessage(inactivityMs)}`] : []),
    ...(outcome === 'timed_out' ? [`Error: It was ended after ${seconds(timeoutMs ?? 0)}, as timeout_ms said.`] : []),
    ...(exit?.exitCode ? [`Exit Code: ${exit.exitCode}`] : []),
    ...(exit?.signal ? [`Signal: ${exit.signal}`] : []),
    ...(left.length > 0 ? [`Background PIDs: ${left.join(', ')}`] : []),
    `Process Group: ${pid}`,
  ];
}

export function stoppedFact(by: StoppedBy): string {
  const how = by === 'closing' ? 'The user closed its terminal' : 'The user stopped the command';
  return `${how} before it was done. What it did until then stays done. Do not simply run it again.`;
}

function inactiveMessage(inactivityMs: number): string {
  return (
    `It was ended because it wrote nothing for ${seconds(inactivityMs)}. ` +
    'If it waits for input, use options that need none. If it is meant to keep running, use is_background.'
  );
}

function seconds(milliseconds: number): string {
  return `${milliseconds / 1000} s`;
}

/** The panel recognizes `exit 0` and `in background` in every language. */
function summaryOf(outcome: WaitOutcome, { exit, stoppedBy }: RunningCommand): string {
  if (outcome !== 'ended' || !exit || stoppedBy) return l10n.t('stopped');
  return exit.signal ?? `exit ${exit.exitCode}`;
}
