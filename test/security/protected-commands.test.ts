import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Circumstances, Verdict } from '../../extension/policy/policy-types.ts';
import type { ShellJudge } from '../../extension/policy/rules/shell-judge.ts';
import { createShellJudge } from '../../extension/policy/shell/shell-judge.ts';
import { APPROVAL_MODES, type ApprovalMode } from '../../extension/protocol/agent/approval-mode.ts';
import { protectedIn } from '../../extension/sandbox/git-places.ts';
import { findProtected } from '../../extension/sandbox/protected-places.ts';
import { prepareAttempts } from '../support/attempts/attempt-folder.ts';
import { NAMED_AT_RUN_TIME, OUTSIDE, READS } from '../support/attempts/attempts.ts';
import { PROTECTED } from '../support/attempts/protected-attempts.ts';
import type { TempRepository } from '../support/git-repository.ts';
import { circumstances, HOME, matchPrefixes, rule, shellParser } from '../support/shell-judging.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';

/** Everything is allowed, in the mode that asks least. */
const everything = (): Verdict => ({
  decision: 'allow',
  rule: rule('allow', { allowRedirection: true }),
  why: 'Everything is allowed.',
});

const RUNS: readonly string[] = [
  'echo x > a.txt',
  'cp a.txt b.txt',
  'cp -r src dist',
  'for f in a b; do echo x > $f; done',
  'for i in 1 2 3; do echo x > "out-$i.txt"; done',
  'out=dist; mkdir -p $out && cp -r src/. "$out/lib"',
  'for f in a.txt src/app.ts; do cp "$f" "$f.bak"; sed -i s/a/b/ "${f}"; done',
  'd=src; cd $d; touch $PWD/x',
  'n=$(date +%s); for f in a b; do touch $f; done; echo $n',
  'tee $HOME/x > /dev/null',
  "find . -name '*.ts' -exec sed -i s/a/b/ {} +",
  "find . -path './src/*' -delete",
  'cd src && echo x > a',
  'cd $PWD/src; tee x',
  'cat .npmrc',
  'grep -rn a .vscode',
  'ls .git',
  'diff .npmrc a.txt',
  'git add .github/workflows/ci.yml',
  'git diff -- .vscode',
  'git apply --check a.patch',
  'git checkout main',
  'git checkout src/a.ts',
  'git restore src/a.ts',
  'git remote add origin https://example.invalid/x.git',
  'tar tf a.tar',
  'tar cf a.tar src',
  'tar czf a.tgz --exclude=.git .',
  'unzip -l a.zip',
  'patch --dry-run -p1 < a.patch',
  'npm config get registry',
  'npm config list',
  'npm test',
  'rsync -a --exclude=.git src/ dist/',
  'cp -r src/. dist',
  'cp -r src .',
  'git submodule status',
  'git init',
  'find . -path ./.git -prune -o -print',
  'find . -name x | xargs grep y',
  "find . -name '*.pyc' -delete",
  'find src -type f -delete',
  'find . -type f -exec grep -n y {} +',
  'cp src/* dist',
  'gunzip -k a.gz',
  "curl -sw '%{http_code}' https://example.invalid",
  'wget -q https://example.invalid/a.tgz',
  'gcc -MFout/a.d a.c',
  'git archive --prefix=x/ HEAD',
  'pre-commit run --all-files',
  'uniq a b',
  'shuf -o b a',
  'cc -o a a.c',
  'timeout 5 cat .npmrc',
  'echo x > inside/a.txt',
  'ln -s src other; echo x > a.txt; cat other/app.ts',
  'mv src lib',
  'mv a.txt src',
  'cd src && mv ../a.txt .',
  'rm -rf src node_modules dist',
  'chmod -R a+x src',
  'cd src && node build.js --out ../dist',
  'git checkout .',
  'git checkout -b feature/x origin/main',
  'git restore .',
  'git rm -r --cached .',
  'git clean -n',
  'git stash && git pull --rebase && git stash pop',
  'git diff --name-only | xargs git add',
  'git clone https://example.invalid/x/show.git',
  'git bisect run npm test',
  'git commit -m "Update .npmrc"',
  'find . -type d -name __pycache__ -exec rm -rf {} +',
  'cp a.txt{,.bak}',
  'touch src/{a,b}.ts',
  'npx prettier --write *.json',
  "python3 -c 'print(1)'",
  'python3 --version',
  "echo 'print(1)' | python3",
  'eval "npm test"',
  "trap 'rm -f /tmp/x' EXIT; npm test",
  'docker run --rm node tar xf a.tar',
  "bash -lc 'npm test'",
  "sed -i 's/show.git/x/' src/app.ts",
  'gh pr create --body "Change .npmrc"',
  'unzip -p a.zip',
  'split -l 100 a part-',
  'mkdir -p .github',
  'cp a .github/CODEOWNERS',
  "cat > notes.md <<'E'\npatch the file\nE",
];

