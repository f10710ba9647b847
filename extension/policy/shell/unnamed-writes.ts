import { normalize } from 'node:path/posix';
import { mayMatchProtected } from '../protected-paths.ts';
import { pathsIn } from './known-safe.ts';
import { hasShortOption, isLongOption, splitArguments } from './options.ts';
import { afterGlobalOptions } from './risky-git.ts';
import { programOf, type ReadableShell, type ShellWord, type SubCommand } from './shell-types.ts';
import { isWrapper } from './unwrap-command.ts';

/** Programs that only read their operands. Git is included because it has its own table. */
const READERS: ReadonlySet<string> = new Set(
  `cat cd cut echo expr false grep egrep fgrep head id ls nl paste pwd rev seq stat tail tr true uname wc which whoami numfmt tac
  base64 find sort diff cmp comm join less more file du df tree rg ag fd jq md5sum sha1sum sha256sum sha512sum cksum strings
  hexdump od basename dirname realpath readlink test [ [[ printf pushd popd sleep type whereis printenv zcat bat column fold fmt
  git`.split(/\s+/),
);
/** Options whose value names files to ignore. */
const LEAVES_OUT = /^--?[\w-]*(?:exclude|ignore)[\w-]*/;

/** Words of programs that might write any file that they get: `uniq a .npmrc`, `ex .envrc`. */
export function mayBeWritten({ commands }: ReadableShell): readonly ShellWord[] {
  return commands.flatMap((command) => {
    const name = programOf(command) ?? '';
    if (READERS.has(name) || isWrapper(name)) return [];
    return command.words
      .slice(1)
      .filter((word, index) => !LEAVES_OUT.test(word.beginning) && !isLeftOut(command.words[index]));
  });
}

function isLeftOut(before: ShellWord | undefined): boolean {
  return before !== undefined && LEAVES_OUT.test(before.beginning) && !before.beginning.includes('=');
}

/** What a program that unpacks one file removes from its name: of `.npmrc.gz` it makes `.npmrc`. */
const PACKED = /\.(?:gz|z|bz2|xz|lzma|zst|lz4|lz|br|gpg|pgp|asc|sig)$/i;

/** The parts of such a word that may be a path: also in `%output{x}`, `--emit=asm=x` and `-MFx`. */
export function possiblePaths(word: string): readonly string[] {
  const formats = [...word.matchAll(/%output\{(?:>>)?([^}]*)\}/g)].map(([, path = '']) => path);
  const pieces = /\s/.test(word) ? [] : word.split(/[={},:@]+/);
  const names = [...pathsIn(word), word.replace(/^-[A-Za-z]+(?=[./~])/, ''), ...pieces, ...formats];
  return names.flatMap((name) => (PACKED.test(name) ? [name, name.replace(PACKED, '')] : [name]));
}

/** The command, as people write it, that writes files named by an archive, a patch, a commit or its input. */
export function unnamedWriter({ commands }: ReadableShell): string | undefined {
  for (const command of commands) {
    const name = programOf(command) ?? '';
    if (name === 'git' && isWholesale(command))
      return `git ${command.words[afterGlobalOptions(command.words)]?.value ?? ''}`;
    if (isUnpacking(command, name) || copiesContents(command, name) || takesOptionsFromFile(command, name)) return name;
    if (name === 'xargs' && !READERS.has(handedTo(command) ?? 'echo')) return name;
  }
  return undefined;
}

