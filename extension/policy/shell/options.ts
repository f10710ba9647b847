import type { ShellWord } from './shell-types.ts';

/** The arguments of a command, classified as most programs do. */
export interface CommandArguments {
  /** Words that begin with a dash, up to `--`. */
  readonly options: readonly string[];
  readonly operands: readonly ShellWord[];
  /** Operands after `--` that begin with a dash. Options for `find`, and wherever `--` is the value of an option. */
  readonly late: readonly string[];
  /** A word that could turn out to be an option: `*` may name a file called `-rf`. */
  readonly mayBeOption: ShellWord | undefined;
}

export function splitArguments(words: readonly ShellWord[]): CommandArguments {
  const options: string[] = [];
  const operands: ShellWord[] = [];
  const late: string[] = [];
  let mayBeOption: ShellWord | undefined;
  let ended = false;
  for (const word of words.slice(1)) {
    if (ended) {
      operands.push(word);
      if (/^-./.test(word.beginning)) late.push(word.beginning);
    } else if (word.value === '--') ended = true;
    else if (mayBecomeOption(word)) {
      mayBeOption ??= word;
      operands.push(word);
    } else if (/^-./.test(word.beginning)) options.push(word.beginning);
    else operands.push(word);
  }
  return { options, operands, late, mayBeOption };
}

/** Whether a word that is only known at run time could be, or contain, an option. */
export function mayBecomeOption({ value, beginning, maySplit }: ShellWord): boolean {
  return value === undefined && (beginning === '' || maySplit === true);
}

/** Matches `--output`, `--output=x`, and the abbreviation `--outp`, which GNU programs and git accept. */
export function isLongOption(option: string, names: readonly string[]): boolean {
  const name = option.replace(/=.*$/s, '');
  return name.length > 2 && name.startsWith('--') && names.some((each) => each.startsWith(name));
}

/** Whether one of the letters is in a group of short options, such as the o in `-uo`. */
export function hasShortOption(option: string, letters: string): boolean {
  return /^-[^-]/.test(option) && [...option.slice(1)].some((letter) => letters.includes(letter));
}
