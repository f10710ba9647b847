import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Verdict } from '../../extension/policy/policy-types.ts';
import type { ShellJudge } from '../../extension/policy/rules/shell-judge.ts';
import { createShellJudge } from '../../extension/policy/shell/shell-judge.ts';
import { APPROVAL_MODES, type ApprovalMode } from '../../extension/protocol/agent/approval-mode.ts';
import { WRITES } from '../support/sandbox-attempts.ts';
import { circumstances, HOME, rule, shellParser } from '../support/shell-judging.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';

/** Everything is allowed, in the mode that asks least. */
const everything = (): Verdict => ({
  decision: 'allow',
  rule: rule('allow', { allowRedirection: true }),
  why: 'Everything is allowed.',
});

/** Changes to protected files, and to files out of the workspace through a link, that no plain word names. */
const ASKS: Readonly<Record<string, readonly string[]>> = {
  'expansions and loops': [
    'cd $PWD/.git; echo x > hooks/pre-commit',
    'cd "$PWD/.git" && tee config',
    'pushd $PWD/.vscode; tee tasks.json',
    "tee .gi$'t'/config",
    "echo x > .gi$'t'/config",
    'tee $x/.git/config',
    `echo x > \${x:-.git}/config`,
    `tee \${x:-.git/config}`,
    `tee "\${x:-.vscode}/tasks.json"`,
    'for f in .git/config; do echo x > $f; done',
    'for f in .vscode/tasks.json; do tee "$f"; done',
    'for d in .vscode .idea; do rm -r $d; done',
    'for f in config; do cd .git; tee $f; done',
    'x=.git; tee $x/config',
    'x=.vscode/tasks.json; echo a > "$x"',
    'tee .vscod{e,}/tasks.json',
    'tee .vscod?/tasks.json',
    'tee .[v]scode/tasks.json',
    "tee '.vscode'/tasks.json",
    'tee .vs\\code/tasks.json',
    'tee .vsc""ode/tasks.json',
    "printf '.vscode/tasks.json' | xargs tee",
    "echo $'\\\\'; tee .npmrc #'",
    'echo \\ #; tee .npmrc',
    'echo == ; tee .npmrc ]]',
    'ls \n\\tee .npmrc',
    "cat > .npmrc <<'EOF'\nx\nEOF",
    '[[ a ]] && tee .npmrc',
  ],
  links: [
    'echo x > conf/tasks.json',
    'echo x >> conf/tasks.json',
    'tee conf/tasks.json',
    'cp a.txt conf/tasks.json',
    'cp a.txt conf',
    'rm conf/tasks.json',
    'cd conf && echo x > tasks.json',
    'echo x > deep/../conf/tasks.json',
    'echo x > npmrc',
    'sed -i s/a/b/ npmrc',
    'echo x > out/a.txt',
    'tee out/new.txt',
    'echo x > dangling',
    'touch out/a',
    'cp -l .vscode/tasks.json x',
    'cp -s .npmrc x',
    'cp --link .npmrc x',
    'cp --symbolic-link .npmrc x',
    'cp -rl .vscode x',
    'ln .npmrc x',
    'ln -s .vscode x',
    'ln -s "$PWD/.vscode" x',
    'link .npmrc x',
  ],
  'writers that take what to write by place or option': [
    'uniq a .npmrc',
    'uniq a conf/../.npmrc',
    'shuf -o .npmrc a',
    'shuf --output=.npmrc a',
    'split a .git/hooks/x',
    'csplit -f .vscode/x a 1',
    'xxd -r a .npmrc',
    'xxd a .envrc',
    'cc -o .git/hooks/pre-commit a.c',
    'gcc -o.git/hooks/pre-commit a.c',
    'clang a.c -o .husky/pre-commit',
    'go build -o .git/hooks/pre-commit',
    "ex -sc 'w .git/hooks/x' a",
    'ex .npmrc',
    'ed -s .npmrc',
    'vim .vscode/tasks.json',
    'openssl rand -out .npmrc 10',
    'gpg -o .npmrc -d a',
    'ssh-keygen -f .envrc',
    'node write.js .npmrc',
    './write .vscode/tasks.json',
    'prettier --write .vscode/tasks.json',
    'yq -i .a .github/workflows/ci.yml',
    'tsc --outDir .vscode',
    'pandoc -o AGENTS.md a',
    'rsync a .vscode/',
    'install a .git/hooks/pre-commit',
    'truncate -s 0 CLAUDE.md',
    'tee .github/copilot-instructions.md',
    'tee .cursorrules',
    'tee Taskfile.yml',
    'mkdir -p .github/workflows',
    'dd if=a of=.npmrc',
    'curl -o .npmrc https://example.invalid',
    'wget -O .npmrc https://example.invalid',
  ],
  'writers whose input says what they write': [
    'patch -p1 < a.patch',
    'patch < a.patch',
    'patch -i a.patch',
    'git apply a.patch',
    'git apply --index a.patch',
    'git am a.patch',
    'tar xf a.tar',
    'tar -xzf a.tgz',
    'tar -C src -x -f a.tar',
    'tar --extract --file=a.tar',
    'bsdtar xf a.zip',
    'unzip a.zip',
    'unzip -o a.zip -d src',
    'cpio -id < a',
    '7z x a.7z',
    'jar xf a.jar',
    'git checkout main -- .',
    'git checkout HEAD~1 .',
    'git checkout main -- :/',
    'git checkout main -- .github',
    'git restore --source=main .',
    'git restore -s main -- .',
    'ls | xargs rm',
    'find . -name x | xargs rm -rf',
    'cat list | xargs -n1 tee',
    'cat list | xargs -I{} cp a {}',
  ],
  'settings of programs': [
    'npm config set --location=project script-shell=evil',
    'npm config set registry x',
    'npm set registry x',
    'npm c set a b',
    'npm config delete a',
    'pnpm config set a b',
    'yarn config set a b',
    'pip config set a b',
    'git config core.pager evil',
    'git remote add evil ext::sh',
    "git remote add evil 'ext::sh -c evil'",
    "git remote set-url origin 'fd::7'",
  ],
};

