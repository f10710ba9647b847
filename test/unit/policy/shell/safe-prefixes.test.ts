import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Verdict } from '../../../../extension/policy/policy-types.ts';
import { commandGrants } from '../../../../extension/policy/shell/command-grants.ts';
import type { ShellParser } from '../../../../extension/policy/shell/shell-types.ts';
import { judge, matchPrefixes, ROOT, rule, shellParser } from '../../../support/shell-judging.ts';

/** With options that only change how the program says what it does. */
const SAFE: Readonly<Record<string, string>> = {
  'git log': '-5|--oneline --stat|--grep=x -- src',
  'git diff': 'HEAD~1 -- src|--cached',
  'git add': '.|-A|src/a.ts',
  'git commit': '-m x|--message=a/b|--amend --no-edit|-am x',
  'npm test': '|--silent|-- src/a.test.ts',
  'npm view': 'left-pad|@types/node@22 dist-tags.latest --json',
  'git rev-parse': '@|--abbrev-ref @{u}',
  'npm run build': '|--silent',
  'cargo test': '--workspace|-p a|-- --nocapture',
  'cargo clippy': '--all-targets -- -D warnings',
  'go test': './...|-race -run=X ./a',
  'go vet': './...',
  'dotnet test': '--no-build|-c Release',
  'kubectl get': 'pods -n a|-o wide pods|pods --output=json',
  'docker ps': '-a',
  'make test': '|-j4',
  tsc: '--noEmit',
  eslint: 'src --ext .ts|--quiet .|src/a.ts',
  prettier: '--check .',
  jest: '--ci|src/a.test.ts -t x',
  pytest: '-q tests/unit|-x -k name',
  './gradlew test': '--info',
  uniq: '-c a.txt',
  grep: '-n a b.txt',
  rg: '-n a src',
  'git stash list': '|--oneline',
  'git stash push': '-u -m x',
  'git stash show': '-p stash@{0}',
  'git fetch': '|--all|origin main',
  'tsc --noEmit': '|--pretty',
  'black --check': 'src|-q .',
  'go list': './...|-json ./a',
  'dotnet build': 'src/a.csproj|--configuration=Release',
  'npm run lint': 'src/a.ts|-- ./src/a.ts',
  'yarn test': '|src/a.test.ts',
  'pnpm run build': '',
  cat: '/work/app/src/a.ts|src/a.ts',
  cd: 'src|/work/app|/work/app/src',
  echo: '../a /b',
  jq: '.a.b a.json',
  'git blame': '-L10,+5 a.ts',
  diff: '-u3 a b',
  'cargo bench': '',
};

