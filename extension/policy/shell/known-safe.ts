import { ownValue } from '../../base/objects.ts';
import { looksSecret } from '../secret-files.ts';
import { splitArguments } from './options.ts';
import type { SubCommand } from './shell-types.ts';

/** The arguments with which a command only reads, prints something and ends. */
interface SafeUse {
  /** Short options, as letters. */
  readonly short: string;
  readonly long?: readonly string[];
  /** Options that are one word with a single dash, as `find` uses them. */
  readonly words?: readonly string[];
  /** The maximum number of words from the first operand on. With more, the command would write: `uniq in out`. */
  readonly operands?: number;
}

const NUMBERS = '0123456789';

/** Exactly the programs that Gemini CLI runs without asking, with the options that this check knows. */
const SAFE: Readonly<Record<string, SafeUse>> = {
  cat: { short: 'AbeEnstTuv', long: ['--number', '--show-all', '--show-ends', '--squeeze-blank'] },
  cd: { short: '' },
  cut: { short: `bcdfnsz-,${NUMBERS}`, long: ['--delimiter', '--fields', '--characters', '--complement'] },
  echo: { short: 'neE' },
  expr: { short: '' },
  false: { short: '' },
  grep: {
    // Not recursive: folders may contain secrets and files that ignore rules hide.
    short: `abcEeFGhHiIlLmnoPqsTvwxyzZABC${NUMBERS}`,
    long: `--count --extended-regexp --fixed-strings --ignore-case --invert-match --line-number --files-with-matches
      --files-without-match --max-count --no-filename --with-filename --only-matching --perl-regexp --quiet
      --word-regexp --line-regexp --color --after-context --before-context --context --no-messages --text
      --null`.split(/\s+/),
  },
  head: { short: `ncqvz${NUMBERS}`, long: ['--lines', '--bytes', '--quiet', '--verbose'] },
  id: { short: 'gGnruz' },
  ls: {
    short: `aAbBcCdfFgGhHiIklLmnNopqQrRsStTuUvwxXZ1${NUMBERS}`,
    long: `--all --almost-all --color --classify --directory --full-time --group-directories-first --human-readable
      --inode --reverse --recursive --size --sort --time --time-style --format --hide --ignore --si`.split(/\s+/),
  },
  nl: { short: `bdfhilnpsvw${NUMBERS}` },
  paste: { short: 'dsz', long: ['--delimiters', '--serial'] },
  pwd: { short: 'LP' },
  rev: { short: '' },
  seq: { short: `fsw.${NUMBERS}`, long: ['--separator', '--equal-width', '--format'] },
  stat: { short: 'cfLtx', long: ['--format', '--printf', '--terse', '--dereference', '--file-system'] },
  tail: { short: `ncqvz${NUMBERS}`, long: ['--lines', '--bytes', '--quiet', '--verbose'] },
  tr: { short: 'cCdst', long: ['--delete', '--squeeze-repeats', '--complement'] },
  true: { short: '' },
  uname: { short: 'asnrvmpio', long: ['--all'] },
  uniq: { short: `cdDfisuwz${NUMBERS}`, long: ['--count', '--repeated', '--unique', '--ignore-case'], operands: 1 },
  wc: { short: 'clLmw', long: ['--lines', '--words', '--bytes', '--chars', '--max-line-length'] },
  which: { short: 'as' },
  whoami: { short: '' },
  numfmt: { short: 'dz', long: ['--to', '--from', '--suffix', '--padding', '--format', '--field', '--grouping'] },
  tac: { short: 'brs' },
  base64: { short: 'diw', long: ['--decode', '--ignore-garbage', '--wrap'], operands: 1 },
  find: {
    short: '',
    words:
      `-name -iname -path -ipath -wholename -regex -iregex -type -size -mtime -mmin -newer -empty -maxdepth -mindepth
      -not -a -o -and -or -print -print0 -prune -perm -user -group -links -depth -xdev -mount -true -false`.split(
        /\s+/,
      ),
  },
};

const GIT_LONG =
  `--oneline --stat --shortstat --numstat --dirstat --summary --name-only --name-status --patch --no-patch --raw
  --unified --color --no-color --word-diff --cached --staged --merge-base --diff-filter --ignore-all-space --ignore-space-change
  --ignore-blank-lines --minimal --patience --histogram --no-renames --find-renames --follow --graph --decorate --no-decorate
  --all --branches --tags --remotes --max-count --skip --since --until --after --before --author --committer --grep
  --merges --no-merges --first-parent --reverse --date --pretty --format --abbrev-commit --no-abbrev-commit --abbrev
  --no-ext-diff --no-textconv --full-index --relative --quiet --exit-code --check --compact-summary --date-order --topo-order
  --left-right --cherry-pick --simplify-by-decoration`.split(/\s+/);
