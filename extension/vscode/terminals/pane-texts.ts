import * as l10n from '@vscode/l10n';
import type { ShellExit } from '../../ports/shell.ts';
import { type SandboxKind, sandboxName } from '../../protocol/agent/sandbox-block.ts';

/** As much as a list of terminals has room for. */
const NAME_CHARS = 40;

/**
 * What undoes what a program may have left on: another screen, a hidden cursor, reports of the mouse, pasting marks,
 * colours. Not with 1049, which would also put the cursor where it was saved last, or else at the top.
 */
const RESET = '\x1b[?1047l\x1b[?25h\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[?1l\x1b>\x1b[0m';

/** The tab has no room for how a command is confined; that it is, screen readers read here. */
export function paneName(label: string, isConfined = false): string {
  const letters = [...label];
  const short = letters.length > NAME_CHARS ? `${letters.slice(0, NAME_CHARS).join('').trimEnd()}…` : label;
  return isConfined ? l10n.t('Gantry: {0} (sandbox)', short) : `Gantry: ${short}`;
}

/** What stands above the output of a command. */
export function paneHeader(text: string, confinedBy?: SandboxKind): string {
  const held =
    confinedBy === undefined ? '' : `\x1b[2m[${l10n.t('in the sandbox, by {0}', sandboxName(confinedBy))}]\x1b[0m\r\n`;
  return `\x1b[1m> ${text.replace(/\r?\n/g, '\r\n')}\x1b[0m\r\n${held}`;
}

/** What stands below it. */
export function paneEnd(exit: ShellExit, atLineStart: boolean): string {
  const colour = exit.exitCode === 0 ? '\x1b[2m' : '\x1b[31m';
  return `${RESET}${atLineStart ? '' : '\r\n'}${colour}${endText(exit)}\x1b[0m\r\n`;
}

/** In words, also for a notification. */
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
 * Draws the line with the cursor again. A terminal that is laid out again, as it is when its panel opens, is very narrow
 * for a moment, and what did not fit of that line is gone: a shell would write its prompt again, a question does not.
 * Undefined for what cannot be drawn again by writing it: nothing, a line that wraps, a screen of a program.
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
