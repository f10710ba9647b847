import { hasShortOption, isLongOption, splitArguments } from './options.ts';
import { programOf, type ReadableShell, type ShellWord, type SubCommand } from './shell-types.ts';

/** Writing here changes no file. */
const NOWHERE = /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/;

/** Every operand is changed, made or removed. */
const CHANGES_ALL = new Set(
  `tee rm rmdir unlink shred truncate touch mkdir mkfifo mknod chmod chown chgrp chattr setfacl mv sponge patch srm trash
  gzip gunzip bzip2 xz`.split(/\s+/),
);
/** The last operand is the target, unless -t names it. */
const CHANGES_LAST = new Set(['cp', 'install', 'ln', 'rsync', 'scp', 'link', 'ditto']);
/** Changed only when an option says so, by program: then every operand may be. */
const CHANGES_WITH: Readonly<Record<string, { readonly short: string; readonly long: readonly string[] }>> = {
  sed: { short: 'i', long: ['--in-place'] },
  gsed: { short: 'i', long: ['--in-place'] },
  perl: { short: 'i', long: [] },
  ruby: { short: 'i', long: [] },
};
/** The option whose value is written. */
const OUTPUT_OPTIONS: Readonly<Record<string, RegExp>> = {
  sort: /^(?:-[A-Za-z]*o|--output)$/,
  curl: /^(?:-[A-Za-z]*[oDc]|--output|--output-dir|--dump-header|--cookie-jar|--trace)$/,
  wget: /^(?:-[A-Za-z]*[OoPa]|--output-document|--output-file|--directory-prefix)$/,
  tar: /^(?:-[A-Za-z]*[fC]|--file|--directory|[A-Za-z]*f)$/,
  unzip: /^-d$/,
  find: /^-(?:fprint|fprint0|fprintf|fls)$/,
  git: /^(?:--output|--output-directory|-o)$/,
  base64: /^(?:-o|--output)$/,
  gcc: /^-o$/,
  go: /^-o$/,
};
const GIT_CHANGES = new Set('rm mv checkout restore clean apply'.split(' '));

/** Every path a line writes, changes or removes, as far as its words show. */
export function writesOf(shell: ReadableShell): readonly string[] {
  const folders = foldersEntered(shell);
  const paths = shell.commands
    .flatMap(targetsOf)
    .map(pathOf)
    .filter((path) => path !== undefined && !NOWHERE.test(path));
  return [...new Set(paths.flatMap((path) => [path ?? '', ...folders.map((folder) => `${folder}/${path}`)]))];
}

/** Writes whose place is only known at run time; each as it is written. */
export function unknownWrites(shell: ReadableShell): readonly string[] {
  const unknown = shell.commands.flatMap(targetsOf).filter((word) => word.value === undefined && !isHomePath(word));
  return unknown.map(({ source }) => source).filter((source) => source !== '');
}

/** After `cd .git`, `hooks/x` means `.git/hooks/x`. */
function foldersEntered(shell: ReadableShell): readonly string[] {
  const entered = shell.commands.flatMap((command) => {
    const name = programOf(command);
    const { operands } = splitArguments(command.words);
    if (name === 'cd' || name === 'pushd') return operands.slice(0, 1).map(pathOf);
    const at = command.words.findIndex(({ value }) => value === '-C');
    return at > 0 ? [pathOf(command.words[at + 1])] : [];
  });
  const known = entered.filter((folder) => folder !== undefined);
  return known.map((_, index) => known.slice(0, index + 1).join('/'));
}

/** The words of a command that name what it writes, its redirections included. */
function targetsOf(command: SubCommand): readonly ShellWord[] {
  return [...command.writes, ...operandTargets(command)];
}

function operandTargets(command: SubCommand): readonly ShellWord[] {
  const name = programOf(command) ?? '';
  const { options, operands } = splitArguments(command.words);
  if (CHANGES_ALL.has(name)) return [...operands, ...optionValues(command, /^(?:-[A-Za-z]*t|--target-directory)$/)];
  if (CHANGES_LAST.has(name)) {
    return [...operands.slice(-1), ...optionValues(command, /^(?:-[A-Za-z]*t|--target-directory)$/)];
  }
  if (name === 'dd')
    return operands.filter(({ beginning }) => beginning.startsWith('of=')).map((word) => after(word, 3));
  if (name === 'crontab') return operands.length + options.length > 0 ? [literal('crontab')] : [];
  const changes = CHANGES_WITH[name];
  if (changes && options.some((each) => hasShortOption(each, changes.short) || isLongOption(each, changes.long)))
    return operands;
  const written = OUTPUT_OPTIONS[name] ? optionValues(command, OUTPUT_OPTIONS[name]) : [];
  return name === 'git' ? [...written, ...gitTargets(operands)] : written;
}

function gitTargets(operands: readonly ShellWord[]): readonly ShellWord[] {
  const [sub, ...rest] = operands;
  if (sub?.value === 'config' && rest.length > 0) return [literal('.git/config')];
  return GIT_CHANGES.has(sub?.value ?? '') ? rest : [];
}

/** `-o x`, `-ox`, `--output x` and `--output=x`. */
function optionValues({ words }: SubCommand, option: RegExp): readonly ShellWord[] {
  return words.flatMap((word, index) => {
    const { beginning } = word;
    if (word.value !== undefined && option.test(word.value))
      return words[index + 1] ? [words[index + 1] as ShellWord] : [];
    const equals = beginning.startsWith('--') ? beginning.indexOf('=') : -1;
    if (equals > 0 && option.test(beginning.slice(0, equals))) return [after(word, equals + 1)];
    const joined = /^-[A-Za-z]/.test(beginning)
      ? [...beginning].findIndex((_, at) => at > 0 && option.test(beginning.slice(0, at + 1)))
      : -1;
    return joined > 0 ? [after(word, joined + 1)] : [];
  });
}

function after({ value, beginning, source }: ShellWord, length: number): ShellWord {
  return { value: value?.slice(length), beginning: beginning.slice(length), source: source.slice(length) };
}

function literal(text: string): ShellWord {
  return { value: text, beginning: text, source: text };
}

const HOME = /^"?\$(?:HOME\b|\{HOME\})"?/;

function isHomePath({ source }: ShellWord): boolean {
  return HOME.test(source) && !/[$*?[`]/.test(source.replace(HOME, ''));
}

/** What can be said of a word as a path: `$HOME/x` is `~/x`, and of `.git/*` at least `.git/` is known. */
export function pathOf(word: ShellWord | undefined): string | undefined {
  if (word === undefined || word.value !== undefined) return word?.value;
  if (HOME.test(word.source)) return `~${word.source.replace(HOME, '').replace(/["']/g, '')}`;
  return word.beginning === '' ? undefined : word.beginning;
}
