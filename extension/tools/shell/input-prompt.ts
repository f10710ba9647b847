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
