import { type Alarm, realAlarm } from '../../ports/clock.ts';
import type { RunningCommand } from '../../processes/shell/running-command.ts';
import { readsTerminal } from '../../processes/shell/terminal-reader.ts';
import { plainLines } from '../../protocol/words/terminal-lines.ts';

export interface WatchListener {
  onWaiting(waiting: boolean): void;
  onServer(server: ReadyServer): void;
}

/** A program that asks a question writes nothing more. Working programs pause for less than this. */
export const INPUT_MS = 700;
/** A server that is ready writes nothing more until it is used. A build that continues does. */
export const SERVER_MS = 4000;

/** Enough for a question and the screen around it. */
const LOOKED_AT_CHARS = 4000;
/** Build output may come between a server's address and the rest of its message. */
const SERVER_CHARS = 16_000;

/** Detects that a command waits for input, or is a server that is ready. Returns a function that stops watching. */
export function watchCommand(command: RunningCommand, listener: WatchListener, alarm: Alarm = realAlarm): () => void {
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
  const lookForServer = (): void => {
    const ready = waiting ? undefined : serverReady(plainEnd(command, SERVER_CHARS).join('\n'));
    if (ready && !stopped && !command.exit) listener.onServer(ready);
  };
  const expectSilence = (): (() => void)[] => [alarm(INPUT_MS, () => void look()), alarm(SERVER_MS, lookForServer)];
  let alarms = expectSilence();
  const unsubscribe = command.onOutput(() => {
    writes++;
    tell(false);
    for (const cancel of alarms) cancel();
    alarms = expectSilence();
  });
  const stop = (): void => {
    stopped = true;
    unsubscribe();
    for (const cancel of alarms) cancel();
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

/** Progress displays and lines that will be overwritten sometimes end like questions. */
const BUSY: readonly RegExp[] = [
  /\d\s?%/,
  /\b\d+(?:\.\d+)?\s?(?:[kKMGT]i?B|bytes)\b/,
  // A progress bar or a spinner.
  /[[(|]\s?[=#█▓▒░■━-]{2,}/,
  /^\s*(?:[⠁-⣿◐◓◑◒⣾⣽⣻⢿]|[|/\\-]\s)/,
  /\b\d+\s?(?:\/|of)\s?\d+\b(?!.*\?)/i,
  /(?:\.\.\.|…)$/,
  // "Compiling:" is what a program does; "Enter your name:" is what it wants.
  /^\W*\p{Lu}?\p{L}+ing\b[^?]*:$/u,
];

const ASKS: readonly RegExp[] = [
  /[?？]$/,
  // "[y/N]", "(yes/no)", "(y)", "[Y/n/q]", with or without a symbol after it.
  /[[(](?:y|yes)(?:\/[^\])\s]{1,20}){0,4}[\])]\s?[?:>]?$/i,
  /[[(](?:n|no)\/[^\])]{1,20}[\])]\s?[?:>]?$/i,
  // A default value after the question, as in "package name: (demo)".
  /[?:]\s?[[(][^\])]{0,80}[\])]:?$/,
  /\b(?:password|passphrase|pass phrase|passcode|pin|otp|verification code)\b[^:]{0,80}:$/i,
  /\b(?:press|hit|type)\b.{0,40}\b(?:any key|enter|return|space)\b/i,
  /[:：]$/,
  // Interpreters and debuggers.
  /(?:^|\s|\w)(?:>>>|>|\$|#|%)$/,
  /^\((?:gdb|lldb|pdb|i?pdb|byebug|rdb:\d+)\)$/i,
];

const PAGER = /^(?::|\(END\)|--More--.*|lines \d+-\d+.*|Manual page .*)$/i;

/** Questions of inquirer, prompts and clack, which may be in the middle of a screen with the cursor elsewhere. */
const MENU = /^\s*(?:\?\s\S|◆\s\s?\S|❯\s\S)/;
const MENU_LINES = 15;

/** Longer than any question with a default value after it. */
const LONGEST_PROMPT = 200;

/**
 * Whether the end of a program's output looks as if it waits for input, assuming that it has written nothing for a
 * moment. `lines` are the visible lines; the last one contains the cursor.
 */
export function looksLikePrompt(lines: readonly string[]): boolean {
  const last = (lines.at(-1) ?? '').trim();
  if (last !== '' && last.length <= LONGEST_PROMPT) {
    if (PAGER.test(last)) return true;
    if (BUSY.some((pattern) => pattern.test(last))) return false;
    if (ASKS.some((pattern) => pattern.test(last))) return true;
  }
  return lines.slice(-MENU_LINES).some((line) => MENU.test(line));
}

/** Messages of servers and watchers that are ready. */
const READY: readonly RegExp[] = [
  /\blistening (?:on|at|to)\b/i,
  /\b(?:server|app|application|dev server|api)\b.{0,40}\b(?:running|started|ready|live|up|available)\b/i,
  /\b(?:running|serving|started|available|served|live|ready) (?:on|at|from)\b.{0,40}(?:https?:\/\/|:\d{2,5}\b)/i,
  /^\W*(?:local|network|loopback)\s*:\s+https?:\/\//im,
  /\bServing HTTP on\b/i,
  /\bready in \d/i,
  /\bcompiled (?:successfully|in|client and server)\b/i,
  /\bwatching for (?:file )?changes\b/i,
  /\bwaiting for (?:file )?changes\b/i,
  /\bwatching (?:path|extensions|files|directories)\b/i,
  /\b(?:press|hit|type) (?:ctrl|control|\^)\s?[+-]?\s?c to (?:quit|stop|exit)\b/i,
];

const ADDRESS =
  /\bhttps?:\/\/(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[[0-9a-f:]+\]|[\w.-]+)(?::\d{1,5})?(?:\/[^\s'"<>()]*)?/i;

export interface ReadyServer {
  /** The address, if the output names one. */
  readonly url: string | undefined;
}

/** Whether this is the output of a server or watcher that is ready and keeps running. */
export function serverReady(output: string): ReadyServer | undefined {
  if (!READY.some((pattern) => pattern.test(output))) return undefined;
  return { url: ADDRESS.exec(output)?.[0].replace(/[.,;:]+$/, '') };
}
