/** Programs that draw, and lines that will be drawn over, end like questions now and then. */
const BUSY: readonly RegExp[] = [
  /\d\s?%/,
  /\b\d+(?:\.\d+)?\s?(?:[kKMGT]i?B|bytes)\b/,
  // A bar, a spinner.
  /[[(|]\s?[=#█▓▒░■━-]{2,}/,
  /^\s*(?:[⠁-⣿◐◓◑◒⣾⣽⣻⢿]|[|/\\-]\s)/,
  /\b\d+\s?(?:\/|of)\s?\d+\b(?!.*\?)/i,
  /(?:\.\.\.|…)$/,
  // "Compiling:" is what a program does; "Enter your name:" is what it wants.
  /^\W*\p{Lu}?\p{L}+ing\b[^?]*:$/u,
];

const ASKS: readonly RegExp[] = [
  /[?？]$/,
  // "[y/N]", "(yes/no)", "(y)", "[Y/n/q]", with or without a sign behind it.
  /[[(](?:y|yes)(?:\/[^\])\s]{1,20}){0,4}[\])]\s?[?:>]?$/i,
  /[[(](?:n|no)\/[^\])]{1,20}[\])]\s?[?:>]?$/i,
  // A proposal behind the question, as in "package name: (demo)".
  /[?:]\s?[[(][^\])]{0,80}[\])]:?$/,
  /\b(?:password|passphrase|pass phrase|passcode|pin|otp|verification code)\b[^:]{0,80}:$/i,
  /\b(?:press|hit|type)\b.{0,40}\b(?:any key|enter|return|space)\b/i,
  /[:：]$/,
  // Interpreters and debuggers.
  /(?:^|\s|\w)(?:>>>|>|\$|#|%)$/,
  /^\((?:gdb|lldb|pdb|i?pdb|byebug|rdb:\d+)\)$/i,
];

const PAGER = /^(?::|\(END\)|--More--.*|lines \d+-\d+.*|Manual page .*)$/i;

/** What asks in the middle of a screen, with the cursor elsewhere: questions of inquirer, prompts and clack. */
const MENU = /^\s*(?:\?\s\S|◆\s\s?\S|❯\s\S)/;
const MENU_LINES = 15;

/** Longer than any question, and than a name behind it. */
const LONGEST_PROMPT = 200;

/**
 * Whether the end of what a program has written looks as if it waits for somebody to type, given that it has written
 * nothing for a moment. `lines` are those a person would see, the last one being the one with the cursor.
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