/** With options that make it run, read as configuration, or write something else. */
const UNSAFE: Readonly<Record<string, string>> = {
  npm: '-C evil test|--userconfig evil test|--prefix evil test|exec evil|--script-shell=evil test|--node-options=-r./x test',
  'npm test':
    "-- @options|@options|--prefix evil|-C evil|--userconfig=evil|-- --config evil.js|-- -c evil|--globalconfig x|--script-shell x|/tmp/evil.js|-- ../../evil.js|'x$(touch p)'|'x;y'",
  'npm run build': '--prefix=evil|-- --plugin ./evil.js|-- -r ./evil|--workspace evil',
  'pnpm test': "-C evil|--dir evil|--config evil|'x$(touch p)'|-s x",
  'yarn test': '--cwd evil|--config evil|--use-yarnrc x',
  'git log':
    "--output=x|--ext-diff|--textconv|$x|--open-files-in-pager|-L -- --output=x|--format='%+G?'|--format='%-GK'|--format=%'G?'",
  'git commit': '-S|--gpg-sign|-F x|--template x|-c HEAD',
  'git fetch': "ext::sh|'ext::sh -c x'|--upload-pack=x|-u x|evil main|-- evil|../evil|/tmp/evil|--depth 1|--prune|-p",
  'git add': '-p|--interactive|-e|--pathspec-from-file=x',
  'cargo test':
    "--config x|--manifest-path x|-C x|-Z x|--target-dir x|-- --logfile x|'x --logfile=a'|-- 'x --logfile=a'",
  'cargo clippy': '-- -C linker=./evil|-- -Clinker=x|-- -A x__CLIPPY_HACKERY__--sysroot',
  'go test':
    '-exec ./evil ./...|-toolexec=./evil|-o x|-vettool=./evil|-modfile=x|-args -x|-coverprofile=x|/tmp/evil_test.go|../evil',
  'go vet': '-vettool=./evil ./...|-vettool ./evil|--vettool=./evil',
  'go build': '-o x|-ldflags=-extld=./evil|-toolexec x|-overlay x',
  'dotnet test':
    "@options.rsp|-p:x=y|/p:x=y|--property:x=y|--settings x|--logger x|--test-adapter-path x|/tmp/evil.dll|'--filter=a;X=y'",
  'dotnet build':
    "-p:PreBuildEvent=evil|-property:x=y|-o x|'--configuration=Debug;X=/tmp/e.targets'|/tmp/evil.csproj|/bl|-c ../../x|'-c.;X=y'",
  'kubectl get':
    'pods --kubeconfig evil|--kubeconfig=evil pods|--context x pods|-f x|--raw /x|pods -o go-template-file=a|--output=jsonpath-file=a pods|pods -o templatefile=a',
  'docker ps': '-H tcp://x|--host x|--config x',
  'make test': 'X=y|-f evil|-C evil|deploy|--eval=x|SHELL=./evil|-- clean',
  'npm view': 'https://example.invalid/x|./evil|git+ssh://x|--registry=x left-pad|attacker/repo|evil.tgz|foo@evil.tgz',
  tsc: '@options|--noEmit @options|-p evil|--project evil|--outDir x|-b|--build|a.ts|--noEmit false|',
  eslint:
    '-c evil.js .|--config evil.js .|--plugin evil .|-f ./evil.js .|--rulesdir x .|-o x .|--resolve-plugins-relative-to x .|--fix .|/tmp/evil/x.js|../evil|~/evil',
  prettier:
    "--plugin ./evil.js .|--plugin=./evil.js .|--config x .|--write .|--config=x .|--check ../evil/x.js|-l1w src|-c_w src|'.{.,x}/evil/a.js'|'{..,x}/a.js'",
  jest: '--config evil|-c evil|--config=evil.js|--globalSetup ./evil.js|--runner x|--reporters x|--setupFiles x|--testEnvironment x|-i1u|-t_u',
  'vitest run': '--config x|-c x|--reporter ./evil.js|--root evil',
  pytest:
    "@options|-q @options|-p evil|-c evil.ini|--rootdir x|-o x=y|--basetemp=x|/tmp/evil|-- ../evil|~/evil|-k '__import__(1)'",
  'ruff check': '@options|--config x|--fix .',
  mypy: '@options|--config-file x a.py|--python-executable ./evil a.py',
  './gradlew test': '-I evil.gradle|--init-script evil|-p evil|-Px=y|-Dx=y|-b evil|deploy|-g x',
  'gradle build': '-I evil.gradle|--include-build evil',
  'mvn test': '-f evil.xml|-Dx=y|-s x|exec:exec|-Pevil|-- clean deploy',
  uniq: 'a b|a -c',
  rg: '--pre ./evil a|--pre=./evil a|-z a|--hostname-bin ./evil a|-n0f/x|-n0fx|a /etc|a .env',
  jq: "-f x .|--from-file x|-L x .|-n env|-n '$ENV.x'|'import a; 1'|'include a; 1'|. /etc/x.json",
  tar: 'xf a.tar',
  node: 'a.js',
  curl: 'https://example.invalid',
  terraform: 'plan',
  'git stash': 'clear|drop|pop|branch x|',
  'git diff': '/dev/null /home/u/.ssh/id_rsa|-S -- --output=x|/dev/null .env',
  'git show': 'HEAD:.env',
  'git branch': "--format --list made|--format='%(signature:grade)'|--sort=signature|--format -- -D x -- --list",
  find: '-- src -name a.ts -delete|-- src -name a -fprintf src/b.js x',
  grep: '-e -- -r -e PASSWORD .',
  sed: "-n 1p '-ew victim'|-n 1p -fscript.sed",
  base64: '-d a b|-i -- -o b',
  awk: '-F -- -f evil.awk a',
  cat: '/etc/passwd|~/.ssh/id_rsa|../a|.env|/work/app/../x',
  cd: '|-|..|/tmp/evil|~',
  'npm run prisma': 'migrate reset',
  'npm audit': '-- fix|fix',
  'yarn run build': '-s x',
  make: '-e|-- test',
  'gradle test': '-- publish',
  'go list': "-m -versions evil.example/x|-f '{{module}}'",
  diff: '-u1l a b',
  du: '-s0Xx .',
  black: '|src',
};

