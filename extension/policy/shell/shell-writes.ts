import { normalize } from 'node:path/posix';
import { ownValue } from '../../base/objects.ts';
import { hasShortOption, isLongOption, splitArguments } from './options.ts';
import { afterGlobalOptions } from './risky-git.ts';
import { literalWord, programOf, type ReadableShell, type ShellWord, type SubCommand } from './shell-types.ts';

/** Targets that are not files: writing to them changes nothing. */
export const NOWHERE = /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/;

/** Programs that change, create or remove every operand. */
const CHANGES_ALL = new Set(
  `tee rm rmdir unlink shred truncate touch mkdir mkfifo mknod chmod chown chgrp chattr setfacl sponge patch srm trash
  gzip gunzip bzip2 xz`.split(/\s+/),
);
/** Programs that write to what follows their input. */
const WRITES_SECOND = new Set(['uniq', 'split', 'xxd']);
/** Programs whose last operand is the target, unless -t names it, with their options that certainly take no value. */
const COPIES: Readonly<Record<string, RegExp | 'all'>> = {
  // Without -l and -s, which create links: a write through the link changes its target.
  cp: /^(?:-[aRrdfHiLnPpTuvxb]+|--(?:recursive|force|archive|no-clobber|verbose|update|parents|interactive))$/,
  install: /^(?:-[bcCdDpsv]+|--(?:directory|verbose|compare|strip))$/,
  rsync: /^(?:-[avzrhPnutlpgoDqcxHAXWmi]+|--(?:archive|delete|progress|verbose|recursive|dry-run|stats|compress))$/,
  scp: /^-[rpqCv346B]+$/,
  ditto: /^-[vVX]+$/,
  // A write through a link changes its target, and moving a file removes it.
  ln: 'all',
  link: 'all',
  mv: 'all',
};
const TARGET_FOLDER = /^(?:-[A-Za-z]*t|--target-directory)$/;
/** Programs that change their operands only with certain options. Then every operand may be changed. */
const CHANGES_WITH: Readonly<Record<string, { readonly short: string; readonly long: readonly string[] }>> = {
  sed: { short: 'i', long: ['--in-place'] },
  gsed: { short: 'i', long: ['--in-place'] },
  awk: { short: 'i', long: ['--include'] },
  gawk: { short: 'i', long: ['--include'] },
  perl: { short: 'i', long: [] },
  ruby: { short: 'i', long: [] },
};
/** Options whose value is a file or folder to write. */
const OUTPUT_OPTIONS: Readonly<Record<string, RegExp>> = {
  sort: /^(?:-[A-Za-z]*o|--output)$/,
  curl: /^(?:-[A-Za-z]*[oDc]|--output|--output-dir|--dump-header|--cookie-jar|--trace)$/,
  wget: /^(?:-[A-Za-z]*[OoPa]|--output-document|--output-file|--directory-prefix)$/,
  tar: /^(?:-[A-Za-z]*[fC]|--file|--directory|[A-Za-z]*f)$/,
  unzip: /^-d$/,
  find: /^-(?:fprint|fprint0|fprintf|fls)$/,
  git: /^(?:--output|--output-directory|--prefix|-o)$/,
  base64: /^(?:-o|--output)$/,
  gcc: /^-o$/,
  cc: /^-o$/,
  clang: /^-o$/,
  'g++': /^-o$/,
  'clang++': /^-o$/,
  'c++': /^-o$/,
  ld: /^-o$/,
  rustc: /^(?:-o|--out-dir)$/,
  go: /^-o$/,
  shuf: /^(?:-[A-Za-z]*o|--output)$/,
  gpg: /^(?:-[A-Za-z]*o|--output)$/,
  openssl: /^-(?:out|keyout|writerand)$/,
  'ssh-keygen': /^-f$/,
  csplit: /^(?:-[A-Za-z]*f|--prefix)$/,
  pandoc: /^(?:-o|--output)$/,
  tsc: /^--(?:outDir|outFile|declarationDir)$/,
  tree: /^(?:-[A-Za-z]*o|--output)$/,
  less: /^(?:-[A-Za-z]*[oO]|--log-file|--LOG-FILE)$/,
};
/** Subcommands that write Git's settings or hooks, with the words that only look at them. */
const GIT_SETTINGS: Readonly<Record<string, RegExp>> = {
  submodule: /^(?:status|summary|foreach)$/,
  lfs: /^(?:ls-files|status|env|logs|version)$/,
  maintenance: /^run$/,
  'sparse-checkout': /^(?:list|check-rules)$/,
};
const GIT_CHANGES = new Set('rm mv checkout restore clean apply mailinfo pack-objects'.split(' '));

