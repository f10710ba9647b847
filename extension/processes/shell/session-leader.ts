/**
 * When the first process of a terminal's session ends, Linux hangs up the terminal and discards unread output: `seq 1
 * 5000` lost its last thousand lines here. Therefore the first process is not the command but this script. It runs the
 * command, writes a mark with the exit code after all output, and waits until the reader of the mark ends it.
 * - Signals from the keyboard are for the command. A trap, unlike ignoring them, is not inherited.
 * - The shell's own message that a command was killed is discarded.
 * - It waits by reading, which ends when the terminal is gone: a process that stops itself would stay forever after
 *   that. Other ends of a read, such as a Ctrl+D that the command left behind, don't end the wait.
 */
const LEADER = [
  'trap : INT QUIT TERM HUP',
  'exec 3>&2 2>/dev/null',
  '"$@" 2>&3 3>&-',
  'printf "\\033]9999;%s;%s\\007" "$0" "$?"',
  'while read -r left || [ -t 0 ]; do :; done',
].join('\n');

export function leaderArguments(mark: string, file: string, args: readonly string[]): string[] {
  return ['-c', LEADER, mark, file, ...args];
}

export interface MarkedOutput {
  readonly text: string;
  /** Set once the command has ended. Its output is complete then. */
  readonly exitCode?: number;
}

/** Removes the leader's mark from output that arrives in chunks. */
export class EndMark {
  private readonly prefix: string;
  private held = '';

  constructor(mark: string) {
    this.prefix = `\x1b]9999;${mark};`;
  }

  push(chunk: string): MarkedOutput {
    const text = this.held + chunk;
    this.held = '';
    const at = text.indexOf(this.prefix);
    if (at < 0) return { text: this.holdBack(text, this.partialAt(text)) };
    const rest = text.slice(at + this.prefix.length);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is the end of the mark.
    const [whole, exitCode] = /^(\d{1,3})\x07/.exec(rest) ?? [];
    if (whole === undefined) return { text: rest.length > 4 ? text : this.holdBack(text, at) };
    return { text: text.slice(0, at) + rest.slice(whole.length), exitCode: Number(exitCode) };
  }

  private holdBack(text: string, from: number): string {
    this.held = text.slice(from);
    return text.slice(0, from);
  }

  /** The position of an incomplete mark at the very end of the text. */
  private partialAt(text: string): number {
    const at = text.lastIndexOf('\x1b');
    return at >= 0 && this.prefix.startsWith(text.slice(at)) ? at : text.length;
  }
}
