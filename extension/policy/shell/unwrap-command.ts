import * as l10n from '@vscode/l10n';
import { ownValue } from '../../base/objects.ts';
import { type ParsedShell, programOf, type ShellWord, type SubCommand, UNKNOWN_WORD } from './shell-types.ts';

/** The commands that wrapper programs would run, as far as their words show them reliably. */
export interface UnwrappedCommand {
  readonly commands: readonly SubCommand[];
  readonly hasRedirection: boolean;
  readonly concerns: readonly string[];
  /** Words that are scripts for a shell, with the rewritten script. Undefined if a script can't be rewritten. */
  readonly scripts: ReadonlyMap<ShellWord, string | undefined>;
  /** Whether all scripts are plain. */
  readonly isPlain: boolean;
}

type ParseScript = (script: string) => ParsedShell;

/** Describes where a wrapper's own words end and the command begins. */
interface Wrapper {
  /** Options without a value, as single letters. */
  readonly flags: string;
  /** Options with a value, as single letters. */
  readonly values?: string;
  readonly long?: readonly string[];
  /** Long options whose value is the next word, unless it follows `=`. */
  readonly longValues?: readonly string[];
  /** The number of operands before the command: the duration of `timeout`, the folder of `chroot`. */
  readonly operands?: number;
  /** Words such as `A=b` before the command set variables. */
  readonly assigns?: true;
  /** The command gets more words than the line shows. */
  readonly addsWords?: true;
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: {
    flags: 'i0v',
    values: 'uC',
    long: ['--ignore-environment', '--null'],
    longValues: ['--unset', '--chdir'],
    assigns: true,
  },
  nice: { flags: '0123456789', values: 'n', longValues: ['--adjustment'] },
  nohup: { flags: '' },
  timeout: {
    flags: 'v',
    values: 'sk',
    long: ['--preserve-status', '--foreground', '--verbose'],
    longValues: ['--signal', '--kill-after'],
    operands: 1,
  },
  time: { flags: 'p' },
  command: { flags: 'p' },
  builtin: { flags: '' },
  exec: { flags: 'cl', values: 'a' },
  sudo: { flags: 'nEHSkb', values: 'ugpC', long: ['--non-interactive', '--set-home', '--stdin'], assigns: true },
  doas: { flags: 'n', values: 'u' },
  stdbuf: { flags: '', values: 'ioe', longValues: ['--input', '--output', '--error'] },
  ionice: { flags: 't', values: 'cn', longValues: ['--class', '--classdata'] },
  busybox: { flags: '' },
  toybox: { flags: '' },
  setarch: { flags: 'vR' },
  linux64: { flags: 'vR' },
  linux32: { flags: 'vR' },
  prlimit: { flags: '' },
  choom: { flags: '', values: 'n' },
  taskset: { flags: 'c', operands: 1 },
  setsid: { flags: 'cfw', long: ['--ctty', '--fork', '--wait'] },
  chroot: { flags: '', operands: 1 },
  caffeinate: { flags: 'disu', values: 'tw' },
  xargs: {
    flags: '0rtxo',
    values: 'nPLsdE',
    long: ['--null', '--no-run-if-empty', '--verbose', '--exit'],
    longValues: ['--max-args', '--max-procs', '--max-lines', '--delimiter'],
    addsWords: true,
  },
};

const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'fish']);
/** Shells whose scripts the grammar can parse. */
const BASH_LIKE = new Set(['sh', 'bash', 'dash']);
const OTHER_SHELLS = new Set(['powershell', 'pwsh', 'cmd', 'nu', 'csh', 'tcsh', 'elvish', 'xonsh']);
const FIND_RUNS = new Set(['-exec', '-execdir', '-ok', '-okdir']);
const MAX_WRAPPERS = 8;

/** Whether a program runs another program that its words show and that is listed separately. */
export function isWrapper(name: string): boolean {
  return ownValue(WRAPPERS, name) !== undefined || SHELLS.has(name) || name === 'watch' || name === 'flock';
}

export function unwrapCommand(commands: readonly SubCommand[], parse: ParseScript): UnwrappedCommand {
  const found: SubCommand[] = [];
  const concerns: string[] = [];
  const scripts = new Map<ShellWord, string | undefined>();
  let hasRedirection = false;
  let isPlain = true;
  const look = (command: SubCommand, depth: number): void => {
    const inner = innerOf(command, parse);
    concerns.push(...inner.concerns);
    for (const [word, written] of inner.scripts) scripts.set(word, written);
    hasRedirection ||= inner.hasRedirection;
    isPlain &&= inner.isPlain;
    for (const each of inner.commands) {
      found.push(each);
      if (depth >= MAX_WRAPPERS) concerns.push(l10n.t('too many wrappers inside each other'));
      // Commands of a script were already unwrapped when the script was parsed.
      else if (!inner.isScript) look(each, depth + 1);
    }
  };
  for (const command of commands) look(command, 0);
  return { commands: found, hasRedirection, concerns, scripts, isPlain };
}

