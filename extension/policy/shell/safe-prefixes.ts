import { ownValue } from '../../base/objects.ts';
import { isKnownSafeUse } from './known-safe.ts';
import { gitRisk } from './risky-git.ts';
import { programOf, type ShellWord, type SubCommand } from './shell-types.ts';

/** The arguments with which a prefix still does what it says: no other program, no configuration, no file to write. */
interface SafeUse {
  /** Short options, as letters. A value may follow its letter. */
  readonly short?: string;
  readonly long?: string;
  /** Options of several letters after a single dash, as `go` uses them. */
  readonly words?: string;
  /**
   * Other words that may follow: plain words, names of packages, revisions, or none. By default, any word except one
   * that starts with `@`, which many programs read as a file with more options: `tsc @options`.
   */
  readonly operands?: 'plain' | 'packages' | 'revisions' | 'none';
  /** Words that may follow `--` and are passed on. Only plain words by default. */
  readonly after?: RegExp;
}

/** The arguments of a script are options of an unknown program: `npm run lint -- -c evil.js`. */
const SCRIPT: SafeUse = { short: 's', long: '--silent --if-present', operands: 'plain' };
const CARGO = `--release --workspace --all --all-targets --all-features --no-default-features --features --lib --bins --bin --tests --test
  --examples --example --benches --bench --package --exclude --jobs --verbose --quiet --locked --offline --frozen --no-run
  --no-fail-fast --keep-going --message-format`;
const GO =
  '-v -race -run -count -short -timeout -cover -bench -benchmem -json -failfast -tags -trimpath -n -x -parallel -skip';
const GRADLE: SafeUse = {
  short: 'qisS',
  long: '--info --quiet --stacktrace --offline --no-daemon --console --warn --continue --rerun-tasks --parallel',
  operands: 'none',
};

/**
 * Prefixes of commands that can be allowed with any such arguments. Options that name a configuration, a plugin, a
 * reporter or another folder are not listed, because the program would run what it finds there. Every option that is
 * not in the table is unsafe.
 */
