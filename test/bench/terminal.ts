import { tmpdir } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { RunningCommand } from '../../extension/processes/shell/running-command.ts';
import { liveDetail } from '../../extension/protocol/transcript/tool-entry.ts';
import { watchCommand } from '../../extension/tools/shell/command-watch.ts';
import { showLive } from '../../extension/tools/shell/live-output.ts';
import { PaneWriter } from '../../extension/vscode/terminals/pane-writer.ts';
import { createPtyShell } from '../support/shells.ts';

export interface TerminalFigures {
  readonly megabytesPerSecond: number;
  /** Of this process's own time on the processor, which others that are busy do not change. */
  readonly megabytesPerProcessorSecond: number;
  /** The longest time in which nothing else could run. */
  readonly longestDelayMs: number;
  /** How much the heap and what hangs on it grew at the most. */
  readonly grownMegabytes: number;
  /** What the window got to draw. */
  readonly shownMegabytes: number;
}

/**
 * A command that writes as fast as it can, on a real terminal, with everything that follows its output: what is kept for
 * the model, the card's last lines, the watch for questions, the pane. Without them it is what the machine itself can do.
 */
export async function measureTerminal(command: string, everything = true): Promise<TerminalFigures> {
  const loop = monitorEventLoopDelay({ resolution: 5 });
  const before = memory();
  let grown = 0;
  let shown = 0;
  const shell = createPtyShell(process.env);
  loop.enable();
  const started = performance.now();
  const processor = process.cpuUsage();
  const running = new RunningCommand(shell.start(command, { folder: tmpdir() }), command, tmpdir());
  const writer = new PaneWriter((text) => {
    shown += text.length;
  });
  const live = everything ? showLive(running, (display) => liveDetail(display)) : undefined;
  if (everything) {
    running.onOutput((chunk) => writer.push(chunk));
    watchCommand(running, { onWaiting: () => undefined, onServer: () => undefined });
  }
  const sampler = setInterval(() => {
    grown = Math.max(grown, memory() - before);
  }, 50);
  let last = started;
  running.onOutput(() => {
    last = performance.now();
  });
  await running.ended;
  const { user, system } = process.cpuUsage(processor);
  clearInterval(sampler);
  live?.stop();
  writer.flush();
  // A delay is counted when it is over.
  await delay(20);
  loop.disable();
  return {
    megabytesPerSecond: running.output.total / 1e6 / ((last - started) / 1000),
    megabytesPerProcessorSecond: running.output.total / (user + system),
    longestDelayMs: loop.max / 1e6,
    grownMegabytes: grown / 1e6,
    shownMegabytes: shown / 1e6,
  };
}

function memory(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
