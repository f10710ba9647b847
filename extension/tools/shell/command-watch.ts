import type { RunningCommand } from '../../processes/shell/running-command.ts';
import { readsTerminal } from '../../processes/shell/terminal-reader.ts';
import { plainLines } from '../../protocol/words/terminal-lines.ts';
import { looksLikePrompt } from './input-prompt.ts';
import { type ReadyServer, serverReady } from './server-ready.ts';

export interface WatchListener {
  onWaiting(waiting: boolean): void;
  onServer(server: ReadyServer): void;
}

export interface WatchTimes {
  /** A program that asks writes nothing more. Shorter than this are the pauses of those that work. */
  readonly inputMs: number;
  /** A server that has come up writes nothing more until it is used. A build that continues does. */
  readonly serverMs: number;
}

const TIMES: WatchTimes = { inputMs: 700, serverMs: 4000 };

/** A question, and the screen it stands on. */
const LOOKED_AT_CHARS = 4000;
/** Build output may come between the address of a server and its rest. */
const SERVER_CHARS = 16_000;

/** Notices that a command waits for input, or that it is a server that has come up. The answer stops it. */
export function watchCommand(
  command: RunningCommand,
  listener: WatchListener,
  { inputMs, serverMs }: WatchTimes = TIMES,
): () => void {
  let waiting = false;
  let stopped = false;
  let writes = 0;
  const tell = (now: boolean): void => {
    if (stopped || waiting === now) return;
    waiting = now;
    listener.onWaiting(now);
  };
  const look = async (): Promise<void> => {
    const before = writes;
    const isWaiting = await waitsForInput(command);
    // What it has written meanwhile was not looked at.
    if (before === writes && !command.exit) tell(isWaiting);
  };
  const input = setTimeout(() => void look(), inputMs);
  const server = setTimeout(() => {
    const ready = waiting ? undefined : serverReady(plainEnd(command, SERVER_CHARS).join('\n'));
    if (ready && !stopped && !command.exit) listener.onServer(ready);
  }, serverMs);
  const unsubscribe = command.onOutput(() => {
    writes++;
    tell(false);
    input.refresh();
    server.refresh();
  });
  const stop = (): void => {
    stopped = true;
    unsubscribe();
    clearTimeout(input);
    clearTimeout(server);
  };
  void command.ended.then(stop);
  return stop;
}

async function waitsForInput(command: RunningCommand): Promise<boolean> {
  const { pid } = command;
  if (pid === undefined || !command.takesInput) return false;
  const lines = plainEnd(command, LOOKED_AT_CHARS);
  if (looksLikePrompt(lines)) return true;
  // Servers listen for keys as well, and ask nothing.
  return serverReady(lines.join('\n')) === undefined && (await readsTerminal(pid));
}

function plainEnd({ output }: RunningCommand, chars: number): string[] {
  return plainLines(output.last(chars));
}
