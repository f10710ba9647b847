import { mayBecomeOption } from './options.ts';
import { programOf, type ShellWord, type SubCommand } from './shell-types.ts';
import type { StrictAssignment, StrictLine } from './strict-parts.ts';

/** Commands of the shell that run or change what no word of the line shows. */
const RUNS_TEXT = /^(?:eval|alias|let|enable|compgen|complete|bind|fc)$/;
/** Commands of the shell that run another one. */
const WRAPS = /^(?:builtin|command|exec|time)$/;
/** Commands of the shell that take names of variables, and evaluate the index in `a[…]`. */
const TAKES_NAMES = /^(?:read|getopts|unset|wait|mapfile|readarray|export|declare|typeset|local|readonly)$/;
/** Variables whose values the shell expands, evaluates, or takes for the place of programs that it runs first. */
const EXPANDED_VARIABLES =
  /^(?:PS\d|PROMPT_COMMAND|BASH_ENV|ENV|RANDOM|SECONDS|OPTIND|LINENO|HISTCMD|SRANDOM|BASH_ARGV0)$/;
/** Variables that are always numbers. */
const NUMBERS = /^(?:RANDOM|SECONDS|LINENO|UID|EUID|PPID|COLUMNS|LINES)$/;
/** What stays one number without quotes: `$?`, `$#`, `${#x}`. */
const IS_COUNT = /^\$(?:[?#$!]|\{#\w+\})$/;

/**
 * Whether a line may run something from the value of a variable, or from words that aren't read as commands. Such a line
 * is never rewritten, because nobody would know what it runs: `x='a[$(rm b)]'; echo $((x))` removes a file.
 */
export function evaluatesUnseen(
  { assignments, evaluated }: StrictLine,
  commands: readonly SubCommand[],
  /** Words that are scripts, which have been read. */
  scripts: ReadonlyMap<ShellWord, string | undefined>,
): boolean {
  if (commands.some((command) => !command.words.some((word) => scripts.has(word)) && runsText(command))) return true;
  if (assignments.some(({ name }) => EXPANDED_VARIABLES.test(name))) return true;
  return evaluated.some((name) => !isNumber(name, assignments, commands));
}

function runsText(command: SubCommand): boolean {
  const name = programOf(command) ?? '';
  const rest = command.words.slice(1);
  if (RUNS_TEXT.test(name) || command.words[0]?.value === undefined) return true;
  const [first] = rest;
  if (WRAPS.test(name)) {
    const program = rest.findIndex(({ beginning }) => !beginning.startsWith('-'));
    return rest.slice(0, program < 0 ? undefined : program + 1).some(({ value }) => value === undefined);
  }
  if (name === 'trap') return first?.value !== '' && first?.value !== '-';
  if (name === 'jobs') return rest.some((word) => mayBeOption(word, 'x'));
  if (name === 'hash') return rest.some((word) => mayBeOption(word, 'p'));
  // What `/dev/stdin` contains is up to the line.
  if (name === '.' || name === 'source') return first?.value === undefined || /^(?:\/dev\/|-)/.test(first.value);
  if (name === 'printf') return first === undefined || mayBeOption(first, 'v');
  if (name === 'test' || name === '[') return rest.some(isIndexed) || mayTestName(rest);
  if (!TAKES_NAMES.test(name)) return false;
  if (rest.some(({ value = '' }) => EXPANDED_VARIABLES.test(value.replace(/\+?=.*/s, '')))) return true;
  if (name === 'mapfile' || name === 'readarray') {
    if (rest.some(({ beginning }) => /^-[a-zA-Z]*C/.test(beginning))) return true;
  }
  if (/^(?:declare|typeset|local)$/.test(name)) {
    // Numbers and references evaluate their values.
    return rest.some((word) => /^[-+][a-zA-Z]*[in]/.test(word.beginning) || isIndexed(word) || isUnknownName(word));
  }
  if (name === 'export' || name === 'readonly') return rest.some(isIndexed);
  return rest.some((word) => isIndexed(word) || isUnknownName(word));
}

/** Whether a word is, or may be at run time, an option with one of these letters. */
function mayBeOption(word: ShellWord, letters: string): boolean {
  const { value, beginning } = word;
  if (mayBecomeOption(word) || (value === undefined && /^[-+]/.test(beginning))) return true;
  return new RegExp(`^[-+]\\w*[${letters}]`).test(beginning);
}

/** Whether `test` may get `-v` and a name that only the run shows. A word without quotes may become both. */
function mayTestName(words: readonly ShellWord[]): boolean {
  return words.some(({ value, source, maySplit }, at) => {
    if (value !== undefined) return false;
    const before = words[at - 1];
    return (maySplit && !IS_COUNT.test(source)) || (before !== undefined && mayBeOption(before, 'vR'));
  });
}

function isIndexed({ source }: ShellWord): boolean {
  const [name = ''] = source.split('=');
  return name.includes('[') && source !== '[';
}

function isUnknownName({ value, source }: ShellWord): boolean {
  return value === undefined && !/^[A-Za-z_]\w*\+?=/.test(source);
}

/** Whether nothing in the line can set a variable to anything but a number. */
function isNumber(name: string, assignments: readonly StrictAssignment[], commands: readonly SubCommand[]): boolean {
  const own = assignments.filter((assignment) => assignment.name === name);
  if (own.length === 0) return NUMBERS.test(name) && !commands.some((command) => mayName(name, command));
  return own.every(isNumeric) && !commands.some((command) => mayName(name, command));
}

function isNumeric({ word }: StrictAssignment): boolean {
  if (!word || word.prefix?.includes('+')) return false;
  return word.forms.every((form) => {
    const [first, ...others] = form;
    const isText = form.every(({ kind }) => kind === 'text');
    if (isText) return /^-?\d+$/.test(form.map((piece) => ('text' in piece ? piece.text : '')).join(''));
    if (others.length > 0) return false;
    if (first?.kind === 'variable') return /^[?#$!]$/.test(first.name);
    return first?.kind === 'arithmetic' || (first?.kind === 'parameter' && first.text.startsWith('#'));
  });
}

/** Whether a command of the shell may set the variable to what it reads. */
function mayName(name: string, command: SubCommand): boolean {
  const program = programOf(command) ?? '';
  if (program === '.' || program === 'source') return true;
  if (!TAKES_NAMES.test(program) && program !== 'printf') return false;
  return command.words.some(({ value, source }) =>
    value === undefined ? !source.includes('=') : value.replace(/\+?=.*/s, '') === name,
  );
}