type Inner = UnwrappedCommand & { readonly isScript?: true };
const NOTHING: Inner = { commands: [], hasRedirection: false, concerns: [], scripts: new Map(), isPlain: true };

function innerOf(command: SubCommand, parse: ParseScript): Inner {
  const name = programOf(command);
  if (name === undefined) return NOTHING;
  if (OTHER_SHELLS.has(name)) return concern(l10n.t('a command for {0}, which is not supported', name));
  if (SHELLS.has(name)) return shellScript(command, name, parse);
  if (name === 'find') return findCommands(command);
  if (name === 'watch') return watched(command, parse);
  if (name === 'flock') return locked(command, parse);
  if (name === 'eval') return evaluated(command, parse);
  if (name === 'trap') return trapped(command, parse);
  if (name === 'parallel') return concern(l10n.t('`parallel`, which builds its commands itself'));
  const wrapper = ownValue(WRAPPERS, name);
  return wrapper ? wrapped(command, name, wrapper) : NOTHING;
}

function shellScript(command: SubCommand, name: string, parse: ParseScript): Inner {
  const [first, second] = command.words.slice(1);
  if (first?.value !== undefined && !/^[-+]/.test(first.value)) return NOTHING; // a script file is a program like others
  if (first?.value !== undefined && /^-[elux]*c$/.test(first.value)) {
    if (second?.value === undefined)
      return unknown(command, l10n.t('a script for {0} that is only known at run time', name));
    // The script follows more options.
    if (/^[-+]/.test(second.value)) return concern(l10n.t("`{0}` with a script that Gantry can't see", name));
    const script = scriptOf(second, second.value, parse);
    return BASH_LIKE.has(name)
      ? script
      : { ...script, concerns: [...script.concerns, l10n.t('a script for {0}, which may read it differently', name)] };
  }
  const why = l10n.t("`{0}` with a script that Gantry can't see", name);
  // Its value may be `-c`, followed by a script.
  return first !== undefined && first.value === undefined ? unknown(command, why) : concern(why);
}

function scriptOf(word: ShellWord, text: string, parse: ParseScript): Inner {
  const parsed = parse(text);
  if (!parsed.parsed) return concern(l10n.t('an inner script that could not be checked: {0}', parsed.reason));
  // A script that is joined from several words can't replace those words.
  const written = word.value === text ? parsed.written : undefined;
  return { ...parsed, scripts: new Map([[word, written]]), isScript: true };
}

function wrapped(command: SubCommand, name: string, wrapper: Wrapper): Inner {
  if (name === 'command' && /^-[pvV]*[vV]/.test(command.words[1]?.value ?? '')) return NOTHING;
  const assigned = wrapper.assigns ? command.words.slice(1).find(isAssignment) : undefined;
  const start = commandStart(command.words, wrapper);
  if (typeof start === 'string') return unclear(command, l10n.t('`{0}` with {1}', name, start));
  if (start >= command.words.length) {
    if (assigned) return concern(l10n.t('`{0}` with an assignment to a variable', name));
    if (name === 'exec') return concern(l10n.t('`exec` without a command, which redirects the output'));
    return NOTHING;
  }
  const words = command.words.slice(start);
  const inner = one(command, wrapper.addsWords ? [...words, UNKNOWN_WORD] : words);
  // The variable may change what the command does, but the words still show which files it touches.
  return assigned && command.words.indexOf(assigned) < start
    ? { ...inner, concerns: [...inner.concerns, l10n.t('`{0}` with an assignment to a variable', name)] }
    : inner;
}

function isAssignment({ beginning }: ShellWord): boolean {
  return /^[^-=/][^=/]*=/.test(beginning);
}

/** The index of the wrapped program, or the reason why it is unknown. */
function commandStart(words: readonly ShellWord[], wrapper: Wrapper): number | string {
  const { values = '', long = [], longValues = [], operands = 0 } = wrapper;
  let index = 1;
  for (; index < words.length; index += 1) {
    const word = words[index] ?? UNKNOWN_WORD;
    const { value, source } = word;
    if (wrapper.assigns && isAssignment(word) && !word.maySplit) continue;
    if (value === undefined) return l10n.t('the word {0}, which is only known at run time', source);
    if (value === '--') return index + 1 + operands;
    if (value.startsWith('--')) {
      const name = value.replace(/=.*$/s, '');
      if (longValues.includes(name)) index += value.includes('=') ? 0 : 1;
      else if (!long.includes(name)) return l10n.t('the option {0}', value);
    } else if (value.startsWith('-') && value.length > 1) {
      const letters = value.slice(1);
      const taking = [...letters].findIndex((letter) => values.includes(letter));
      const flags = taking < 0 ? letters : letters.slice(0, taking);
      if ([...flags].some((letter) => !wrapper.flags.includes(letter))) return l10n.t('the option {0}', value);
      if (taking === letters.length - 1 && taking >= 0) index += 1;
    } else {
      // The command follows the operands, even if it looks like an option.
      return index + operands;
    }
  }
  return index;
}

