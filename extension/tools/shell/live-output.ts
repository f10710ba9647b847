import type { OutputCapture } from '../../processes/shell/output-capture.ts';
import type { RunningCommand } from '../../processes/shell/running-command.ts';
import type { DisplayContent, ToolDisplay } from '../../protocol/agent/agent-event.ts';

/** Often enough to look live. */
const INTERVAL_MS = 100;
/** The limit for surfaces, as in Gemini CLI. */
const MAX_SHOWN_CHARS = 100_000;
/** While a command runs, only the last lines are drawn, ten times a second. */
const MAX_LIVE_CHARS = 16_000;

export interface LiveOutput {
  /** Sets whether the command waits for input. */
  setWaiting(waiting: boolean): void;
  /** Stops the updates for good. */
  stop(): void;
}

/** Shows the output of a command at a rate that surfaces can follow. */
export function showLive(command: RunningCommand, update: (display: ToolDisplay) => void): LiveOutput {
  let shownAt = Date.now();
  let waiting = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const show = (): void => {
    clearTimeout(timer);
    timer = undefined;
    shownAt = Date.now();
    update({ result: terminalDisplay(command, waiting) });
  };
  show();
  const unsubscribe = command.onOutput(() => {
    timer ??= setTimeout(show, Math.max(0, shownAt + INTERVAL_MS - Date.now()));
  });
  return {
    setWaiting: (now) => {
      if (stopped || waiting === now) return;
      waiting = now;
      show();
    },
    stop: () => {
      stopped = true;
      unsubscribe();
      clearTimeout(timer);
    },
  };
}

export function terminalDisplay(command: RunningCommand, waiting = false): DisplayContent {
  const { pid, exit, output, startedAt, confinement } = command;
  const exitCode = exit?.exitCode ?? undefined;
  return {
    type: 'terminal',
    ...(pid !== undefined && { pid }),
    ...(exitCode !== undefined && { exitCode }),
    ...(!exit && { startedAt }),
    ...(waiting && { waiting }),
    ...(confinement && { confinedBy: confinement }),
    ansi: isBinary(output) ? binaryNotice(output) : output.last(exit ? MAX_SHOWN_CHARS : MAX_LIVE_CHARS),
  };
}

export function isBinary(output: OutputCapture): boolean {
  return looksLikeBinary(output.first(SNIFF_CHARS));
}

export function binaryNotice(output: OutputCapture): string {
  return `[Binary output, about ${output.total.toLocaleString('en-US')} bytes, not shown]`;
}

/** Enough characters from the start of the output to detect binary data. */
const SNIFF_CHARS = 4096;

/**
 * Gemini CLI's threshold for terminals. Text in a legacy encoding has fewer such characters; a program or an image has
 * many more.
 */
const MAX_STRANGE_SHARE = 0.1;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about.
const COLOURS = /\x1b\[[0-9;:?]*[A-Za-z]/g;
/** Characters that don't belong in text: most control characters, and the replacement character for invalid UTF-8. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
const STRANGE = /[\0-\x06\x0e-\x1a\x1c-\x1f\ufffd]/g;

/** Checks the beginning of a command's decoded output. */
function looksLikeBinary(start: string): boolean {
  const sample = start.slice(0, SNIFF_CHARS).replace(COLOURS, '');
  return (sample.match(STRANGE)?.length ?? 0) > sample.length * MAX_STRANGE_SHARE;
}