/** Those that name a protected file. What lies outside, or is run only by settings of Git, is for the sandbox alone. */
const AROUND_SANDBOX = WRITES.filter((line) => !/\$outside|\$home|linked-settings|scripts\/hooks|included/.test(line));

const RUNS: readonly string[] = [
  'echo x > a.txt',
  'cp a.txt b.txt',
  'cp -r src dist',
  'for f in a b; do echo x > $f; done',
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
  'find . -path ./.git -prune -o -print',
  'find . -name x | xargs grep y',
  'uniq a b',
  'shuf -o b a',
  'cc -o a a.c',
  'timeout 5 cat .npmrc',
  'echo x > inside/a.txt',
];

describe('protected files, whatever a command calls them', () => {
  let judge: ShellJudge;
  let folder: TempFolder;
  let outside: TempFolder;
  before(async () => {
    judge = createShellJudge(await shellParser(), { home: HOME, runsBash: true });
    folder = await tempFolder('protected');
    outside = await tempFolder('outside');
    const at = (name: string): string => join(folder.path, name);
    for (const name of ['.vscode', 'deep', 'src']) await mkdir(at(name));
    await writeFile(at('.npmrc'), '');
    await symlink('.vscode', at('conf'));
    await symlink('.npmrc', at('npmrc'));
    await symlink(outside.path, at('out'));
    await symlink(join(outside.path, 'missing'), at('dangling'));
    await symlink('src', at('inside'));
  });
  after(async () => {
    await folder.dispose();
    await outside.dispose();
  });

  const decide = (command: string, mode: ApprovalMode = 'yolo'): Promise<Verdict> | Verdict =>
    judge(command, everything(), everything, circumstances({ mode, roots: [folder.path] }), {
      path: folder.path,
      root: folder.path,
    });

  for (const [what, commands] of Object.entries({ ...ASKS, 'ways around a sandbox': AROUND_SANDBOX })) {
    it(`ask in every mode: ${what} (${commands.length})`, async () => {
      for (const command of commands) {
        for (const mode of APPROVAL_MODES) {
          const { decision, isGate } = await decide(command, mode);
          assert.deepEqual([command, mode, decision, isGate], [command, mode, 'ask_user', true]);
        }
      }
    });
  }

  it('leave the rest alone', async () => {
    for (const command of RUNS) {
      const { decision, why } = await decide(command);
      assert.deepEqual([command, decision], [command, 'allow'], why);
    }
  });
});
