import * as l10n from '@vscode/l10n';
import { ownValue } from '../../base/objects.ts';
import { hasShortOption, isLongOption, mayBecomeOption, splitArguments } from './options.ts';
import { gitRisk } from './risky-git.ts';
import { programOf, type ShellWord, type SubCommand } from './shell-types.ts';

/** The options with which a program runs, writes or evaluates something that its name doesn't say. */
interface Risk {
  readonly short?: string;
  readonly long?: readonly string[];
  /** Matches whole words with one dash, and beginnings of words such as `+`. */
  readonly words?: RegExp;
  /** Matches the first argument, which may contain options without a dash. */
  readonly first?: RegExp;
  /** First operands that are risky by themselves, such as the `run` of `docker run`. */
  readonly operands?: RegExp;
}

const LIST = (text: string): readonly string[] => text.split(/\s+/);

const GRADLE: Risk = {
  short: 'IcpbgPD',
  long: LIST(
    '--init-script --project-dir --build-file --settings-file --include-build --gradle-user-home --project-prop',
  ),
};
/** They run commands of the editor and of the shell, from options and from what `+` begins. */
const VIM: Risk = { words: /./, operands: /^\+/ };
const DATABASE: Risk = { short: 'cefoL', long: LIST('--command --execute --file --output --log-file') };
const MAVEN: Risk = {
  short: 'fDst',
  long: LIST('--file --define --settings --global-settings --toolchains --activate-profiles'),
};

