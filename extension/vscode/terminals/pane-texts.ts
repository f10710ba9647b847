import * as l10n from '@vscode/l10n';
import type { ShellExit } from '../../ports/shell.ts';
import { type SandboxKind, sandboxName } from '../../protocol/agent/sandbox-block.ts';

/** The number of characters that fit into the list of terminals. */
const NAME_CHARS = 40;

/**
 * Resets the modes that a program may have left on: alternate screen, hidden cursor, mouse reports, bracketed paste,
 * colors. Does not use 1049, which would also move the cursor to its last saved position, or else to the top.
 */
const RESET = '\x1b[?1047l\x1b[?25h\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[?1l\x1b>\x1b[0m';

/** The name of the terminal. The tab has no room for the kind of sandbox, but screen readers read that there is one. */
export function paneName(label: string, isConfined = false): string {
  const letters = [...label];
  const short = letters.length > NAME_CHARS ? `${letters.slice(0, NAME_CHARS).join('').trimEnd()}…` : label;
  return isConfined ? l10n.t('Gantry: {0} (sandbox)', short) : `Gantry: ${short}`;
}

/** The text above the output of a command. */
export function paneHeader(text: string, confinedBy?: SandboxKind): string {
  const held =
    confinedBy === undefined ? '' : `\x1b[2m[${l10n.t('in the sandbox, by {0}', sandboxName(confinedBy))}]\x1b[0m\r\n`;
  return `\x1b[1m> ${text.replace(/\r?\n/g, '\r\n')}\x1b[0m\r\n${held}`;
}

/** The text below the output of a command. */
export function paneEnd(exit: ShellExit, atLineStart: boolean): string {
  const colour = exit.exitCode === 0 ? '\x1b[2m' : '\x1b[31m';
  return `${RESET}${atLineStart ? '' : '\r\n'}${colour}${endText(exit)}\x1b[0m\r\n`;
}

/** Describes how a command ended, also for a notification. */
export function endText({ exitCode, signal, failure, leftRunning = [] }: ShellExit): string {
  if (failure !== undefined) return l10n.t('could not be started: {0}', failure);
  const end = signal === null ? exitText(exitCode) : l10n.t('ended by {0}', signal);
  return leftRunning.length === 0 ? end : l10n.t('{0}, still running: {1}', end, leftRunning.join(', '));
}

function exitText(exitCode: number | null): string {
  return exitCode === null ? l10n.t('ended') : l10n.t('exit code {0}', exitCode);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what this is about.
const COLOURS = /\x1b\[[0-9;:]*m/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what is not text may have moved the cursor.
const CONTROLS = /[\0-\x1f\x7f]/;

/**
 * Redraws the line with the cursor. When its panel opens, a terminal is very narrow for a moment and loses what does
 * not fit: a shell would write its prompt again, but a question is not repeated. Returns undefined if writing cannot
 * redraw it: an empty line, a line that wraps, or a full-screen program.
 */
export function redrawn(output: string, columns: number): string | undefined {
  const line = output.slice(Math.max(output.lastIndexOf('\n'), output.lastIndexOf('\r')) + 1);
  const text = line.replace(COLOURS, '');
  if (text === '' || text.length >= columns || CONTROLS.test(text)) return undefined;
  return `\r\x1b[K${line}`;
}

export function noInput(): string {
  const text = l10n.t('This command runs without a terminal: only Ctrl+C reaches it.');
  return `\r\n\x1b[2m[${text}]\x1b[0m\r\n`;
}