describe('what “always allow” covers by the beginning of a command', () => {
  let parser: ShellParser;
  before(async () => {
    parser = await shellParser();
  });
  const offered = (command: string): string[] =>
    commandGrants(parser.parse(command), command, [ROOT]).map(({ id }) => id);
  const clicked = (prefix: string): ((command: string) => Verdict) => matchPrefixes([prefix], { priority: 2.95 });

  for (const [prefix, uses] of Object.entries(SAFE)) {
    it(`is offered for ${prefix}, and believed`, async () => {
      for (const use of uses.split('|')) {
        const command = `${prefix} ${use}`.trim();
        assert.deepEqual([command, offered(command)], [command, ['exact', 'prefix']]);
        const verdict = await judge(parser, command, clicked(prefix));
        assert.equal(verdict.decision, 'allow', `${command}: ${verdict.why}`);
      }
    });
  }

  for (const [prefix, uses] of Object.entries(UNSAFE)) {
    it(`is not offered for other things that ${prefix} can be told to do, and not believed`, async () => {
      for (const use of uses.split(/(?<!\\)\|/)) {
        const command = `${prefix} ${use}`.trim();
        assert.ok(!offered(command).includes('prefix'), command);
        const verdict = await judge(parser, command, clicked(prefix));
        assert.equal(verdict.decision, 'ask_user', command);
      }
    });
  }

  it('asks about the options that run others under a rule that somebody wrote, too', async () => {
    for (const command of [
      'npm -C evil test',
      'npm --userconfig evil test',
      'npm --prefix evil test',
      'go vet -vettool=./evil ./...',
      'kubectl --kubeconfig evil get pods',
      'dotnet build -p:x=y',
      'eslint -c evil.js .',
      'prettier --plugin ./evil.js .',
      'jest --config evil.js',
      './gradlew -I evil.gradle test',
      'uniq a b',
      'pnpm --config.script-shell=./evil test',
      'docker --config evil ps',
      'helm list --kubeconfig evil',
      'deno test -A',
      'deno test --allow-run=sh',
      'bat --pager=./evil a',
      'ag --pager ./evil a',
      "sqlite3 -cmd '.shell evil' a.db",
      'ps auxe',
      'bundle exec rspec -r ./evil',
      'rake -f evil test',
      'phpunit --bootstrap evil.php',
      'composer -d evil test',
      'mix test --require evil',
    ]) {
      const [name = ''] = command.split(' ');
      assert.equal((await judge(parser, command, matchPrefixes([name]))).decision, 'ask_user', command);
    }
  });

  it('believes a rule that somebody wrote with other arguments', async () => {
    const written = (command: string): Verdict => ({
      decision: 'allow',
      rule: rule('allow', { argsPattern: /npm run build/ }),
      why: `A rule allows ${command}.`,
    });
    assert.equal((await judge(parser, 'npm run build -- --watch=false', written)).decision, 'allow');
  });
});
