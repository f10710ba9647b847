import * as l10n from '@vscode/l10n';
import { mayBecomeOption, splitArguments } from './options.ts';
import type { ShellWord, SubCommand } from './shell-types.ts';

const ADDRESS = '(?:\\d+|\\$|/[^/\\\\\\n]*/)';
/** One sed command that neither runs nor writes: print, delete, quit, number, or replace without the flags e and w. */
const SED_COMMAND = new RegExp(
  `^\\s*(?:${ADDRESS}(?:,${ADDRESS})?)?!?\\s*(?:[pdqQ=nNDPhHgGx]|s(?<d>[/|,#:])(?:(?!\\k<d>)[^\\\\\\n]|\\\\.)*\\k<d>(?:(?!\\k<d>)[^\\\\\\n]|\\\\.)*\\k<d>[gpiIm\\d]*)\\s*$`,
);

const SED_OPTION = /^(?:-[nEru]+|--(?:quiet|silent|regexp-extended|posix|sandbox))$/;

export function sedRisk({ words }: SubCommand): string | undefined {
  const scripts: ShellWord[] = [];
  let first: ShellWord | undefined;
  for (let index = 1; index < words.length; index += 1) {
    const word = words[index] as ShellWord;
    if (mayBecomeOption(word)) return l10n.t('{0}, which may become an option of `sed`', word.source);
    if (/^-[nEru]*e$/.test(word.value ?? '')) {
      index += 1;
      scripts.push(words[index] ?? word);
    } else if (word.beginning.startsWith('-')) {
      if (!SED_OPTION.test(word.value ?? '')) return l10n.t('the option {0} of `sed`', word.source);
    } else {
      first ??= word;
    }
  }
  // Without -e the first operand is the script.
  if (scripts.length === 0 && first) scripts.push(first);
  const harmless = scripts.every(({ value }) => value !== undefined && isHarmlessSed(value));
  return harmless ? undefined : l10n.t('a `sed` script that may run or write something');
}

function isHarmlessSed(script: string): boolean {
  // A `;` inside a replacement makes halves that do not match, which only asks more.
  return script.split(/[;\n]/).every((part) => part.trim() === '' || SED_COMMAND.test(part));
}

export function awkRisk(command: SubCommand): string | undefined {
  const { options, operands, mayBeOption } = splitArguments(command.words);
  if (mayBeOption) return l10n.t('{0}, which may become an option of `awk`', mayBeOption.source);
  const risky = options.find((option) => !/^-(?:F|v)/.test(option));
  if (risky !== undefined) return l10n.t('the option {0} of `awk`', risky);
  // The value of a lone -F or -v is among the operands too; every one is looked at, so none can hide the program.
  const unclear = operands.find(({ value, beginning }) =>
    value === undefined ? beginning === '' : /system|getline|[|>`@]|\bfflush\b|\bclose\b/.test(value),
  );
  return unclear ? l10n.t('an `awk` program that may run or write something') : undefined;
}