/** `find … -exec rm {} \;` runs rm with names that are not known yet. */
function findCommands(command: SubCommand): Inner {
  const commands: SubCommand[] = [];
  const { words } = command;
  words.forEach((word, index) => {
    if (!FIND_RUNS.has(word.value ?? '')) return;
    const rest = words.slice(index + 1);
    const end = rest.findIndex(({ value }, at) => value === ';' || (value === '+' && rest[at - 1]?.value === '{}'));
    const inner = (end < 0 ? rest : rest.slice(0, end)).map((each) =>
      each.value?.includes('{}') ? { ...each, value: undefined, beginning: each.beginning.split('{}')[0] ?? '' } : each,
    );
    if (inner.length > 0) commands.push({ ...command, words: inner, text: textOf(inner) });
  });
  return {
    ...NOTHING,
    commands,
    concerns: commands.length > 0 ? [l10n.t('`find` that runs a command')] : [],
  };
}

/** `watch` passes its words to a shell. */
function watched(command: SubCommand, parse: ParseScript): Inner {
  const start = commandStart(command.words, { flags: 'bcdegtx', values: 'n' });
  if (typeof start === 'string') return unclear(command, l10n.t('`watch` with {0}', start));
  const [first = UNKNOWN_WORD, ...others] = command.words.slice(start);
  const values = [first, ...others].map(({ value }) => value);
  if (values.some((value) => value === undefined))
    return unknown(command, l10n.t('`watch` with a word only known at run time'));
  return scriptOf(first, values.join(' '), parse);
}

/** `eval` runs the text that its words form. */
function evaluated(command: SubCommand, parse: ParseScript): Inner {
  const [first = UNKNOWN_WORD, ...others] = command.words.slice(1);
  const values = [first, ...others].map(({ value }) => value);
  if (values.some((value) => value === undefined))
    return unknown(command, l10n.t('a script that is only known at run time'));
  return scriptOf(first, values.join(' '), parse);
}

/** `trap` runs its first word later. An empty one and `-` are no script. */
function trapped(command: SubCommand, parse: ParseScript): Inner {
  const [, script] = command.words;
  if (script && script.value === undefined) return unknown(command, l10n.t('a script that is only known at run time'));
  return script?.value && !script.value.startsWith('-') ? scriptOf(script, script.value, parse) : NOTHING;
}

function locked(command: SubCommand, parse: ParseScript): Inner {
  const start = commandStart(command.words, { flags: 'sxnoF', values: 'wE', operands: 1 });
  if (typeof start === 'string') return unclear(command, l10n.t('`flock` with {0}', start));
  const [first, script] = command.words.slice(start);
  if (first?.value !== '-c') return first ? one(command, command.words.slice(start)) : NOTHING;
  return script?.value === undefined
    ? unknown(command, l10n.t('a script that is only known at run time'))
    : scriptOf(script, script.value, parse);
}

function one(command: SubCommand, words: readonly ShellWord[]): Inner {
  const concerns = words[0]?.value === undefined ? [l10n.t('a program that is only known at run time')] : [];
  return { ...NOTHING, commands: [{ ...command, words, text: textOf(words) }], concerns };
}

function textOf(words: readonly ShellWord[]): string {
  return words
    .map(({ source }) => source)
    .filter((source) => source !== '')
    .join(' ');
}

function concern(text: string): Inner {
  return { ...NOTHING, concerns: [text] };
}

/** The command runs one whose program nobody knows yet. */
function unknown(command: SubCommand, text: string): Inner {
  return { ...concern(text), commands: [{ ...command, words: [UNKNOWN_WORD] }] };
}

/** Whether it stands for a command that only the run shows. */
export function isUnknownCommand({ words }: SubCommand): boolean {
  return words[0] === UNKNOWN_WORD;
}

/** If a wrapper has an option that isn't in the table, any word after it may be the program. */
function unclear(command: SubCommand, text: string): Inner {
  return command.words.some(({ value }) => value === undefined) ? unknown(command, text) : concern(text);
}
