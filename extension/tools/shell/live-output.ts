import type { OutputCapture } from '../../processes/shell/output-capture.ts';
import type { RunningCommand } from '../../processes/shell/running-command.ts';
import type { DisplayContent, ToolDisplay } from '../../protocol/agent/agent-event.ts';

/** Often enough to look live. */
const INTERVAL_MS = 100;
/** What a surface gets to draw, as in Gemini CLI. */
const MAX_SHOWN_CHARS = 100_000;
/** While it runs only the last lines are drawn, ten times a second. */
const MAX_LIVE_CHARS = 16_000;

export interface LiveOutput {
  /** It waits for somebody to type, or does no longer. */
  setWaiting(waiting: boolean): void;
  /** For good. */
  stop(): void;
}

/** Shows what a command writes, at a pace that surfaces can follow. */
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

/** As many characters from the start are enough to tell. */
const SNIFF_CHARS = 4096;

/** Gemini CLI's threshold for terminals. Text in a legacy encoding has fewer, a program or a picture has many more. */
const MAX_STRANGE_SHARE = 0.1;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about.
const COLOURS = /\x1b\[[0-9;:?]*[A-Za-z]/g;
/** What does not belong in text: most control characters, and what UTF-8 could not make sense of. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
const STRANGE = /[\0-\x06\x0e-\x1a\x1c-\x1f\ufffd]/g;

/** Judges the beginning of what a command has written, as it was decoded. */
function looksLikeBinary(start: string): boolean {
  const sample = start.slice(0, SNIFF_CHARS).replace(COLOURS, '');
  return (sample.match(STRANGE)?.length ?? 0) > sample.length * MAX_STRANGE_SHARE;
}
