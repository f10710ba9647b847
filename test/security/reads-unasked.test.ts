import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import type { Circumstances, Decision, Tier } from '../../extension/policy/policy-types.ts';
import { PolicyEngine } from '../../extension/policy/rules/policy-engine.ts';
import { readRules } from '../../extension/policy/rules/read-rules.ts';
import type { ShellJudge } from '../../extension/policy/rules/shell-judge.ts';
import { createShellJudge } from '../../extension/policy/shell/shell-judge.ts';
import { filesShown } from '../../extension/processes/git-names.ts';
import { commandEnvironment } from '../../extension/processes/shell/clean-environment.ts';
import { createTempRepository, type TempRepository } from '../support/git-repository.ts';
import { repoRoot } from '../support/repo.ts';
import { HOME, shellParser } from '../support/shell-judging.ts';
import { createTempWorkspace, type TempWorkspace } from '../support/temp-workspace.ts';

const run = promisify(execFile);

const FILES = {
  'a.txt': 'a\n',
  'src/b.txt': 'b\n',
  '.env': 'KEY=1\n',
  '.gitignore': '.env\nbuild/\n',
  'build/out.txt': 'built\n',
};

describe('Commands that run without a question because they only read', function () {
  this.timeout(20_000);
  let judge: ShellJudge;
  let shipped: string;
  let repository: TempRepository;
  let outside: TempWorkspace;

  before(async () => {
    judge = createShellJudge(await shellParser(), {
      home: HOME,
      runsBash: true,
      shown: (folder, args) => filesShown({ folder, args, environment: process.env }),
    });
    shipped = await readFile(join(repoRoot, 'extension', 'policy', 'shipped', 'write.toml'), 'utf8');
  });
  const begin = async (): Promise<void> => {
    repository = await createTempRepository(FILES);
    outside = await createTempWorkspace({ 'x.txt': 'outside\n' });
  };
  const beginWithLinks = async (): Promise<void> => {
    await begin();
    await symlink(join(outside.path, 'x.txt'), join(repository.path, 'link.txt'));
    await symlink(outside.path, join(repository.path, 'folder'));
    await symlink(join(outside.path, 'x.txt'), join(repository.path, 'src', 'up.txt'));
  };
  const end = async (): Promise<void> => {
    await repository.dispose();
    await outside.dispose();
  };

  const decide = async (
    args: Readonly<Record<string, unknown>>,
    { more = '', tier = 'user' as Tier, ...change }: Partial<Circumstances> & { more?: string; tier?: Tier } = {},
  ): Promise<Decision> => {
    const read = [readRules(shipped, 'write.toml', 'default'), readRules(more, 'more.toml', tier)];
    const engine = new PolicyEngine({ rules: read.flatMap(({ rules }) => rules), checkers: [] }, judge);
    const roots = [await realpath(repository.path)];
    const circumstances = { mode: 'default', interactive: false, trusted: true, roots, sessionRules: [] } as const;
    const { decision } = await engine.decide({ name: 'run_shell_command', args }, { ...circumstances, ...change });
    return decision;
  };
  const decideLine = (command: string, ...more: [Parameters<typeof decide>[1]?]): Promise<Decision> =>
    decide({ command }, ...more);

  const READ = ['ls', 'ls -la src', 'pwd', 'cat a.txt', 'head -n 2 a.txt src/b.txt', 'wc -l a.txt', 'grep -n a a.txt'];
  const GIT = ['git status', 'git status --short', 'git diff', 'git diff --stat', 'git log --oneline', 'git show HEAD'];
  const BRANCHES = ['git branch', 'git branch --list', 'git log -p -- a.txt', 'git show HEAD:a.txt'];
  describe('in a repository that nothing is done to', () => {
    before(begin);
    after(end);

    for (const line of [...READ, ...GIT, ...BRANCHES]) {
      it(`include ${line}, with and without somebody to ask`, async () => {
        for (const mode of ['default', 'autoEdit'] as const) {
          for (const interactive of [true, false]) assert.equal(await decideLine(line, { mode, interactive }), 'allow');
        }
      });
    }

    it('do not include a line if the rules allow only a part of it', async () => {
      const more =
        '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "npm test"\ndecision = "allow"\npriority = 100\n';
      assert.equal(await decideLine('npm test', { more }), 'allow');
      assert.equal(await decideLine('npm test && touch x', { more }), 'deny');
    });

    for (const tier of ['user', 'workspace', 'extension'] as const) {
      it(`do not include what a rule of the ${tier} asks about or refuses`, async () => {
        const rule = (decision: string): string =>
          `[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "ls"\ndecision = "${decision}"\npriority = 100\n`;
        for (const interactive of [true, false]) {
          assert.equal(await decideLine('ls', { more: rule('ask_user'), tier, interactive }), 'ask_user');
          assert.equal(await decideLine('ls', { more: rule('deny'), tier, interactive }), 'deny');
        }
      });
    }
  });

  const HIDDEN = [
    'cat .env',
    'cat ./.env',
    "cat '.e'nv",
    'head src/../.env',
    'cat build/out.txt',
    'ls build',
    'cat .git/config',
  ];
  const AWAY = [
    'cat ../x',
    'cat /etc/passwd',
    'cat ~/.ssh/id_rsa',
    'ls ..',
    'cat link.txt',
    'cat folder/x.txt',
    'ls folder',
  ];
  const UNSEEN = [
    'cat *',
    'cat $HOME/x',
    'cat $(ls)',
    'cat `ls`',
    'cat <(ls)',
    'cat a.tx?',
    'cat {a.txt,.env}',
    'cat < .env',
  ];
  const MORE = [
    'ls > list',
    'cat a.txt > b',
    'ls; rm a.txt',
    'ls && touch x',
    'ls | sh',
    'LD_PRELOAD=./x ls',
    './ls',
    'env ls',
  ];
  const DEEP = [
    'grep -r KEY .',
    'grep -R KEY',
    'grep --recursive KEY',
    'grep -f .env a.txt',
    'grep -e -- -r -e KEY .',
    'find . -delete',
    'find -- src -name b.txt -delete',
    'find -- src -name b.txt -fprintf src/c.txt x',
    "sed -n 1p '-ew a.txt'",
    'uniq a.txt -c',
    'base64 -d a.txt b.txt',
    "git log --format='%+G?'",
    "git branch --list --format='%(signature:grade)'",
    'tail -f a.txt',
  ];
  const GIT_DOES_MORE = [
    'git -c core.fsmonitor=./evil status',
    'git -C src status',
    'git --git-dir=src status',
    'git diff --ext-diff',
    'git diff --no-index a.txt build',
    'git diff --output=x',
    'git log --show-signature',
    "git log '--format=%G?'",
    'git show --textconv HEAD',
    'git branch new',
    'git branch -D main',
    'git status -v',
    'git show HEAD:.env',
    'git stash',
  ];
  describe('in a repository with links out of it', () => {
    before(beginWithLinks);
    after(end);

    for (const line of [...HIDDEN, ...AWAY, ...UNSEEN, ...MORE, ...DEEP, ...GIT_DOES_MORE]) {
      it(`do not include ${line}`, async () => {
        assert.equal(await decideLine(line), 'deny');
        assert.equal(await decideLine(line, { interactive: true }), 'ask_user');
      });
    }

    it('do not lead out by a link after “always allow” either', async () => {
      const more = ['cat', 'cd', 'git commit', 'ls']
        .map((prefix) => `[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "${prefix}"\ndecision = "allow"\n`)
        .map((rule) => `${rule}priority = 950\n`)
        .join('');
      for (const line of [
        'cat link.txt',
        'cat a.txt folder/x.txt',
        'ls folder/',
        'cat .env',
        'cat ../x',
        'cd src && cat up.txt',
      ])
        assert.equal(await decideLine(line, { more, interactive: true }), 'ask_user', line);
      for (const line of [
        'cat build/out.txt',
        'ls build src',
        'cd src && cat b.txt',
        `git commit -m '${'long '.repeat(100)}'`,
      ])
        assert.equal(await decideLine(line, { more, interactive: true }), 'allow', line);
    });

    it('run in no folder that is hidden, outside or not there', async () => {
      for (const dir_path of ['build', '.git', 'folder', '..', 'missing'])
        assert.equal(await decide({ command: 'ls', dir_path }), dir_path === 'missing' ? 'allow' : 'deny', dir_path);
      assert.equal(await decide({ command: 'cat b.txt', dir_path: 'src' }), 'allow');
      // Which repository that is depends on what the folders above hold.
      assert.equal(await decide({ command: 'git status', dir_path: 'src' }), 'deny');
    });
  });

  describe('of git, when the repository brings its own settings', () => {
    beforeEach(begin);
    afterEach(end);

    const evil = (): string => join(outside.path, 'evil');
    const config = (text: string) => async (): Promise<void> => {
      const path = join(repository.path, '.git', 'config');
      await writeFile(path, `${await readFile(path, 'utf8')}${text.replaceAll('EVIL', evil())}`);
    };
    const attributes = (text: string, settings: string) => async (): Promise<void> => {
      await writeFile(join(repository.path, '.git', 'info', 'attributes'), text);
      await config(settings)();
    };
    /** What makes git run a program, and a command of the list above that does. */
    const rows: readonly [what: string, make: () => Promise<void>, fires: string | undefined][] = [
      ['core.fsmonitor', config('[core]\n\tfsmonitor = EVIL\n'), 'git status'],
      ['core.fsmonitor in one line', config('[core] fsmonitor = EVIL\n'), 'git status'],
      ['core.fsmonitor in other cases', config('[CORE]\n\tFSMonitor = EVIL\n'), 'git status'],
      [
        'core.fsmonitor behind a continued line',
        config('[user]\n\tname = a \\\n\tb\n[core]\nfsmonitor=EVIL'),
        'git status',
      ],
      [
        'an included file',
        async () => {
          await writeFile(join(repository.path, '.git', 'more'), `[core]\n\tfsmonitor = ${evil()}\n`);
          await config('[include]\n\tpath = more\n')();
        },
        'git status',
      ],
      ['core.pager', config('[core]\n\tpager = EVIL\n'), undefined],
      [
        'core.hooksPath',
        async () => {
          await mkdir(join(repository.path, '.git', 'other'));
          await writeFile(join(repository.path, '.git', 'other', 'post-index-change'), `#!/bin/sh\n${evil()}\n`, {
            mode: 0o755,
          });
          await config('[core]\n\thooksPath = .git/other\n')();
        },
        'git diff',
      ],
      [
        'a hook',
        async () => {
          await mkdir(join(repository.path, '.git', 'hooks'), { recursive: true });
          await writeFile(join(repository.path, '.git', 'hooks', 'post-index-change'), `#!/bin/sh\n${evil()}\n`, {
            mode: 0o755,
          });
        },
        'git diff',
      ],
      ['diff.external', config('[diff]\n\texternal = EVIL\n'), 'git diff'],
      ['a diff driver', attributes('*.txt diff=x\n', '[diff "x"]\n\tcommand = EVIL\n'), 'git diff'],
      ['a text converter', attributes('*.txt diff=x\n', '[diff "x"]\n\ttextconv = EVIL\n'), 'git show HEAD'],
      ['a filter', attributes('*.txt filter=x\n', '[filter "x"]\n\tclean = EVIL\n'), 'git status'],
      ['signatures', config('[log]\n\tshowSignature = true\n[gpg]\n\tprogram = EVIL\n'), undefined],
      ['core.sshCommand', config('[core]\n\tsshCommand = EVIL\n'), undefined],
      ['another work tree', config('[core]\n\tworktree = /\n'), undefined],
      ['a partial clone', config('[remote "o"]\n\turl = ext::EVIL\n\tpromisor = true\n'), undefined],
      ['settings of a work tree', config('[extensions]\n\tworktreeConfig = true\n'), undefined],
      ['another index format', async () => void repository.git('update-index', '--index-version', '4'), undefined],
      ['a shared index', async () => void repository.git('update-index', '--split-index'), undefined],
      ['objects elsewhere', () => writeFile(join(repository.path, '.git/objects/info/alternates'), '/x\n'), undefined],
      ['a HEAD that is none', () => writeFile(join(repository.path, '.git', 'HEAD'), 'none\n'), undefined],
      [
        'a submodule with settings of its own',
        async () => {
          const inner = join(repository.path, 'src', 'inner');
          await run('git', ['init', '--quiet', inner]);
          await run('git', [
            '-C',
            inner,
            '-c',
            'user.name=a',
            '-c',
            'user.email=a@b.invalid',
            'commit',
            '-q',
            '--allow-empty',
            '-m',
            'x',
          ]);
          repository.git('-c', 'advice.addEmbeddedRepo=false', 'add', 'src/inner');
          await run('git', ['-C', inner, 'config', 'core.fsmonitor', evil()]);
        },
        'git status',
      ],
      [
        'a .git that is a file',
        async () => {
          await rm(join(repository.path, '.git'), { recursive: true });
          await writeFile(join(repository.path, '.git'), `gitdir: ${outside.path}\n`);
        },
        undefined,
      ],
      ['no repository', () => rm(join(repository.path, '.git'), { recursive: true }), undefined],
    ];
    for (const [what, make, fires] of rows) {
      it(`does not run for ${what}`, async () => {
        await writeFile(evil(), `#!/bin/sh\ntouch ${join(outside.path, 'PWN')}\ncat "$1" 2>/dev/null\n`);
        await chmod(evil(), 0o755);
        await make();
        for (const line of GIT) assert.equal(await decideLine(line), 'deny', line);
        if (fires === undefined) return;
        // The program is really there to be run: without this, the row would show nothing.
        await writeFile(join(repository.path, 'a.txt'), 'b\n');
        if (fires === 'git diff') repository.git('add', '--renormalize', '.');
        await writeFile(join(repository.path, 'src', 'b.txt'), 'c\n');
        await run('bash', ['-c', fires], { cwd: repository.path, env: commandEnvironment(process.env) }).catch(
          () => undefined,
        );
        await readFile(join(outside.path, 'PWN'));
      });
    }

    it('runs for what git and editors write there', async () => {
      await config(
        '[remote "origin"]\n\turl = https://example.invalid/x.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n',
      )();
      await config(
        '[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n\tvscode-merge-base = origin/main\n',
      )();
      await config('# a comment\n[user]\n\tname = "A \'quoted\' name"\n\temail = a@example.invalid\n')();
      for (const line of GIT) assert.equal(await decideLine(line), 'allow', line);
    });

    for (const [what, files] of [
      ['a tracked file that looks like a secret', { 'server.pem': 'x' }],
      ['files hidden by .geminiignore', { '.geminiignore': 'a.txt\n' }],
    ] as const) {
      it(`shows names and no contents with ${what}`, async () => {
        await repository.write(files);
        repository.git('add', '--all');
        assert.equal(await decideLine('git status'), 'allow');
        for (const line of ['git diff', 'git log -p', 'git show']) assert.equal(await decideLine(line), 'deny', line);
      });
    }
  });

  describe('in a repository with work in it', () => {
    beforeEach(begin);
    afterEach(end);

    it('of git, when commits hold a file that looks like a secret, include what does not show it', async () => {
      const commit = (message: string): string => repository.git('commit', '--quiet', '--all', '--message', message);
      await repository.write({ 'server.pem': 'SECRET\n' });
      repository.git('add', 'server.pem');
      commit('Add it');
      const blob = repository.git('rev-parse', 'HEAD:server.pem').trim();
      repository.git('mv', 'server.pem', 'plain.txt');
      commit('Rename it');
      repository.git('rm', '--quiet', 'plain.txt');
      commit('Take it away');
      await repository.write({ 'a.txt': 'b\n' });
      commit('Go on');
      await repository.write({ 'a.txt': 'c\n' });
      const showing = `git log -p
      git log -U1
      git log --patch --all
      git log -p --oneline --graph
      git log -p --follow plain.txt
      git show HEAD~3
      git show HEAD~2
      git show HEAD~3 HEAD
      git show :0:server.pem
      git show HEAD~3:server.pem
      git show ${blob}
      git show ${blob.slice(0, 8)}
      git diff ${blob} HEAD:a.txt
      git diff HEAD~3
      git diff HEAD~3 HEAD
      git diff HEAD~3..HEAD~2`;
      const open = `git log
      git log --oneline --stat
      git log -p -1
      git log -p -n 1
      git log -p -- a.txt
      git show
      git show HEAD
      git show HEAD:a.txt
      git show HEAD~3:a.txt
      git diff
      git diff HEAD
      git diff HEAD~1
      git diff --stat HEAD~1
      git diff --name-only`;
      for (const line of showing.split(/\n\s+/)) assert.equal(await decideLine(line), 'deny', line);
      for (const line of open.split(/\n\s+/)) assert.equal(await decideLine(line), 'allow', line);
    });

    it('leave the index of the repository alone', async () => {
      const index = resolve(repository.path, '.git', 'index');
      const before = await readFile(index);
      await writeFile(join(repository.path, 'a.txt'), 'a\n');
      await run('bash', ['-c', 'git status'], { cwd: repository.path, env: commandEnvironment(process.env) });
      assert.deepEqual(await readFile(index), before);
    });
  });
});