describe('protected files, whatever a command calls them', () => {
  let judge: ShellJudge;
  let repository: TempRepository;
  let folders: readonly TempFolder[];
  before(async () => {
    folders = await Promise.all([tempFolder('home'), tempFolder('outside')]);
    repository = await prepareAttempts(folders[0]?.path ?? '', folders[1]?.path ?? '');
    await symlink('src', join(repository.path, 'inside'));
    // Nothing changes here, so that it is enough to look once.
    const named = await protectedIn(repository.path, findProtected);
    judge = createShellJudge(await shellParser(), { home: HOME, runsBash: true, named: async () => named });
  });
  after(() => Promise.all([...folders, repository].map((folder) => folder.dispose())));

  /** As a model writes it, which knows where things are. */
  const named = (line: string): string =>
    line.replaceAll('$home', folders[0]?.path ?? '').replaceAll('$outside', folders[1]?.path ?? '');

  const decide = (
    command: string,
    mode: ApprovalMode = 'yolo',
    rules: (command: string) => Verdict = everything,
    change: Partial<Circumstances> = {},
  ): Promise<Verdict> | Verdict => {
    const { path } = repository;
    const now = circumstances({ mode, roots: [path], ...change });
    return judge(command, rules(command), rules, now, { path, root: path });
  };

  for (const [what, attempts] of Object.entries(PROTECTED)) {
    it(`ask in every mode, although a rule allows everything: ${what} (${attempts.length})`, async () => {
      for (const attempt of attempts) {
        const line = named(typeof attempt === 'string' ? attempt : attempt.line);
        for (const mode of APPROVAL_MODES) {
          const { decision, isGate } = await decide(line, mode);
          assert.deepEqual([line, mode, decision, isGate], [line, mode, 'ask_user', true]);
        }
      }
    });
  }

  it(`ask like files outside and secrets, where no rule allows them (${OUTSIDE.length} and ${READS.length})`, async () => {
    for (const attempt of [...OUTSIDE, ...READS]) {
      const line = named(typeof attempt === 'string' ? attempt : attempt.line);
      for (const mode of ['default', 'autoEdit', 'plan'] as const) {
        const { decision } = await decide(line, mode, matchPrefixes([]));
        assert.deepEqual([line, mode, decision], [line, mode, 'ask_user']);
      }
    }
  });

  it(`ask in every mode where only the run names them (${NAMED_AT_RUN_TIME.length}), except in the sandbox`, async () => {
    for (const line of NAMED_AT_RUN_TIME) {
      for (const mode of APPROVAL_MODES) {
        const { decision, isGate = false } = await decide(line, mode);
        assert.deepEqual([line, mode, decision, isGate], [line, mode, 'ask_user', mode === 'yolo']);
      }
      const { decision, onlyConfined } = await decide(line, 'yolo', everything, { isConfined: true });
      assert.deepEqual([line, decision, onlyConfined], [line, 'allow', true]);
    }
  });

  it('leave the rest alone', async () => {
    for (const command of RUNS) {
      const { decision, why } = await decide(command);
      assert.deepEqual([command, decision], [command, 'allow'], why);
    }
  });
});