const RISKS: Readonly<Record<string, Risk>> = {
  find: { words: /^-(?:exec|execdir|ok|okdir|delete|fls|fprint|fprint0|fprintf)$/ },
  fd: { short: 'xX', long: ['--exec', '--exec-batch'] },
  rg: { short: 'z', long: ['--pre', '--hostname-bin', '--search-zip'] },
  sort: { short: 'oTS', long: ['--output', '--compress-program', '--temporary-directory'] },
  tar: {
    short: 'xIF',
    long: LIST(`--checkpoint-action --to-command --use-compress-program --rsh-command --rmt-command --info-script
      --new-volume-script --extract --get`),
    first: /^[a-zA-Z]*[xIF][a-zA-Z]*$/,
  },
  bsdtar: { short: 'xI', long: ['--use-compress-program'], first: /^[a-zA-Z]*[xI][a-zA-Z]*$/ },
  zip: { short: 'T', long: ['--unzip-command', '-TT'], words: /^-TT/ },
  printf: { words: /^-v/ },
  test: { words: /^-[vR]$/, operands: /^-[vR]$/ },
  '[': { words: /^-[vR]$/ },
  less: {
    short: 'koO',
    long: ['--lesskey-file', '--lesskey-src', '--lesskey-content', '--log-file', '--LOG-FILE'],
    words: /^\+/,
    operands: /^\+/,
  },
  more: { operands: /^\+/ },
  bat: { long: ['--pager', '--map-syntax'], operands: /^cache$/ },
  ag: { long: ['--pager'] },
  ack: { long: ['--pager', '--ackrc', '--env'] },
  sqlite3: { words: /^--?(?!(?:version|help)$)/, operands: /./ },
  // Without a dash, `e` shows the environment of processes.
  ps: { short: 'E', first: /^[a-zA-Z]*e/ },
  man: { short: 'PHCc', long: ['--pager', '--html', '--config-file', '--preprocessor'] },
  vim: VIM,
  vi: VIM,
  nvim: VIM,
  view: VIM,
  rview: VIM,
  vimdiff: VIM,
  gvim: VIM,
  emacs: { words: /./ },
  ed: { words: /./, operands: /./ },
  ex: { words: /./, operands: /./ },
  psql: DATABASE,
  mysql: DATABASE,
  // A line of `dc` that begins with `!` is a command for the shell.
  dc: { words: /./, operands: /./ },
  diff3: { long: ['--diff-program'] },
  sdiff: { short: 'o', long: ['--diff-program', '--output'] },
  curl: {
    short: 'oOKTDcFd',
    long: LIST(`--output --remote-name --remote-name-all --config --upload-file --dump-header
      --cookie-jar --trace --trace-ascii --stderr --form --data --data-binary --data-raw --data-urlencode --json
      --output-dir --libcurl --engine --etag-save --hsts --alt-svc --proxy --unix-socket --abstract-unix-socket
      --ssl-sessions`),
    words: /^--expand-/,
  },
  wget: {
    short: 'OoPieaAN',
    long: LIST(`--output-document --output-file --directory-prefix --input-file --execute
      --append-output --use-askpass --post-file --post-data --body-file --save-cookies --config --warc-file
      --rejected-log --hsts-file`),
  },
  rsync: { short: 'e', long: ['--rsh', '--rsync-path', '--daemon', '--config', '--log-file', '--remove-source-files'] },
  ssh: { short: 'oFSELRDw', words: /^-[oFSELRDw]/ },
  scp: { short: 'oFSJ' },
  sftp: { short: 'oFSbJ' },
  docker: {
    short: 'H',
    long: ['--host', '--config', '--context'],
    operands: /^(?:run|exec|cp|build|buildx|compose|create|load|import|plugin|context)$/,
  },
  podman: { operands: /^(?:run|exec|cp|build|compose|create|load|import|machine|unshare)$/ },
  kubectl: {
    long: LIST('--kubeconfig --context --cluster --user --server --token --raw --filename'),
    operands: /^(?:exec|cp|run|debug|plugin|proxy|port-forward)$/,
  },
  helm: {
    long: LIST('--kubeconfig --kube-context --kube-apiserver --kube-token --post-renderer --registry-config'),
    operands: /^(?:plugin|install|upgrade)$/,
  },
  python: { short: 'cmi' },
  python3: { short: 'cmi' },
  node: { short: 'epri', long: LIST('--eval --print --require --import --loader --experimental-loader --env-file') },
  deno: {
    short: 'Acr',
    long: LIST('--allow-all --config --import-map --preload --reload'),
    words: /^--allow-/,
    operands: /^(?:eval|repl|install|x)$/,
  },
  bun: { short: 'erp', long: ['--eval', '--print', '--preload'], operands: /^(?:x|exec|repl)$/ },
  perl: { short: 'eEiMmx' },
  ruby: { short: 'eirIx' },
  php: { short: 'rBREFd' },
  lua: { short: 'eil' },
  osascript: { words: /./ },
  npm: {
    short: 'C',
    long: LIST(`--script-shell --prefix --node-options --ignore-scripts=false --userconfig --globalconfig --shell --git
      --editor --viewer --init-module --cache --local-prefix`),
    operands: /^(?:exec|x|explore|config|set|init|create|edit|pkg)$/,
  },
  pnpm: {
    short: 'C',
    long: LIST('--script-shell --dir --shell-mode'),
    words: /^--config\./,
    operands: /^(?:exec|dlx|config|set|create|init)$/,
  },
  yarn: { long: ['--cwd', '--use-yarnrc'], operands: /^(?:exec|dlx|config|set|create|init|node|plugin)$/ },
  make: { short: 'fCIE', long: LIST('--file --makefile --directory --eval --include-dir'), operands: /=/ },
  cargo: {
    short: 'CZ',
    long: ['--config', '--manifest-path', '--target-dir', '--out-dir'],
    operands: /^(?:install|run-script)$/,
  },
  go: {
    words: /^--?(?:exec|toolexec|vettool|overlay|modfile|pkgdir|C|o|ldflags|gcflags|asmflags)\b/,
    operands: /^(?:generate|env|run)$/,
  },
  gradle: GRADLE,
  gradlew: GRADLE,
  mvn: MAVEN,
  mvnw: MAVEN,
  dotnet: { words: /^[-/]{1,2}(?:p|property|logger|settings|test-adapter-path|s|l)(?:[:=]|$)/i },
  eslint: {
    short: 'cfo',
    long: LIST(`--config --format --output-file --plugin --parser --rulesdir --resolve-plugins-relative-to --cache-location
      --cache-file --flag`),
  },
  prettier: { long: LIST('--plugin --config --config-path --ignore-path --cache-location --plugin-search-dir') },
  jest: {
    short: 'c',
    long: LIST(`--config --globalSetup --globalTeardown --setupFiles --setupFilesAfterEnv --runner --testRunner --reporters
      --testEnvironment --transform --resolver --rootDir --roots --projects --watchPlugins --snapshotSerializers --preset
      --moduleNameMapper --filter --coverageDirectory --outputFile --testSequencer`),
  },
  vitest: {
    short: 'cr',
    long: LIST('--config --root --reporter --environment --globalSetup --dir --outputFile --run.config'),
  },
  pytest: {
    short: 'pco',
    long: LIST('--rootdir --confcutdir --override-ini --basetemp --config-file --junitxml --junit-xml'),
  },
  bundle: { short: 'rI', long: ['--require', '--gemfile'] },
  rspec: { short: 'rIOo', long: LIST('--require --options --out --default-path') },
  rake: { short: 'frRIeEp', long: LIST('--rakefile --require --rakelibdir --libdir --execute --execute-print') },
  phpunit: { short: 'cd', long: LIST('--bootstrap --configuration --extension --include-path --printer --loader') },
  composer: { short: 'd', long: ['--working-dir'], operands: /^(?:exec|config|global|install|update|require)$/ },
  mix: { short: 'r', long: ['--require'], operands: /^(?:run|eval|cmd|archive\.install|escript\.install)$/ },
  mypy: { long: LIST('--config-file --python-executable --junit-xml --cache-dir --install-types') },
  tsc: {
    short: 'pb',
    long: LIST('--project --outDir --outFile --declarationDir --build --tsBuildInfoFile --generateTrace'),
  },
  gcc: { short: 'oBw', words: /^-(?:o|B|wrapper|fplugin|specs)/ },
  openssl: { words: /^-(?:out|engine|provider|config|writerand)/ },
  date: { short: 's', long: ['--set'] },
  strace: { words: /./ },
  split: { long: ['--filter'] },
  ip: { short: 'b', operands: /^(?:netns|vrf)$/ },
  mail: { words: /./ },
  crontab: { words: /^-(?!l$)/, operands: /./ },
  journalctl: { long: ['--vacuum-size', '--vacuum-time', '--rotate'] },
  jq: { short: 'fL', long: ['--from-file', '--rawfile', '--slurpfile'] },
  gdb: { words: /./ },
};