const GIT: Readonly<Record<string, SafeUse>> = {
  status: {
    short: 'sbuz',
    long: `--porcelain --short --branch --long --untracked-files --ignored --ahead-behind --no-ahead-behind --show-stash
      --no-renames --find-renames`.split(/\s+/),
  },
  log: { short: `pnsLiEFGSUMCbwzt${NUMBERS}`, long: GIT_LONG },
  diff: { short: `pUMCbwzsGSR${NUMBERS}`, long: GIT_LONG },
  show: { short: `pUMCbwzsqn${NUMBERS}`, long: GIT_LONG },
  branch: {
    short: 'alrv',
    long: [
      '--all',
      '--list',
      '--remotes',
      '--show-current',
      '--verbose',
      '--color',
      '--no-color',
      '--sort',
      '--format',
    ],
  },
};
/** Placeholders and fields for which git runs another program, such as `%G?`. */
const CHECKS_SIGNATURES = /%[-+ ]*G|%\(signature|^--sort=-?signature/;

const SED_PRINT = /^\d+(?:,\d+)?p$/;

/** Whether this command, as the whole line, only reads, judged by its words. */
export function isKnownSafe(command: SubCommand): boolean {
  if (command.redirects || command.words.slice(1).some(({ value }) => leadsAway(value ?? ''))) return false;
  return isKnownSafeUse(command);
}

/** Whether the command only reads with these options, whatever it reads. */
export function isKnownSafeUse(command: SubCommand): boolean {
  const values = command.words.map(({ value }) => value);
  const [name, second] = values;
  // A word that is only known at run time may be an option, a secret or a file elsewhere.
  if (name === undefined || values.includes(undefined)) return false;
  if (name === 'sed')
    return values.length <= 4 && second === '-n' && SED_PRINT.test(values[2] ?? '') && !/^-/.test(values[3] ?? '');
  if (name === 'git') return isSafeGit(command);
  const use = ownValue(SAFE, name);
  return use !== undefined && fits(command, use);
}

function isSafeGit(command: SubCommand): boolean {
  const [, sub, ...rest] = command.words;
  const use = ownValue(GIT, sub?.value ?? '');
  if (sub === undefined || use === undefined || rest.some(({ value = '' }) => CHECKS_SIGNATURES.test(value)))
    return false;
  const own = { ...command, words: [sub, ...rest] };
  if (sub.value !== 'branch') return fits(own, use);
  const { options } = splitArguments(own.words);
  // The next word would be the value of such an option, and not what it looks like.
  if (options.some((option) => /^--(?:format|sort)$/.test(option))) return false;
  // With `--list` operands are patterns; otherwise they are branches to make.
  return fits(own, options.includes('--list') ? use : { ...use, operands: 0 });
}

function fits(command: SubCommand, { short, long = [], words = [], operands: most }: SafeUse): boolean {
  const { options, operands, late } = splitArguments(command.words);
  if (late.length > 0) return false;
  const known = options.every((option) => {
    if (words.length > 0) return words.includes(option);
    if (option.startsWith('--')) return long.includes(option.replace(/=.*$/s, ''));
    // A value may follow its letter without a space: `-n5`, `-d,`.
    return [...option.slice(1)].every((sign) => short.includes(sign) || !/[A-Za-z0-9]/.test(sign));
  });
  const [first] = operands;
  return known && (most === undefined || !first || command.words.length - command.words.indexOf(first) <= most);
}

/** The parts of a word that may be a path: `x`, `--file=x`, `-fx`, `HEAD:x`, `:0:x`. */
export function pathsIn(word: string): readonly string[] {
  return [
    word,
    word.replace(/^-[^=]*=/, ''),
    word.replace(/^-[A-Za-z]/, ''),
    word.replace(/^[^:]*:/, ''),
    word.replace(/^.*:/s, ''),
  ];
}

/** Whether a word leads out of the workspace or to a secret: `/etc/passwd`, `~/x`, `../x`, `.env`. */
export function leadsAway(word: string, roots: readonly string[] = []): boolean {
  return pathsIn(word).some((part) => {
    const root = roots.find((each) => `${part}/`.startsWith(`${each}/`));
    const path = root === undefined ? part : part.slice(root.length + 1);
    return /^(?:[/\\~]|[A-Za-z]:[\\/])/.test(path) || /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path) || looksSecret(path);
  });
}
