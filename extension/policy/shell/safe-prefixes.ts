import { ownValue } from '../../base/objects.ts';
import { isKnownSafeUse, leadsAway } from './known-safe.ts';
import { gitRisk } from './risky-git.ts';
import { programOf, type ShellWord, type SubCommand } from './shell-types.ts';

/**
 * The arguments with which a prefix still does what it says: no other program, no configuration, no file to write.
 * Before you add a word, look up in the program's manual what its values and the words after it can do.
 */
interface SafeUse {
  /** Short options, as letters. Only a number may follow them in the same word. */
  readonly short?: string;
  readonly long?: string;
  /** Options of several letters after a single dash, as `go` uses them. */
  readonly words?: string;
  /** The values of options after `=`. Simple words by default. */
  readonly values?: RegExp;
  /**
   * Other words that may follow, including values of options. By default, any word except one that starts with `@`,
   * which many programs read as a file with more options: `tsc @options`.
   */
  readonly operands?: RegExp;
  /** What the first of them must be. */
  readonly first?: RegExp;
  /** Words that may follow `--` and are passed on. By default, plain words that may also come before it. */
  readonly after?: RegExp;
}

const ANYTHING = /^/;
const NOTHING = /(?!)/;
const NO_OPTIONS_FILE = /^(?!@)/;
const SIMPLE = /^[\w.,:+% -]*$/;
/** Neither an option, an assignment, an address, nor syntax of a shell, to which some programs pass on their words. */
const PLAIN = /^[\w.%+,/*][\w.%+,/*@ -]*$/;
/** Packages of the registry. `owner/name` would be a repository elsewhere, and an archive a file. */
const PACKAGES = /^(?!.*\.(?:tgz|tar|tar\.gz)$)(?:@[\w.-]+\/)?\w[\w.-]*(?:@[\w.^~*-]+)?$/;
/** Files. Programs that expand patterns themselves could be led out by braces: `.{.,x}/evil`. */
const FILES = /^(?!@)(?!.*(?:(?:^|\/)\.\{|[{,]\.{1,2}[,}]|[[(]))/;

/** The arguments of a script are options of an unknown program: `npm run lint -- -c evil.js`. */
const TEST: SafeUse = { short: 's', long: '--silent --if-present', operands: PLAIN };
/** A plain word could be a subcommand, if the script is only the name of a program: `npm run prisma migrate reset`. */
const PATHS = /^(?:\.\/)?[\w@-]+(?:[./][\w@-]+)+$/;
const SCRIPT: SafeUse = { ...TEST, operands: PATHS };
const CARGO = `--release --workspace --all --all-targets --all-features --no-default-features --features --lib --bins --bin --tests --test
  --examples --example --benches --bench --package --exclude --jobs --verbose --quiet --locked --offline --frozen --no-run
  --no-fail-fast --keep-going --message-format`;
const GO =
  '-v -race -run -count -short -timeout -cover -bench -benchmem -json -failfast -tags -trimpath -n -x -parallel -skip';
const GRADLE: SafeUse = {
  short: 'qisS',
  long: '--info --quiet --stacktrace --offline --no-daemon --console --warn --continue --rerun-tasks --parallel',
  operands: NOTHING,
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
    operands: ANYTHING,
  },
  'git ls-files': {
    short: 'cdmostz',
    long: '--cached --deleted --modified --others --ignored --stage --exclude-standard',
  },
  'git rev-parse': {
    long: '--show-toplevel --abbrev-ref --short --verify --git-dir --is-inside-work-tree --show-prefix --symbolic-full-name',
    operands: ANYTHING,
  },
  'git shortlog': {
    short: 'sne',
    long: '--summary --numbered --email --no-merges --all --since --until',
    operands: ANYTHING,
  },
  'git describe': { long: '--tags --always --long --dirty --abbrev --all --contains', operands: ANYTHING },
  'git add': { short: 'AunvN', long: '--all --update --dry-run --verbose --intent-to-add' },
  'git commit': {
    short: 'maqvs',
    long: '--message --all --amend --no-edit --quiet --signoff --allow-empty --dry-run',
    values: ANYTHING,
  },
  'git fetch': {
    short: 'qvt',
    long: '--all --tags --dry-run --quiet --verbose',
    operands: PLAIN,
    // Any other word could be a folder, which git would read as a repository.
    first: /^(?:origin|upstream)$/,
    after: NOTHING,
  },
  'git stash list': { short: 'p0123456789', long: '--oneline --stat' },
  'git stash show': { short: 'pu', long: '--patch --stat --include-untracked' },
  'git stash push': {
    short: 'umqk',
    long: '--include-untracked --message --quiet --keep-index',
    values: ANYTHING,
  },
  'npm test': TEST,
  'npm run': SCRIPT,
  'npm ls': { short: 'al', long: '--all --depth --json --long --omit --include --parseable', operands: PACKAGES },
  'npm outdated': { short: 'al', long: '--all --json --long --parseable', operands: PACKAGES },
  'npm audit': { long: '--json --omit --audit-level --production', operands: NOTHING },
  'npm view': { long: '--json', operands: PACKAGES },
  // pnpm and yarn pass on every option after the name of the script.
  'pnpm test': { operands: PLAIN },
  'pnpm run': { operands: PATHS },
  'pnpm ls': { long: '--depth --json --long --prod --dev', operands: PACKAGES },
  'pnpm outdated': { long: '--json --long --compatible --prod --dev', operands: PACKAGES },
  'pnpm audit': { long: '--json --audit-level --prod --dev', operands: NOTHING },
  'yarn test': { operands: PLAIN },
  'yarn run': { operands: PATHS },
  'yarn list': { long: '--depth --json --pattern', operands: PACKAGES },
  'yarn outdated': { long: '--json', operands: PACKAGES },
  'yarn audit': { long: '--json --level --groups', operands: NOTHING },
  'cargo test': {
    short: 'pjvqF',
    long: `${CARGO} --doc`,
    // The runner of doctests splits at spaces: `x --logfile=y`.
    operands: /^[^@\s]\S*$/,
    after: /^(?:--(?:nocapture|exact|ignored|include-ignored|test-threads(?:=\d+)?)|[^-\s]\S*)$/,
  },
  'cargo build': { short: 'pjvqFr', long: CARGO, after: NOTHING },
  'cargo check': { short: 'pjvqFr', long: CARGO, after: NOTHING },
  // The compiler gets these arguments, and an option could name a linker to run. Capitals could join several of them.
  'cargo clippy': { short: 'pjvqFr', long: CARGO, after: /^(?:-[DWA]|[a-z][a-z0-9_:-]*)$/ },
  'cargo fmt': { short: 'pvq', long: '--all --check --package --quiet --verbose', after: /^--check$/ },
  'cargo doc': { short: 'pjvqF', long: `${CARGO} --no-deps`, after: NOTHING },
  'cargo bench': { short: 'pjvqF', long: CARGO, after: /^[^-\s]\S*$/ },
  'go test': { words: GO, values: ANYTHING },
  'go build': { words: GO, values: ANYTHING },
  'go vet': { words: '-v -json -n -x -tags -c' },
  'go fmt': { words: '-n -x' },
  // Not -m, -u, -versions and -f: a module in their words is looked up at the host that it names.
  'go list': { words: '-json -deps -test' },
  // MSBuild gets values as properties, and a `;` would start another property. It reads `/x` as an option.
  'dotnet test': {
    short: 'cvf',
    long: '--configuration --verbosity --no-build --no-restore --nologo --framework --filter',
    values: /^[\w.~=|&!() -]*$/,
    operands: /^[\w.][\w./-]*$/,
  },
  'dotnet build': {
    short: 'cvf',
    long: '--configuration --verbosity --no-restore --nologo --framework',
    values: /^[\w.-]*$/,
    operands: /^[\w.][\w./-]*$/,
  },
  'dotnet restore': { short: 'v', long: '--verbosity --nologo', operands: /^[\w.][\w./-]*$/ },
  'docker ps': {
    short: 'aqnls',
    long: '--all --quiet --no-trunc --format --filter --last --latest --size',
    values: ANYTHING,
  },
  'docker images': { short: 'aq', long: '--all --quiet --no-trunc --format --filter --digests', values: ANYTHING },
  'docker logs': { short: 'tn', long: '--tail --since --until --timestamps --details' },
  'kubectl get': {
    short: 'nolAL',
    long: '--namespace --output --selector --all-namespaces --show-labels --sort-by --no-headers',
    // Some formats are read from a file, which is shown: `-o go-template-file=x`.
    values: /^(?!.*file=)/s,
    operands: /^(?!@)(?!.*file=)/s,
  },
  'kubectl describe': { short: 'nlA', long: '--namespace --selector --all-namespaces --show-events' },
  'kubectl logs': {
    short: 'ncp',
    long: '--namespace --container --previous --tail --since --timestamps --all-containers',
  },
  'tsc --noEmit': { long: '--pretty --strict --skipLibCheck --listFiles', operands: NOTHING },
  eslint: { long: '--ext --quiet --max-warnings --cache --color --no-color --no-cache', operands: FILES },
  prettier: { short: 'lc', long: '--check --list-different --no-color', operands: FILES },
  jest: {
    short: 'ti',
    long: '--ci --runInBand --silent --verbose --testNamePattern --bail --findRelatedTests --no-coverage',
    values: ANYTHING,
  },
  'vitest run': { short: 't', long: '--silent --testNamePattern --bail --no-color', values: ANYTHING },
  pytest: {
    short: 'qvxskrm',
    long: '--lf --ff --tb --maxfail --quiet --verbose --no-header --last-failed --collect-only --durations',
    // Old releases evaluate what follows -k and -m.
    operands: /^(?!@)[^()"'`=\\]+$/,
  },
  mypy: { long: '--strict --pretty --show-error-codes --no-error-summary --ignore-missing-imports' },
  'ruff check': { short: 'q', long: '--quiet --statistics --select --ignore --no-cache' },
  'black --check': { short: 'q', long: '--diff --quiet --color' },
  'black --diff': { short: 'q', long: '--check --quiet --color' },
  'gradle test': GRADLE,
  'gradle build': GRADLE,
  'gradle check': GRADLE,
  './gradlew test': GRADLE,
  './gradlew build': GRADLE,
  './gradlew check': GRADLE,
  'mvn test': { short: 'qoB', long: '--quiet --offline --batch-mode', operands: NOTHING },
  'mvn compile': { short: 'qoB', long: '--quiet --offline --batch-mode', operands: NOTHING },
  'mvn verify': { short: 'qoB', long: '--quiet --offline --batch-mode', operands: NOTHING },
  rg: {
    short: 'nilcwevFABCgtTSsuUxoHI0123456789',
    long: '--line-number --ignore-case --files --files-with-matches --count --word-regexp --fixed-strings --glob --type --hidden --no-heading --color --context --json --max-count',
    values: ANYTHING,
  },
  diff: {
    short: 'uqrbBwiNyc0123456789',
    long: '--unified --brief --recursive --ignore-all-space --color --side-by-side',
  },
  du: { short: 'shacdmk0123456789', long: '--summarize --human-readable --max-depth --all --total' },
  df: { short: 'hTik', long: '--human-readable' },
  basename: { short: 'as', long: '--suffix' },
  dirname: { short: 'z' },
  realpath: { short: 'ems', long: '--relative-to', values: ANYTHING },
  readlink: { short: 'fenm' },
  jq: {
    short: 'rcensSa',
    long: '--raw-output --compact-output --sort-keys --arg --argjson --tab --indent',
    // These words of a program show the environment or load other files.
    operands: /^(?!@)(?!.*(?:(?<![.\w])(?:env|import|include|modulemeta)\b|\$ENV))/s,
  },
};
/** Prefixes that include a third word, whatever it is: `npm run build`. */
const THREE_WORDS = new Set(['npm run', 'pnpm run', 'yarn run']);
/** Only a target is allowed, because variables of `make` can contain anything. */
const MAKE: SafeUse = { short: 'sknj0123456789', long: '--silent --keep-going --dry-run --jobs', operands: NOTHING };
/** Programs whose words are not paths. */
const NO_PATHS = new Set('basename dirname echo expr numfmt seq tr which'.split(' '));
/** Subcommands of `git` that show files. The others accept only paths in the repository. */
const GIT_SHOWS = /^(?:blame|diff|log|show)$/;

/**
 * The prefix under which a command can be allowed with other arguments. Undefined for programs that are not in the
 * table, and if an argument might make the command run, read or write something that the prefix doesn't say: files
 * outside the workspace, beside which programs find configuration to run, and files with secrets.
 */
export function safePrefix(command: SubCommand, roots: readonly string[]): string | undefined {
  const values = command.words.map(({ value }) => value);
  const [name, second, third] = values;
  if (name === undefined || values.includes(undefined)) return undefined;
  const hasPaths = name === 'git' ? GIT_SHOWS.test(second ?? '') : !NO_PATHS.has(name);
  if (hasPaths && values.slice(1).some((value) => leadsAway(value ?? '', roots))) return undefined;
  // Without a folder it goes home, and with a dash anywhere.
  if (name === 'cd' && !/^[^-]/.test(second ?? '')) return undefined;
  if (isKnownSafeUse(command)) return programOf(command) === 'git' ? `git ${second}` : name;
  if (name === 'make')
    return /^\w[\w-]*$/.test(second ?? '') && fits(command.words.slice(2), MAKE) ? `make ${second}` : undefined;
  if (name === 'git' && gitRisk(command) !== undefined) return undefined;
  const isScript = THREE_WORDS.has(`${name} ${second}`) && /^\w[\w:.-]*$/.test(third ?? '');
  for (const length of [3, 2, 1]) {
    const prefix = values.slice(0, length).join(' ');
    const use = ownValue(SAFE, isScript && length === 3 ? `${name} ${second}` : prefix);
    if (use && !THREE_WORDS.has(prefix)) return fits(command.words.slice(length), use) ? prefix : undefined;
  }
  return undefined;
}

function fits(
  words: readonly ShellWord[],
  { short = '', long = '', words: wide = '', values = SIMPLE, operands = NO_OPTIONS_FILE, first, after }: SafeUse,
): boolean {
  const all = words.map(({ value = '' }) => value);
  const end = all.indexOf('--');
  const own = end < 0 ? all : all.slice(0, end);
  const handedOn = end < 0 ? [] : all.slice(end + 1);
  const names = [...long.split(/\s+/), ...wide.split(' ')];
  const isOption = (word: string): boolean => {
    const [, name = word, value = ''] = /^([^=]*)=(.*)$/s.exec(word) ?? [];
    return names.includes(name) ? values.test(value) : !word.startsWith('--') && isShort(word, short);
  };
  const others = own.filter((word) => !/^-./.test(word));
  return (
    own.every((word) => (/^-./.test(word) ? isOption(word) : operands.test(word))) &&
    (first === undefined || others.length === 0 || first.test(others[0] ?? '')) &&
    handedOn.every((word) => (after ? after.test(word) : PLAIN.test(word) && operands.test(word)))
  );
}

/** A group of short options. A number may follow the last letter, but no other value: it could be more options. */
function isShort(word: string, letters: string): boolean {
  const [, group = ''] = /^-([A-Za-z]*)(?:\d[\d,+]*)?$/.exec(word) ?? [];
  return group === ''
    ? /^-\d+$/.test(word) && letters.includes('0')
    : [...group].every((letter) => letters.includes(letter));
}
