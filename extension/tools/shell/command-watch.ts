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
  /** A program that asks a question writes nothing more. Working programs pause for less than this. */
  readonly inputMs: number;
  /** A server that is ready writes nothing more until it is used. A build that continues does. */
  readonly serverMs: number;
}

const TIMES: WatchTimes = { inputMs: 700, serverMs: 4000 };

/** Enough for a question and the screen around it. */
const LOOKED_AT_CHARS = 4000;
/** Build output may come between a server's address and the rest of its message. */
const SERVER_CHARS = 16_000;

/** Detects that a command waits for input, or is a server that is ready. Returns a function that stops watching. */
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
    // Output that arrived in the meantime hasn't been checked.
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
  // Servers also read keys, but don't ask for input.
  return serverReady(lines.join('\n')) === undefined && (await readsTerminal(pid));
}

function plainEnd({ output }: RunningCommand, chars: number): string[] {
  return plainLines(output.last(chars));
}