/** The program to which `xargs` passes words from its input. */
function handedTo({ words }: SubCommand): string | undefined {
  const run = words.slice(1).find(({ beginning }) => !/^(?:-|\{|\d)/.test(beginning));
  return run && (programOf({ words: [run] }) ?? '');
}

function isUnpacking({ words }: SubCommand, name: string): boolean {
  const { options, operands } = splitArguments(words);
  const has = (letters: string, ...long: readonly string[]): boolean =>
    options.some((option) => hasShortOption(option, letters) || isLongOption(option, long));
  switch (name) {
    case 'patch':
      return !has('', '--dry-run', '--check');
    case 'tar':
    case 'bsdtar':
      return has('x', '--extract', '--get') || /^[A-Za-z]*x[A-Za-z]*$/.test(words[1]?.beginning ?? '');
    case 'unzip':
      return !has('ltpvZ');
    case 'cpio':
      return has('i', '--extract');
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
    case 'unrar':
    case 'ar':
    case 'jar':
      return /^-?[a-z]*[xe]/.test(operands[0]?.beginning ?? words[1]?.beginning ?? '');
    default:
      return false;
  }
}

function takesOptionsFromFile({ words }: SubCommand, name: string): boolean {
  return COMPILER.test(name) && words.some(({ beginning }) => beginning.startsWith('@'));
}

/** The whole workspace, or a folder that may contain protected folders. */
const WHOLE = /^(?:\.\/?|:\/.*|\*|\.(?:github|config)\/?)$/;

const NAMED_BY_SERVER = ['--input-file', '--content-disposition', '--trust-server-names'];

/** Compilers read further options from the file behind `@`. */
const COMPILER = /^(?:gcc|cc|g\+\+|c\+\+|clang|clang\+\+|ld|ar|rustc|javac|javadoc|jar)$/;

/** `cp -r a/. .` and `cp -r a/* .` copy the names that are in the folder, whatever they are. */
function copiesContents({ words }: SubCommand, name: string): boolean {
  if (name !== 'cp' && name !== 'rsync' && name !== 'ditto' && name !== 'install') return false;
  const { options, operands } = splitArguments(words);
  // The last name of `$folder/a.txt` is known.
  const isPattern = operands.some(({ value, source }) => value === undefined && /[*?[$`][^/]*$/.test(source));
  if (isPattern && operands.some(({ beginning }) => WHOLE.test(beginning))) return true;
  const hasNoName = name === 'rsync' ? /\/\.?$/ : /(?:^|\/)\.\/?$/;
  const isContents =
    name === 'ditto' ||
    options.some(
      (each) => (name === 'cp' && hasShortOption(each, 'T')) || isLongOption(each, ['--no-target-directory']),
    ) ||
    operands.slice(0, -1).some(({ value }) => value !== undefined && hasNoName.test(value));
  return isContents && WHOLE.test(operands.at(-1)?.beginning ?? '');
}

const NEGATION = /^(?:!|-not)$/;

/** Whether a `find` deletes or changes files of the workspace, and no name excludes the protected ones. */
export function changesWhatItFinds({ commands }: ReadableShell): boolean {
  return commands.some((command) => programOf(command) === 'find' && isUnlimitedFind(command));
}

function isUnlimitedFind({ words }: SubCommand): boolean {
  const after = words.slice(1);
  const folders = after.slice(
    0,
    after.findIndex(({ beginning }) => /^[-(!]/.test(beginning)),
  );
  if (folders.length > 0 && folders.every(isPartOfWorkspace)) return false;
  const change = after.findIndex(
    ({ value = '' }, at) =>
      value === '-delete' ||
      (/^-(?:exec|execdir|ok|okdir)$/.test(value) && !READERS.has(programOf({ words: after.slice(at + 1) }) ?? '')),
  );
  // What stands behind the change doesn't limit it.
  const isNamed = after
    .slice(0, Math.max(change, 0))
    .some(
      ({ value = '' }, at) =>
        /^-i?(?:name|path|wholename)$/.test(value) &&
        !NEGATION.test(after[at - 1]?.value ?? '') &&
        isLimit(after[at + 1]?.value ?? '*'),
    );
  // A name counts for one of the alternatives only, and not for a group that is negated.
  const isUnclear = after.some(
    ({ value = '' }, at) => /^(?:-o|-or|,)$/.test(value) || (NEGATION.test(value) && after[at + 1]?.value === '('),
  );
  return change >= 0 && (!isNamed || isUnclear);
}

/** Whether a pattern leaves out protected files: by a name, or by a folder such as `src` in `./src/*`. */
function isLimit(pattern: string): boolean {
  return /^(?:\.\/)?\w[\w-]*\//.test(pattern) || !mayMatchProtected(pattern.replace(/^.*\//s, ''));
}

/** Other folders, such as `$PWD`, may contain the workspace. */
function isPartOfWorkspace({ value }: ShellWord): boolean {
  return value !== undefined && !/^(?:[/~]|\.\.(?:\/|$))/.test(normalize(value)) && !WHOLE.test(normalize(value));
}

function isWholesale({ words }: SubCommand): boolean {
  const at = afterGlobalOptions(words);
  const { options, operands } = splitArguments(words.slice(at));
  const isWhole = operands.some(({ beginning }) => WHOLE.test(beginning));
  switch (words[at]?.value) {
    case 'apply':
      return !options.some((option) => isLongOption(option, ['--check', '--stat', '--numstat', '--summary']));
    case 'am':
      return true;
    case 'read-tree':
      return options.some((option) => hasShortOption(option, 'u'));
    case 'checkout':
      return isWhole && operands.length > 1;
    case 'restore':
      return isWhole && options.some((option) => hasShortOption(option, 's') || isLongOption(option, ['--source']));
    default:
      return false;
  }
}
