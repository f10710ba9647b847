import {
  literalWord,
  programOf,
  type ReadableShell,
  type ShellWord,
  type SubCommand,
  type Variables,
} from './shell-types.ts';

/** More commands than this would take too long to check. */
const MAX_VARIANTS = 64;

/** Characters that mean themselves, whether they are quoted or not. */
const PLAIN = /^[\w./@%+,:=-]+$/;

/** A word of plain characters, double quotes and variables: `"$folder"/a-$i.txt`. */
const WITH_VARIABLES = /^(?:[\w./@%+,:=-]|"|\$[a-zA-Z_]\w*(?!\w)|\$\{[a-zA-Z_]\w*\})+$/;
const VARIABLE = /\$(?:(\w+)|\{(\w+)\})/g;

/** Other names may be those of variables that the line gets from outside. */
const OWN_NAME = /^[a-z][a-z0-9_]*$/;

/** Programs of the shell that change variables, or run something that can. */
const SETS_VARIABLES = new Set('read mapfile readarray getopts let eval source . wait unset trap'.split(' '));

/**
 * The line with the values of the variables that it sets itself: `for f in a b; do tee $f; done` runs `tee a` and
 * `tee b`. Other variables stay.
 */
export function withKnownVariables(written: ReadableShell): ReadableShell {
  const spell = (words: readonly ShellWord[]): readonly ShellWord[] => words.flatMap(spelledOut);
  const shell = {
    ...written,
    commands: written.commands.map((each) => ({ ...each, words: spell(each.words), writes: spell(each.writes) })),
  };
  if (shell.variables === undefined || shell.variables.has('IFS') || shell.commands.some(setsVariables)) return shell;
  const variables = new Map([...shell.variables].filter(([name]) => OWN_NAME.test(name)));
  // The current folder, wherever the line has gone by then.
  if (!shell.variables.has('PWD')) variables.set('PWD', [literalWord('.')]);
  const commands = shell.commands.flatMap((command) => variantsOf(command, variables));
  return { ...shell, commands };
}

/** Braces around parts of plain names, as in `src/{a,b}`. */
const PLAIN_BRACES = /^(?:[\w./@%+:=-]|\{(?:(?!\.\.)[\w./,@%+-])*\})+$/;

/** The words that braces make, and the folder that `~+` means. */
function spelledOut(word: ShellWord): readonly ShellWord[] {
  const { value, source } = word;
  if (value === undefined) return PLAIN_BRACES.test(source) ? inBraces(source).map(literalWord) : [word];
  // It is the folder before the last `cd`.
  if (/^~-/.test(source)) return [{ ...word, value: undefined, beginning: '' }];
  return /^~\+/.test(source) ? [literalWord(`.${value.slice(2)}`)] : [word];
}

function inBraces(text: string): readonly string[] {
  const found = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/.exec(text);
  if (!found) return [text];
  const [, before = '', choices = '', after = ''] = found;
  const ends = inBraces(after);
  return choices
    .split(',')
    .flatMap((each) => ends.map((end) => `${before}${each}${end}`))
    .slice(0, MAX_VARIANTS);
}

function setsVariables(command: SubCommand): boolean {
  const name = programOf(command) ?? '';
  if (name === 'printf') return command.words[1]?.value === undefined || command.words[1].value.startsWith('-');
  return SETS_VARIABLES.has(name);
}

/** The command once for each value of its variables; as it is if a value is unknown. */
function variantsOf(command: SubCommand, variables: Variables): readonly SubCommand[] {
  const used = new Set(
    [...command.words, ...command.writes].flatMap(({ value, source }) =>
      value === undefined && WITH_VARIABLES.test(source) ? namesIn(source) : [],
    ),
  );
  let choices: readonly ReadonlyMap<string, string>[] = [new Map()];
  for (const name of used) {
    const values = valuesOf(variables.get(name));
    if (values === undefined) continue;
    choices = choices.flatMap((chosen) => values.map((value) => new Map([...chosen, [name, value]])));
    if (choices.length > MAX_VARIANTS) return [command];
  }
  return choices.map((chosen) => ({
    ...command,
    words: command.words.map((word) => replaced(word, chosen)),
    writes: command.writes.map((word) => replaced(word, chosen)),
  }));
}

function valuesOf(words: readonly ShellWord[] | undefined): readonly string[] | undefined {
  const values = words?.map(({ value = '' }) => value);
  return values?.every((value) => PLAIN.test(value)) ? values : undefined;
}

function replaced(word: ShellWord, chosen: ReadonlyMap<string, string>): ShellWord {
  const { value, source } = word;
  if (value !== undefined || !WITH_VARIABLES.test(source)) return word;
  if (!namesIn(source).every((name) => chosen.has(name))) return word;
  const text = source.replaceAll('"', '').replace(VARIABLE, (_, bare, braced) => chosen.get(bare ?? braced) ?? '');
  return literalWord(text);
}

function namesIn(source: string): readonly string[] {
  return [...source.matchAll(VARIABLE)].map(([, bare, braced]) => bare ?? braced ?? '');
}
