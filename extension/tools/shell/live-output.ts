import type { OutputCapture } from '../../processes/shell/output-capture.ts';
import type { RunningCommand } from '../../processes/shell/running-command.ts';
import type { DisplayContent, ToolDisplay } from '../../protocol/agent-event.ts';
import { looksLikeBinary, SNIFF_CHARS } from './binary-output.ts';

/** Often enough to look live. */
const INTERVAL_MS = 100;
/** What a surface gets to draw, as in Gemini CLI. */
const MAX_SHOWN_CHARS = 100_000;

/** Shows what a command writes, at a pace that surfaces can follow. The answer stops it for good. */
export function showLive(command: RunningCommand, update: (display: ToolDisplay) => void): () => void {
  let shownAt = Date.now();
  let timer: NodeJS.Timeout | undefined;
  const show = (): void => {
    timer = undefined;
    shownAt = Date.now();
    update({ result: terminalDisplay(command) });
  };
  show();
  const unsubscribe = command.onOutput(() => {
    timer ??= setTimeout(show, Math.max(0, shownAt + INTERVAL_MS - Date.now()));
  });
  return () => {
    unsubscribe();
    clearTimeout(timer);
  };
}

export function terminalDisplay({ pid, exit, output }: RunningCommand): DisplayContent {
  const exitCode = exit?.exitCode ?? undefined;
  return {
    type: 'terminal',
    ...(pid !== undefined && { pid }),
    ...(exitCode !== undefined && { exitCode }),
    ansi: isBinary(output) ? binaryNotice(output) : output.last(MAX_SHOWN_CHARS),
  };
}

export function isBinary(output: OutputCapture): boolean {
  return looksLikeBinary(output.first(SNIFF_CHARS));
}

export function binaryNotice(output: OutputCapture): string {
  return `[Binary output, about ${output.total.toLocaleString('en-US')} bytes, not shown]`;
}