const SAFE: Readonly<Record<string, SafeUse>> = {
  'git blame': {
    short: 'LwMCeslnfpct',
    long: '--porcelain --line-porcelain --date --since --root --show-email',
    operands: 'revisions',
  },
  'git ls-files': {
    short: 'cdmostz',
    long: '--cached --deleted --modified --others --ignored --stage --exclude-standard',
  },
  'git rev-parse': {
    long: '--show-toplevel --abbrev-ref --short --verify --git-dir --is-inside-work-tree --show-prefix --symbolic-full-name',
    operands: 'revisions',
  },
  'git shortlog': {
    short: 'sne',
    long: '--summary --numbered --email --no-merges --all --since --until',
    operands: 'revisions',
  },
  'git describe': { long: '--tags --always --long --dirty --abbrev --all --contains', operands: 'revisions' },
  'git add': { short: 'AunvN', long: '--all --update --dry-run --verbose --intent-to-add' },
  'git commit': { short: 'maqvs', long: '--message --all --amend --no-edit --quiet --signoff --allow-empty --dry-run' },
  'git fetch': { short: 'pqvt', long: '--all --prune --tags --depth --dry-run --quiet --verbose', operands: 'plain' },
  'git stash': { short: 'umqkp', long: '--include-untracked --message --quiet --keep-index', operands: 'plain' },
  'npm test': SCRIPT,
  'npm run': SCRIPT,
  'npm ls': { short: 'al', long: '--all --depth --json --long --omit --include --parseable', operands: 'packages' },
  'npm outdated': { short: 'al', long: '--all --json --long --parseable', operands: 'packages' },
  'npm audit': { long: '--json --omit --audit-level --production', operands: 'none' },
  'npm view': { long: '--json', operands: 'packages' },
  'pnpm test': SCRIPT,
  'pnpm run': SCRIPT,
  'pnpm ls': { long: '--depth --json --long --prod --dev', operands: 'packages' },
  'pnpm outdated': { long: '--json --long --compatible --prod --dev', operands: 'packages' },
  'pnpm audit': { long: '--json --audit-level --prod --dev', operands: 'none' },
  'yarn test': SCRIPT,
  'yarn run': SCRIPT,
  'yarn list': { long: '--depth --json --pattern', operands: 'packages' },
  'yarn outdated': { long: '--json', operands: 'packages' },
  'yarn audit': { long: '--json --level --groups', operands: 'none' },
  'cargo test': {
    short: 'pjvqF',
    long: `${CARGO} --doc`,
    after: /^(?:--(?:nocapture|exact|ignored|include-ignored|test-threads(?:=\d+)?)|[^-].*)$/,
  },
  'cargo build': { short: 'pjvqFr', long: CARGO, after: /(?!)/ },
  'cargo check': { short: 'pjvqFr', long: CARGO, after: /(?!)/ },
  // The compiler gets these arguments, and an option could name a linker to run.
  'cargo clippy': { short: 'pjvqFr', long: CARGO, after: /^(?:-[DWA]|[a-z][\w:-]*)$/ },
  'cargo fmt': { short: 'pvq', long: '--all --check --package --quiet --verbose', after: /^--check$/ },
  'cargo doc': { short: 'pjvqF', long: `${CARGO} --no-deps`, after: /(?!)/ },
  'cargo bench': { short: 'pjvqF', long: CARGO, after: /^[^-].*$/ },
  'go test': { words: GO },
  'go build': { words: GO },
  'go vet': { words: '-v -json -n -x -tags -c' },
  'go fmt': { words: '-n -x' },
  'go list': { words: '-m -json -f -deps -u -versions -test' },
  'dotnet test': {
    short: 'cvf',
    long: '--configuration --verbosity --no-build --no-restore --nologo --framework --filter',
    operands: 'plain',
  },
  'dotnet build': {
    short: 'cvf',
    long: '--configuration --verbosity --no-restore --nologo --framework',
    operands: 'plain',
  },
  'dotnet restore': { short: 'v', long: '--verbosity --nologo', operands: 'plain' },
  'docker ps': { short: 'aqnls', long: '--all --quiet --no-trunc --format --filter --last --latest --size' },
  'docker images': { short: 'aq', long: '--all --quiet --no-trunc --format --filter --digests' },
  'docker logs': { short: 'tn', long: '--tail --since --until --timestamps --details' },
  'kubectl get': {
    short: 'nolAL',
    long: '--namespace --output --selector --all-namespaces --show-labels --sort-by --no-headers',
  },
  'kubectl describe': { short: 'nlA', long: '--namespace --selector --all-namespaces --show-events' },
  'kubectl logs': {
    short: 'ncp',
    long: '--namespace --container --previous --tail --since --timestamps --all-containers',
  },
  tsc: { long: '--noEmit --pretty --strict --skipLibCheck --version --listFiles --showConfig' },
  eslint: { long: '--ext --quiet --max-warnings --cache --color --no-color --no-cache' },
  prettier: { short: 'lc', long: '--check --list-different --no-color' },
  jest: {
    short: 'ti',
    long: '--ci --runInBand --silent --verbose --testNamePattern --bail --findRelatedTests --no-coverage',
  },
  'vitest run': { short: 't', long: '--silent --testNamePattern --bail --no-color' },
  pytest: {
    short: 'qvxskrm',
    long: '--lf --ff --tb --maxfail --quiet --verbose --no-header --last-failed --collect-only --durations',
  },
  mypy: { long: '--strict --pretty --show-error-codes --no-error-summary --ignore-missing-imports' },
  'ruff check': { short: 'q', long: '--quiet --statistics --select --ignore --no-cache' },
  black: { short: 'q', long: '--check --diff --quiet --color' },
  'gradle test': GRADLE,
  'gradle build': GRADLE,
  'gradle check': GRADLE,
  './gradlew test': GRADLE,
  './gradlew build': GRADLE,
  './gradlew check': GRADLE,
  'mvn test': { short: 'qoB', long: '--quiet --offline --batch-mode', operands: 'none' },
  'mvn compile': { short: 'qoB', long: '--quiet --offline --batch-mode', operands: 'none' },
  'mvn verify': { short: 'qoB', long: '--quiet --offline --batch-mode', operands: 'none' },
  rg: {
    short: 'nilcwevFABCgtTSsuUxoHI0123456789',
    long: '--line-number --ignore-case --files --files-with-matches --count --word-regexp --fixed-strings --glob --type --hidden --no-heading --color --context --json --max-count',
  },
  diff: {
    short: 'uqrbBwiNyc0123456789',
    long: '--unified --brief --recursive --ignore-all-space --color --side-by-side',
  },
  du: { short: 'shacdmk0123456789', long: '--summarize --human-readable --max-depth --all --total' },
  df: { short: 'hTik', long: '--human-readable' },
  basename: { short: 'as', long: '--suffix' },
  dirname: { short: 'z' },
  realpath: { short: 'ems', long: '--relative-to' },
  readlink: { short: 'fenm' },
  jq: { short: 'rcensSa', long: '--raw-output --compact-output --sort-keys --arg --argjson --tab --indent' },
};
/** Prefixes that include a third word: `npm run build`. */
const THREE_WORDS = new Set(['npm run', 'pnpm run', 'yarn run']);
/** Only a target is allowed, because variables of `make` can contain anything. */
const MAKE: SafeUse = { short: 'sknj0123456789', long: '--silent --keep-going --dry-run --jobs', operands: 'none' };