/** Builtins that treat text as code or variables, or change the meaning of later commands. */
const BUILTINS = new Set(
  `eval source . trap alias unalias enable bind complete compgen compopt mapfile readarray read getopts let declare typeset
  local export readonly unset set shopt hash exec fc coproc caller wait`.split(/\s+/),
);

/** Programs whose purpose is to run another program that their words don't show reliably. */
const RUNNERS = new Set(
  `npx bunx uvx pipx pnpx yarnpkg-x busybox toybox su runuser pkexec run0 unshare nsenter systemd-run at batch script tmux
  screen expect entr chrt taskset firejail proxychains proxychains4 dbus-run-session xvfb-run fakeroot unbuffer rlwrap
  ld.so setpriv capsh start-stop-daemon logrotate run-parts perf ltrace valgrind hyperfine cross-env dotenv direnv mise asdf
  nix nix-shell vagrant multipass lxc wsl`.split(/\s+/),
);

/** Whether a program runs what its words form, in ways that aren't read here. */
export function isRunner(name: string): boolean {
  return RUNNERS.has(name);
}

/** Why an allowed prefix doesn't say what this command does, for people. Undefined if it does. */
export function riskOf(command: SubCommand): string | undefined {
  const name = programOf(command);
  if (name === undefined) return l10n.t('a program that is only known at run time');
  if (BUILTINS.has(name)) return l10n.t('`{0}`, which evaluates text or changes later commands', name);
  if (RUNNERS.has(name)) return l10n.t('`{0}`, which runs another program', name);
  if (name === 'git') return gitRisk(command);
  if (name === 'sed' || name === 'gsed') return sedRisk(command);
  if (/^[gmn]?awk$/.test(name)) return awkRisk(command);
  // The second operand of `uniq` is the file that it writes.
  if (name === 'uniq' && splitArguments(command.words).operands.length > 1) return l10n.t('`uniq` that writes a file');
  if (name === 'curl' && writesByFormat(command)) return l10n.t('the option {0} of `{1}`', '--write-out', name);
  // Several versions may be installed: `python3.11`, `gcc-12`.
  const plain = name.replace(/(?<=[a-z])[-.\d]+$/, '');
  if (INTERPRETERS.has(plain) && runsInput(command)) return l10n.t('`{0}`, which runs another program', name);
  const risk = ownValue(RISKS, name) ?? ownValue(RISKS, plain);
  return risk ? optionRisk(command, name, risk) : undefined;
}

/** Programs that run what they read, if they get no file. */
const INTERPRETERS = new Set(
  'python node nodejs deno bun perl ruby irb php lua sqlite psql mysql gdb tclsh julia r jshell osascript m4'.split(
    ' ',
  ),
);

