/**
 * When the first process of a terminal's session ends, Linux hangs the terminal up and throws away what was not read
 * yet: `seq 1 5000` lost its last thousand lines here. So the first process is not the command but this script. It runs
 * the command, writes a mark with the exit code after all output, and waits to be ended by who reads the mark.
 * - Signals from the keyboard are for the command; a trap, unlike ignoring them, is not inherited.
 * - The shell's own remark that a command was killed goes to nobody.
 * - It waits by reading, which ends when the terminal is gone: a process that stops itself after that stays for ever. What
 *   else ends a read, such as a Ctrl+D that the command left behind, does not.
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
  /** Once the command has ended: nothing of its output is missing then. */
  readonly exitCode?: number;
}

/** Takes the leader's mark out of the output, which comes in pieces. */
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

  /** Where a beginning of the mark is at the very end of the text. */
  private partialAt(text: string): number {
    const at = text.lastIndexOf('\x1b');
    return at >= 0 && this.prefix.startsWith(text.slice(at)) ? at : text.length;
  }
}