/** Files to which these programs write their settings. */
const CONFIGURES: Readonly<Record<string, string>> = {
  npm: '.npmrc',
  pnpm: '.npmrc',
  yarn: '.yarnrc.yml',
  pip: 'pip.conf',
  pip3: 'pip.conf',
};

/** Programs that write Git's hooks, with the first operand that makes them do it. */
const WRITES_HOOKS: Readonly<Record<string, RegExp>> = {
  'pre-commit': /^(?:install|uninstall|init-templatedir)/,
  husky: /^(?:install|init|add|set)?$/,
  lefthook: /^(?:install|uninstall|add)$/,
};

function isConfiguring(command: SubCommand): boolean {
  if (ownValue(CONFIGURES, programOf(command) ?? '') === undefined) return false;
  const [first, second] = splitArguments(command.words).operands.map(({ value }) => value);
  return first === 'set' || (/^(?:config|c)$/.test(first ?? '') && !/^(?:get|list|ls)$/.test(second ?? 'list'));
}

/** All words of a line that name what it writes, changes or removes. */
export function targetsIn({ commands }: ReadableShell): readonly ShellWord[] {
  return commands.flatMap(targetsOf);
}

/** All paths that a line writes, changes or removes, as far as its words show. */
export function writesOf(shell: ReadableShell, targets = targetsIn(shell)): readonly string[] {
  return fromEveryFolder(shell, targets).filter((path) => path !== undefined);
}

/** A path that a line writes at or below a link that it creates itself. Its name doesn't tell which file is written. */
export function writeThroughOwnLink(shell: ReadableShell): string | undefined {
  const [linking, others] = [shell.commands.filter(makesLinks), shell.commands.filter((each) => !makesLinks(each))];
  if (linking.length === 0) return undefined;
  const pathsOf = (commands: readonly SubCommand[]): readonly string[] =>
    fromEveryFolder(shell, commands.flatMap(targetsOf))
      .filter((path) => path !== undefined)
      .map((path) => normalize(path));
  const links = pathsOf(linking);
  return pathsOf(others).find((path) => links.some((link) => `${path}/`.startsWith(`${link}/`)));
}

function makesLinks(command: SubCommand): boolean {
  const name = programOf(command);
  if (name !== 'cp') return name === 'ln' || name === 'link';
  const { options } = splitArguments(command.words);
  return options.some((each) => hasShortOption(each, 'ls') || isLongOption(each, ['--link', '--symbolic-link']));
}

/** All paths to which output is redirected. Undefined for a path that is only known at run time. */
export function redirectionsOf(shell: ReadableShell): readonly (string | undefined)[] {
  const targets = shell.commands.flatMap(({ writes }) => writes);
  return fromEveryFolder(shell, targets);
}

export function fromEveryFolder(shell: ReadableShell, targets: readonly ShellWord[]): readonly (string | undefined)[] {
  if (targets.length === 0) return [];
  const folders = foldersEntered(shell);
  const paths = targets.map(pathOf).filter((path) => path === undefined || !NOWHERE.test(path));
  const all = paths.flatMap((path) => [
    path,
    ...folders.map((folder) => (folder === undefined || path === undefined ? undefined : `${folder}/${path}`)),
  ]);
  return [...new Set(all)];
}