function runsInput({ words }: SubCommand): boolean {
  const { options, operands } = splitArguments(words);
  if (options.some((option) => /^-(?:[vVh]|-version|-help)$/.test(option))) return false;
  return operands.every(({ value }) => value === '-');
}

/** `curl -w '%output{x}…'` writes a file, and `-w @x` reads such a format from one. */
function writesByFormat({ words }: SubCommand): boolean {
  return words.some((word, at) => {
    const isNext = /^(?:-[A-Za-z]*w|--write-out)$/.test(words[at - 1]?.value ?? '');
    const isFormat = isNext || /^(?:-[A-Za-z]*w.|--write-out=)/.test(word.beginning);
    return isFormat && (word.value === undefined || /%output|@/.test(word.value));
  });
}

function optionRisk(command: SubCommand, name: string, risk: Risk): string | undefined {
  const { options, operands, late, mayBeOption } = splitArguments(command.words);
  const option = [...options, ...late].find(
    (each) => hasShortOption(each, risk.short ?? '') || isLongOption(each, risk.long ?? []) || risk.words?.test(each),
  );
  if (option !== undefined) return l10n.t('the option {0} of `{1}`', option, name);
  const [first] = command.words.slice(1);
  if (risk.first?.test(first?.beginning ?? '')) return l10n.t('the options {0} of `{1}`', first?.source ?? '', name);
  // Variables of `make` may be anywhere. For other programs, the first operand decides what they do.
  const telling = name === 'make' ? operands : operands.slice(0, 1);
  const operand = telling.find(({ beginning }) => risk.operands?.test(beginning));
  if (operand) return `\`${name} ${operand.source}\``;
  return mayBeOption && l10n.t('{0}, which may become an option of `{1}`', mayBeOption.source, name);
}

const ADDRESS = '(?:\\d+|\\$|/[^/\\\\\\n]*/)';
/** A sed command that neither runs nor writes: print, delete, quit, number, or replace without the flags e and w. */
const SED_COMMAND = new RegExp(
  `^\\s*(?:${ADDRESS}(?:,${ADDRESS})?)?!?\\s*(?:[pdqQ=nNDPhHgGx]|s(?<d>[/|,#:])(?:(?!\\k<d>)[^\\\\\\n]|\\\\.)*\\k<d>(?:(?!\\k<d>)[^\\\\\\n]|\\\\.)*\\k<d>[gpiIm\\d]*)\\s*$`,
);

const SED_OPTION = /^(?:-[nEru]+|--(?:quiet|silent|regexp-extended|posix|sandbox))$/;

function sedRisk({ words }: SubCommand): string | undefined {
  const scripts: ShellWord[] = [];
  let first: ShellWord | undefined;
  for (let index = 1; index < words.length; index += 1) {
    const word = words[index] as ShellWord;
    if (mayBecomeOption(word)) return l10n.t('{0}, which may become an option of `sed`', word.source);
    if (/^-[nEru]*e$/.test(word.value ?? '')) {
      index += 1;
      scripts.push(words[index] ?? word);
    } else if (word.beginning.startsWith('-')) {
      if (!SED_OPTION.test(word.value ?? '')) return l10n.t('the option {0} of `sed`', word.source);
    } else {
      first ??= word;
    }
  }
  // Without -e the first operand is the script.
  if (scripts.length === 0 && first) scripts.push(first);
  const harmless = scripts.every(({ value }) => value !== undefined && isHarmlessSed(value));
  return harmless ? undefined : l10n.t('a `sed` script that may run or write something');
}

function isHarmlessSed(script: string): boolean {
  // A `;` inside a replacement yields two parts that don't match, so at worst the command asks unnecessarily.
  return script.split(/[;\n]/).every((part) => part.trim() === '' || SED_COMMAND.test(part));
}

function awkRisk(command: SubCommand): string | undefined {
  const { options, operands, late, mayBeOption } = splitArguments(command.words);
  if (mayBeOption) return l10n.t('{0}, which may become an option of `awk`', mayBeOption.source);
  const risky = [...options, ...late].find((option) => !/^-(?:F|v)/.test(option));
  if (risky !== undefined) return l10n.t('the option {0} of `awk`', risky);
  // The value of a separate -F or -v is among the operands too. All operands are checked, so none can hide the program.
  const unclear = operands.find(({ value, beginning }) =>
    value === undefined ? beginning === '' : /system|getline|[|>`@]|\bfflush\b|\bclose\b/.test(value),
  );
  return unclear ? l10n.t('an `awk` program that may run or write something') : undefined;
}
