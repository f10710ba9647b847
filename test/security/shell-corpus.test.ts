import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { before, describe, it } from 'mocha';
import type { ShellParser } from '../../extension/policy/shell/shell-types.ts';
import { type ShellAttempt, shellCorpus } from '../support/shell-corpus.ts';
import { judge, matchPrefixes, rule, shellParser } from '../support/shell-judging.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { some } from '../support/test-size.ts';

const run = promisify(execFile);

const corpus = shellCorpus();
const harmful = corpus.filter(({ expected }) => expected === 'ask');
const harmless = corpus.filter(({ expected }) => expected === 'allow');

describe('shell commands that look harmless', () => {
  let parser: ShellParser;
  before(async () => {
    parser = await shellParser();
  });

  for (const entry of harmful) {
    it(`asks before ${JSON.stringify(entry.command)} (${entry.lesson})`, async () => {
      assert.equal((await decide(parser, entry)).decision, 'ask_user');
    });
  }

  it('are many, and most of them are run below', () => {
    assert.ok(harmful.filter(({ fires }) => fires).length >= 67);
    assert.deepEqual(
      harmful.filter(({ fires, why }) => !fires && why === undefined),
      [],
    );
  });

  it('really do what they are said to do', async function () {
    if (process.platform === 'win32') this.skip();
    this.timeout(120_000);
    const template = await tempFolder('payloads');
    await prepare(template.path);
    const waiting = [
      ...some(
        harmful.filter(({ fires }) => fires),
        0,
      ),
    ];
    const silent: string[] = [];
    const work = async (): Promise<void> => {
      for (let entry = waiting.pop(); entry; entry = waiting.pop()) {
        if (!(await fires(template.path, entry))) silent.push(entry.command);
      }
    };
    await Promise.all([work(), work(), work(), work()]);
    await template.dispose();
    assert.deepEqual(silent, []);
  });
});

describe('harmless shell commands', () => {
  let parser: ShellParser;
  before(async () => {
    parser = await shellParser();
  });

  for (const entry of harmless) {
    it(`runs ${JSON.stringify(entry.command)} unasked (${entry.lesson})`, async () => {
      const verdict = await decide(parser, entry);
      assert.equal(verdict.decision, 'allow', verdict.why);
    });
  }

  it('are enough to notice a judge that asks about everything', () => {
    assert.ok(harmless.length >= 40);
  });
});

async function decide(parser: ShellParser, { command, rules, allow, mode = 'default' }: ShellAttempt) {
  const everything = {
    decision: 'allow',
    rule: rule('allow', { allowRedirection: true }),
    why: 'Everything is allowed.',
  } as const;
  return judge(parser, command, allow ? () => everything : matchPrefixes(rules), { mode });
}

/** What the payloads find: a repository with a commit, programs, files whose names are options. */
async function prepare(folder: string): Promise<void> {
  const git = (...args: string[]): Promise<unknown> =>
    run('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: folder });
  await git('init', '-q');
  await writeFile(join(folder, 'a.txt'), 'hello\nworld\n');
  await git('add', '.');
  await git('commit', '-qm', 'first');
  await writeFile(join(folder, 'a.txt'), 'hello\nthere\n');
  const scripts = { test: 'touch PWN', postinstall: 'touch PWN' };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'p', version: '1.0.0', scripts }));
  await writeFile(
    join(folder, 'big.txt'),
    Array.from({ length: 40_000 }, (_, line) => `${(line * 7919) % 40_009}\n`).join(''),
  );
  await mkdir(join(folder, 'bin'));
  for (const name of ['evil', 'bin/ls', 'bin/git-evil']) {
    await writeFile(join(folder, name), '#!/bin/sh\n: > PWN\n/bin/cat 2>/dev/null </dev/null\n');
    await chmod(join(folder, name), 0o755);
  }
  await run('tar', ['cf', 't.tar', 'a.txt'], { cwd: folder });
  await mkdir(join(folder, 'globs'));
  for (const name of ['a', '--checkpoint=1', '--checkpoint-action=exec=touch PWN']) {
    await writeFile(join(folder, 'globs', name), 'x');
  }
}

async function fires(template: string, { command, folder = '.' }: ShellAttempt): Promise<boolean> {
  const scratch = await tempFolder('payload');
  await cp(template, scratch.path, { recursive: true });
  const cwd = join(scratch.path, folder);
  const path = `${process.env['PATH']}${delimiter}${resolve('out/assets')}`;
  const env = { PATH: path, HOME: scratch.path, GIT_CONFIG_NOSYSTEM: '1', npm_config_update_notifier: 'false' };
  const child = run('bash', ['-c', command], { cwd, env, timeout: 30_000 });
  child.child.stdin?.end();
  // Many of them end with an error; all that counts is what they leave.
  await child.catch(() => undefined);
  const fired = (await readdir(cwd)).some((name) => name.includes('PWN'));
  await scratch.dispose();
  return fired;
}