/** Partly known words without quotes: `"$PWD/.vscode/x"` still names a folder. */
export function partlyKnownWrites(targets: readonly ShellWord[]): readonly string[] {
  const unknown = targets.filter(({ value }) => value === undefined);
  return unknown.flatMap(({ source }) => {
    const bare = source.replace(/["'\\]/g, '');
    return [bare, ...bare.split(/[{},?#&;]/)].filter((text) => text !== '');
  });
}

/** The source of a word that writes to all matches of a pattern: `.vscod[e]/x` names no file, but matches one. */
export function patternWrite(targets: readonly ShellWord[]): string | undefined {
  const unknown = targets.filter(({ value }) => value === undefined);
  return unknown.find(({ source }) => isPattern(source))?.source;
}

function isPattern(source: string): boolean {
  const bare = source.replace(/'[^']*'|"[^"]*"|\\./g, '').replace(/\$\{[^}]*\}|\$\([^)]*\)/g, '');
  // Braces are not patterns, but they can form a name that starts with a dot.
  return /[*?[]/.test(bare) || bare.split('/').some((name) => name.includes('{') && /(?:^|[{,])\./.test(name));
}

/** The sources of words whose write target is only known at run time. */
export function unknownWrites(targets: readonly ShellWord[]): readonly string[] {
  const unknown = targets.filter((word) => word.value === undefined && !isHomePath(word));
  return unknown.map(({ source }) => source).filter((source) => source !== '');
}

/** The source of a word that decides where a line writes, if that is only known at run time. */
export function unknownPlace(shell: ReadableShell): string | undefined {
  const targets = targetsIn(shell);
  const words = targets.length > 0 ? [...targets, ...enteredIn(shell)] : [];
  // The conditions of `find` say what it finds, and a process substitution is no file.
  const isNoFile = (source: string): boolean => source.includes('{}') || source.startsWith('>(');
  return unknownWrites(words).find((source) => !isNoFile(source));
}

/** Words that name a folder to which a line changes. */
export function enteredIn({ commands }: ReadableShell): readonly ShellWord[] {
  return commands.flatMap((command) => {
    const name = programOf(command);
    if (name === 'cd' || name === 'pushd') return splitArguments(command.words).operands.slice(0, 1);
    return optionValues(command, /^(?:-C|--chdir)$/).slice(0, 1);
  });
}

/** More folders would take too long to check. */
const MAX_FOLDERS = 8;

/**
 * After `cd .git`, `hooks/x` means `.git/hooks/x`. An earlier `cd` may count or not: it may be in a subshell, or taken
 * back. Undefined for a folder that is only known at run time.
 */
function foldersEntered(shell: ReadableShell): readonly (string | undefined)[] {
  const folders: string[] = [];
  const entered = enteredIn(shell).map(pathOf);
  for (const next of entered) {
    if (next === undefined) continue;
    const around = /^[/~]/.test(next) ? [] : folders.slice(-MAX_FOLDERS);
    folders.push(next, ...around.map((folder) => `${folder}/${next}`));
  }
  return entered.includes(undefined) ? [...folders, undefined] : folders;
}

/** Whether an option makes the program write a file. */
export function hasOutputOption(program: string): boolean {
  return ownValue(OUTPUT_OPTIONS, program) !== undefined;
}

/** The words of a command that name what it writes, including its redirections. */
export function targetsOf(command: SubCommand): readonly ShellWord[] {
  return [...command.writes, ...operandTargets(command)];
}

function operandTargets(command: SubCommand): readonly ShellWord[] {
  const name = programOf(command) ?? '';
  const { options, operands } = splitArguments(command.words);
  if (CHANGES_ALL.has(name)) return operands;
  if (name === 'flock') return operands.slice(0, 1);
  if (WRITES_SECOND.has(name)) return operands.slice(1).slice(-1);
  const flags = ownValue(COPIES, name);
  if (flags !== undefined) return copyTargets(command, flags);
  if (name === 'dd')
    return operands.filter(({ beginning }) => beginning.startsWith('of=')).map((word) => after(word, 3));
  if (isConfiguring(command)) return [literalWord(CONFIGURES[name] ?? '')];
  if (ownValue(WRITES_HOOKS, name)?.test(operands[0]?.value ?? '')) return [literalWord('.git/hooks')];
  if (name === 'crontab') return operands.length + options.length > 0 ? [literalWord('crontab')] : [];
  const changes = ownValue(CHANGES_WITH, name);
  if (changes && options.some((each) => hasShortOption(each, changes.short) || isLongOption(each, changes.long)))
    return operands;
  const output = ownValue(OUTPUT_OPTIONS, name);
  const written = output ? optionValues(command, output) : [];
  if (name === 'git') return [...written, ...gitTargets(command)];
  // For `curl`, `#1` is a part of the address.
  return written.map((word) => (name === 'curl' && /#\d/.test(word.beginning) ? { ...word, value: undefined } : word));
}

function copyTargets(command: SubCommand, flags: RegExp | 'all'): readonly ShellWord[] {
  const { options, operands } = splitArguments(command.words);
  const folders = optionValues(command, TARGET_FOLDER);
  const isClear = flags !== 'all' && options.every((each) => flags.test(each) || /^--[^=]+=/.test(each));
  // The last operand may be the value of an option instead of the target.
  const ends = [...folders, ...operands.slice(isClear || folders.length > 0 ? -1 : -2)];
  const inside = ends.flatMap((end) => operands.filter((each) => each !== end).map((each) => placedIn(end, each)));
  return [...(isClear ? ends : [...operands, ...folders]), ...inside.filter((word) => word !== undefined)];
}

/** `cp a/.npmrc .` writes `./.npmrc`. */
function placedIn(folder: ShellWord, copied: ShellWord): ShellWord | undefined {
  const name = copied.value?.replace(/[\\/]+$/, '').replace(/^.*[\\/]/s, '');
  if (!name || /^\.{1,2}$/.test(name)) return undefined;
  return folder.value === undefined ? undefined : literalWord(`${folder.value}/${name}`);
}

function gitTargets({ words }: SubCommand): readonly ShellWord[] {
  const index = afterGlobalOptions(words);
  const sub = words[index]?.value ?? '';
  const { options, operands } = splitArguments(words.slice(index));
  const remote = sub === 'remote' && operands.some(({ beginning }) => /^(?:ext|fd)::/.test(beginning));
  const looks = ownValue(GIT_SETTINGS, sub);
  const isSet = looks && operands.length > 0 && !looks.test(operands[0]?.value ?? '');
  const template = sub === 'init' && options.some((each) => isLongOption(each, ['--template', '--separate-git-dir']));
  const isEdited = options.some((each) => hasShortOption(each, 'e') || isLongOption(each, ['--edit']));
  if (remote || isSet || template || (sub === 'config' && (isEdited || operands.length > 0)))
    return [literalWord('.git/config')];
  return GIT_CHANGES.has(sub) ? operands : [];
}

/** Finds the values of `-o x`, `-ox`, `--output x` and `--output=x`. */
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

const HOME = /^"?\$(?:HOME\b|\{HOME\})"?/;

function isHomePath({ source }: ShellWord): boolean {
  return HOME.test(source) && !/[$*?[`]/.test(source.replace(HOME, ''));
}

/** The known part of a word as a path: `$HOME/x` is `~/x`, and of `.git/*`, `.git/` is known. */
export function pathOf(word: ShellWord | undefined): string | undefined {
  if (word === undefined || word.value !== undefined) return word?.value;
  if (HOME.test(word.source)) return `~${word.source.replace(HOME, '').replace(/["']/g, '')}`;
  return word.beginning === '' ? undefined : word.beginning;
}
