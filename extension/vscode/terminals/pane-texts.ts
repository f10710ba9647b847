import type { ShellExit } from '../../runtime/host.ts';

/** As much as a list of terminals has room for. */
const NAME_CHARS = 40;

/**
 * What undoes what a program may have left on: another screen, a hidden cursor, reports of the mouse, pasting marks,
 * colours. Not with 1049, which would also put the cursor where it was saved last, or else at the top.
 */
const RESET = '\x1b[?1047l\x1b[?25h\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[?1l\x1b>\x1b[0m';

export function paneName(label: string): string {
  const letters = [...label];
  return `Gantry: ${letters.length > NAME_CHARS ? `${letters.slice(0, NAME_CHARS).join('').trimEnd()}…` : label}`;
}

/** What stands above the output of a command. */
export function paneHeader(text: string): string {
  return `\x1b[1m> ${text.replace(/\r?\n/g, '\r\n')}\x1b[0m\r\n`;
}

/** What stands below it. */
export function paneEnd(exit: ShellExit, atLineStart: boolean): string {
  const colour = exit.exitCode === 0 ? '\x1b[2m' : '\x1b[31m';
  return `${RESET}${atLineStart ? '' : '\r\n'}${colour}${endText(exit)}\x1b[0m\r\n`;
}

/** In words, also for a notification. */
export function endText({ exitCode, signal, failure, leftRunning = [] }: ShellExit): string {
  const left = leftRunning.length === 0 ? '' : `, still running: ${leftRunning.join(', ')}`;
  if (failure !== undefined) return `could not be started: ${failure}`;
  if (signal !== null) return `ended by ${signal}${left}`;
  return `${exitCode === null ? 'ended' : `exit code ${exitCode}`}${left}`;
}

export const NO_INPUT = '\r\n\x1b[2m[This command runs without a terminal: only Ctrl+C reaches it.]\x1b[0m\r\n';
