import { pathsIn } from './known-safe.ts';
import { hasShortOption, isLongOption, splitArguments } from './options.ts';
import { isReader } from './read-only.ts';
import { afterGlobalOptions } from './risky-git.ts';
import { literalWord, programOf, type ReadableShell, type ShellWord, type SubCommand } from './shell-types.ts';
import { hasOutputOption } from './shell-writes.ts';
import { isWrapper } from './unwrap-command.ts';

/** Options whose value names files to ignore. */
const EXCLUDES = /^--?[\w-]*(?:exclude|ignore)[\w-]*/;

/** Words of programs that might write any file that they get: `uniq a .npmrc`, `ex .envrc`. */
export function mayBeWritten({ commands }: ReadableShell): readonly ShellWord[] {
  return commands.flatMap((command) => {
    const name = programOf(command) ?? '';
    if (isReader(command) || isWrapper(name)) return [];
    return [...command.words, ...(/^g?sed$/.test(name) ? writtenBySed(command) : [])]
      .slice(1)
      .filter((word, index) => !EXCLUDES.test(word.beginning) && !isExcluded(command.words[index]));
  });
}

/** `sed -n 'w x'` and `sed s/a/b/w.x` write a file, with or without a space before its name. */
function writtenBySed({ words }: SubCommand): readonly ShellWord[] {
  const script = words.map(({ beginning }) => beginning).join('\n');
  const found = script.matchAll(/(?:^|[\s;{}\d$!/|,#:])[gpiIme\d]*w[ \t]*([^\s;}]+)/gim);
  return [...found].map(([, path = '']) => literalWord(path));
}

function isExcluded(before: ShellWord | undefined): boolean {
  return before !== undefined && EXCLUDES.test(before.beginning) && !before.beginning.includes('=');
}

/** What a program that unpacks one file removes from its name: of `.npmrc.gz` it makes `.npmrc`. */
const PACKED = /\.(?:gz|z|bz2|xz|lzma|zst|lz4|lz|br|gpg|pgp|asc|sig)$/i;

/** The parts of such a word that may be a path: also in `%output{x}`, `--emit=asm=x` and `-MFx`. */
export function possiblePaths(word: string): readonly string[] {
  const formats = [...word.matchAll(/%output\{(?:>>)?([^}]*)\}/g)].map(([, path = '']) => path);
  // In an address, `%2E` is a dot.
  const plain = word.replace(/%([2-7][0-9a-f])/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  const pieces = /\s/.test(word) ? [] : `${word},${plain}`.split(/[={},:@?#&;]+/);
  // The value of an option may follow other letters: `-foCLAUDE.md`.
  const [, letters = ''] = /^-([A-Za-z]{2,})/.exec(word) ?? [];
  const values = [...letters.slice(0, 6)].map((_, at) => word.slice(at + 2));
  const names = [...pathsIn(word), ...values, ...pieces, ...formats];
  return names.flatMap((name) => (PACKED.test(name) ? [name, name.replace(PACKED, '')] : [name]));
}

/** The command, as people write it, that writes files named by an archive, a patch, a commit or its input. */
export function unnamedWriter({ commands }: ReadableShell): string | undefined {
  for (const command of commands) {
    const name = (programOf(command) ?? '').replace(/^(python)[\d.]+$/, '$1');
    if (name === 'git' && isWholesale(command))
      return `git ${command.words[afterGlobalOptions(command.words)]?.value ?? ''}`;
    if (isUnpacking(command, name) || takesOptionsFromFile(command, name)) return name;
    if (name === 'xargs' && !onlyReadsInput(command)) return name;
  }
  return undefined;
}

/** Options of `xargs` whose value is the next word. */
const XARGS_VALUES =
  /^(?:-[0rtxop]*[adEILnPs]|--(?:arg-file|delimiter|max-args|max-procs|max-chars|process-slot-var))$/;

/** Whether the program to which `xargs` passes words from its input reads them. They may become options, too. */
function onlyReadsInput({ words }: SubCommand): boolean {
  let at = 1;
  while (words[at]?.beginning.startsWith('-')) at += XARGS_VALUES.test(words[at]?.value ?? '') ? 2 : 1;
  const run = { words: words.slice(at) };
  const name = programOf(run) ?? '';
  return run.words.length === 0 || (isReader(run) && (name === 'git' || !hasOutputOption(name)));
}

function isUnpacking({ words }: SubCommand, name: string): boolean {
  const { options, operands } = splitArguments(words);
  const has = (letters: string, ...long: readonly string[]): boolean =>
    options.some((option) => hasShortOption(option, letters) || isLongOption(option, long));
  switch (name) {
    case 'patch':
      // After an option with a value, it is that value.
      return !words.some(
        ({ beginning }, index) =>
          isLongOption(beginning, ['--dry-run', '--check']) &&
          !/^-[BDFYdgioprxzV]$/.test(words[index - 1]?.value ?? ''),
      );
    case 'tar':
    case 'gtar':
    case 'bsdtar':
      return has('x', '--extract', '--get') || /^[A-Za-z]*x[A-Za-z]*$/.test(words[1]?.beginning ?? '');
    case 'unzip':
      // The folder of -d and the password of -P may follow without a space.
      return !options.some((option) => /^-[^dP]*[ltpvZ]/.test(option));
    case 'python':
      return words.some(({ value = '' }) => /^-?m?(?:zip|tar)file$/.test(value)) && has('e', '--extract');
    case 'cpio':
      return has('ip', '--extract', '--pass-through');
    case 'pax':
      return has('r');
    case 'unar':
    case 'uudecode':
      return true;
    case 'gunzip':
      return has('N', '--name');
    case 'gzip':
      return has('d', '--decompress', '--uncompress') && has('N', '--name');
    case 'curl':
      return has('J', '--remote-header-name');
    case 'wget':
      return has('rxmpi', '--recursive', '--mirror', '--force-directories', '--page-requisites', ...NAMED_BY_SERVER);
    case '7z':
    case '7za':
    case '7zr':
    case '7zz':
    case 'unrar':
    case 'ar':
    case 'jar':
      return [words[1], operands[0]].some((word) => /^-{0,2}[a-z]*[xe]/.test(word?.beginning ?? ''));
    default:
      return false;
  }
}

function takesOptionsFromFile({ words }: SubCommand, name: string): boolean {
  return COMPILER.test(name) && words.some(({ beginning }) => beginning.startsWith('@'));
}

const NAMED_BY_SERVER = ['--input-file', '--content-disposition', '--trust-server-names'];

/** Compilers read further options from the file behind `@`. */
const COMPILER = /^(?:gcc|cc|g\+\+|c\+\+|clang|clang\+\+|ld|ar|rustc|javac|javadoc|jar)$/;

function isWholesale({ words }: SubCommand): boolean {
  const at = afterGlobalOptions(words);
  const { options } = splitArguments(words.slice(at));
  const has = (...long: readonly string[]): boolean => options.some((option) => isLongOption(option, long));
  switch (words[at]?.value) {
    case 'apply':
      return has('--apply') || !has('--check', '--stat', '--numstat', '--summary');
    case 'am':
    case 'read-tree':
      return true;
    default:
      return has('--pathspec-from-file') && !isReader({ words });
  }
}