/**
 * The prefix under which a command can be allowed with other arguments. Undefined for programs that are not in the
 * table, and if an argument might make the command run or write something that the prefix doesn't say.
 */
export function safePrefix(command: SubCommand): string | undefined {
  const values = command.words.map(({ value }) => value);
  const [name, second, third] = values;
  if (name === undefined || values.includes(undefined)) return undefined;
  if (isKnownSafeUse(command)) return programOf(command) === 'git' ? `git ${second}` : name;
  if (name === 'make')
    return /^[\w-]+$/.test(second ?? '') && fits(command.words.slice(2), MAKE) ? `make ${second}` : undefined;
  if (name === 'git' && gitRisk(command) !== undefined) return undefined;
  const pair = `${name} ${second}`;
  const use = ownValue(SAFE, pair);
  if (!use) {
    const alone = ownValue(SAFE, name);
    return alone && fits(command.words.slice(1), alone) ? name : undefined;
  }
  if (!THREE_WORDS.has(pair)) return fits(command.words.slice(2), use) ? pair : undefined;
  return third !== undefined && /^[\w:.-]+$/.test(third) && !third.startsWith('-') && fits(command.words.slice(3), use)
    ? `${pair} ${third}`
    : undefined;
}

function fits(
  words: readonly ShellWord[],
  { short = '', long = '', words: wide = '', operands, after }: SafeUse,
): boolean {
  const values = words.map(({ value = '' }) => value);
  const end = values.indexOf('--');
  const own = end < 0 ? values : values.slice(0, end);
  const handedOn = end < 0 ? [] : values.slice(end + 1);
  const longNames = long.split(/\s+/);
  const isFine = own.every((word) => {
    if (!/^-./.test(word)) return isOperand(word, operands);
    if (wide.split(' ').includes(word.replace(/=.*$/s, ''))) return true;
    if (word.startsWith('--')) return longNames.includes(word.replace(/=.*$/s, ''));
    return isShort(word, short);
  });
  return isFine && handedOn.every((word) => (after ? after.test(word) : isPlain(word)));
}

/** A group of short options. A value may follow the last letter. */
function isShort(word: string, letters: string): boolean {
  const [, group = '', value = ''] = /^-([A-Za-z]+)(.*)$/s.exec(word) ?? [];
  if (group === '') return /^-\d+$/.test(word) && letters.includes('0');
  return [...group].every((letter) => letters.includes(letter)) && !/^[=:]/.test(value);
}

function isOperand(word: string, kind: SafeUse['operands']): boolean {
  switch (kind) {
    case 'plain':
      return isPlain(word);
    case 'packages':
      return /^@?\w[\w.-]*(?:\/[\w.-]+)?(?:@[\w.^~*-]+)?$/.test(word);
    case 'none':
      return false;
    default:
      return kind === 'revisions' || !word.startsWith('@');
  }
}

/** Neither an option, an assignment, an address, nor a file with options. */
function isPlain(word: string): boolean {
  return /^[\w.%+,/*'"][^=:]*$/.test(word);
}
