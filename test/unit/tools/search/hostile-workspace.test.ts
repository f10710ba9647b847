import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { chmod, readdir, rm, symlink } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ToolContext, ToolResult } from '../../../../extension/ports/tool.ts';
import { createGlobTool } from '../../../../extension/tools/search/glob.ts';
import { createGrepSearchTool } from '../../../../extension/tools/search/grep-search.ts';
import { lookOfPs } from '../../../../extension/tools/search/held-up.ts';
import { createListDirectoryTool } from '../../../../extension/tools/search/list-directory.ts';
import { listWorkspaceFiles } from '../../../../extension/tools/search/workspace-files.ts';
import { eventually } from '../../../support/poll.ts';
import { callTool, expectError, RIPGREP_HOME, textOf } from '../../../support/search-tool.ts';
import { createTempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';
import { createToolContext } from '../../../support/tool-context.ts';

const grepTool = createGrepSearchTool(RIPGREP_HOME);
const globTool = createGlobTool(RIPGREP_HOME);

describe('Searching a hostile workspace', () => {
  let workspace: TempWorkspace;
  const before = { ...process.env };

  beforeEach(async () => {
    workspace = await createTempWorkspace();
  });
  afterEach(async () => {
    for (const name of ['RIPGREP_CONFIG_PATH', 'PATH', 'HOME']) process.env[name] = before[name] ?? '';
    if (before['RIPGREP_CONFIG_PATH'] === undefined) delete process.env['RIPGREP_CONFIG_PATH'];
    await workspace.dispose();
  });

  const context = (changes: Partial<ToolContext> = {}): ToolContext => createToolContext([workspace.path], changes);
  const grep = (args: Record<string, unknown>, changes?: Partial<ToolContext>): Promise<ToolResult> =>
    callTool(grepTool, args, context(changes));

  it('runs nothing that the workspace or the environment brings along', async () => {
    const evil = join(workspace.path, 'evil');
    const config = `--pre=${evil}\n--hostname-bin=${evil}\n--search-zip\n`;
    const program = `#!/bin/sh\ntouch "${workspace.path}/pwned"\n`;
    await workspace.write({ evil: program, rg: program, gzip: program, '.ripgreprc': config, 'a.txt': 'needle\n' });
    await workspace.write({ 'b.gz': Buffer.from([0x1f, 0x8b, 8, 0]) });
    for (const name of ['evil', 'rg', 'gzip']) await chmod(join(workspace.path, name), 0o755);
    process.env['RIPGREP_CONFIG_PATH'] = join(workspace.path, '.ripgreprc');
    process.env['HOME'] = workspace.path;
    process.env['PATH'] = `${workspace.path}${delimiter}${before['PATH']}`;
    assert.match(textOf(await grep({ pattern: 'needle', no_ignore: true })), /File: a\.txt/);
    assert.match(textOf(await callTool(globTool, { pattern: '**' }, context())), /a\.txt/);
    assert.ok(!(await readdir(workspace.path)).includes('pwned'));
  });

  const options = ['--pre=./evil', '--files', '-f/etc/passwd', '--', '-', '--no-ignore', '-z', '@x'];
  for (const text of options) {
    it(`takes ${JSON.stringify(text)} for text and not for an option`, async () => {
      await workspace.write({ 'a.txt': 'nothing\n' });
      assert.equal((await grep({ pattern: `${text}~`, fixed_strings: true })).data?.['matches'], 0);
      await grep({ pattern: 'x', include_pattern: text, exclude_pattern: text });
      expectError(await grep({ pattern: 'x', dir_path: text }), 'search_path_not_found');
      assert.equal((await callTool(globTool, { pattern: `${text}~` }, context())).data?.['files'], 0);
    });
  }

  it('is not held up by a pattern that takes others for ever', async () => {
    await workspace.write({ 'a.txt': `${'a'.repeat(100_000)}!\n` });
    const pattern = '(a+)+$';
    assert.equal((await grep({ pattern: 'a', exclude_pattern: '(a|aa)+$' })).data?.['matches'], 1);
    assert.equal((await grep({ pattern, context: 0 })).data?.['matches'], 0);
    await workspace.write({ [`${'a'.repeat(200)}b`]: '' });
    const glob = `${'*a'.repeat(30)}c`;
    assert.equal((await callTool(globTool, { pattern: glob }, context())).data?.['files'], 0);
    const list = { dir_path: '.', ignore: [glob] };
    assert.equal((await callTool(createListDirectoryTool(), list, context())).data?.['entries'], 2);
  });

  const itOnLinux = process.platform === 'linux' ? it : it.skip;

  itOnLinux('leaves no process behind when it is cancelled', async () => {
    const home = await createTempWorkspace({ rg: '#!/bin/sh\nexec sleep 100\n' });
    await chmod(join(home.path, 'rg'), 0o755);
    const stop = new AbortController();
    const slow = createGrepSearchTool({ assets: home.path });
    const running = callTool(slow, { pattern: 'needle' }, context({ signal: stop.signal }));
    await eventually('ripgrep to run', () => processesIn(workspace.path).length > 0);
    stop.abort();
    expectError(await running, 'cancelled');
    await eventually('ripgrep to be gone', () => processesIn(workspace.path).length === 0);
    await home.dispose();
  });

  /** Git keeps links; pipes come in archives. */
  const HOLDS: Readonly<Record<string, (path: string) => unknown>> = {
    'a named pipe': (path) => execFileSync('mkfifo', [path]),
    'a link to a device without an end': (path) => symlink('/dev/zero', path),
  };
  for (const [what, make] of Object.entries(HOLDS)) {
    for (const place of ['.git/info/exclude', 'sub/.gitignore', 'sub/deeper/.gitignore']) {
      itOnLinux(`does not wait for rules from ${what} at ${place}`, async () => {
        await workspace.write({
          'a.txt': 'needle',
          'sub/b.txt': 'needle',
          'gone.txt': 'needle',
          '.gitignore': 'gone*',
        });
        await workspace.write({ '.git/info/': '', 'sub/deeper/c.txt': 'needle' });
        await make(join(workspace.path, place));
        const isRoot = place.startsWith('.git/');
        const result = await grep({ pattern: 'needle', names_only: true });
        if (isRoot) expectError(result, 'invalid_tool_params', /could not be checked/);
        else
          assert.equal(
            textOf(result)
              .match(/^\S+\.txt$/gm)
              ?.join(),
            place === 'sub/.gitignore' ? 'a.txt' : 'a.txt,sub/b.txt',
          );
        const paths: string[] = [];
        const { signal } = new AbortController();
        const listing = {
          folder: workspace.path,
          excluded: ['**/.git*'],
          signal,
          onPath: (path: string) => paths.push(path),
        };
        assert.ok(await listWorkspaceFiles(RIPGREP_HOME, listing));
        assert.deepEqual(paths.sort(), ['a.txt', 'sub/b.txt', 'sub/deeper/c.txt']);
      });
    }
  }

  it('is seen to be held up by what ps says of it, where nothing else does', () => {
    const LOOKS: readonly (readonly [before: string, now: string, isHeld: boolean])[] = [
      ['', 'S 0:00.01 3000 0', false],
      ['S 0:00.01 3000 0', 'S 0:00.01 3000 0', true],
      ['S+ 0:00.01 3000 0', 'S+ 0:00.01 3000 0', true],
      ['S 0:00.01 3000 0', 'S 0:00.02 3000 0', false],
      ['S 0:00.01 3000 0', 'S 0:00.01 3000 99', false],
      ['R 0:00.01 3000 0', 'R 0:00.01 3000 0', false],
      ['U 0:00.01 3000 0', 'U 0:00.01 3000 0', false],
      ['R 0:00.01 3000 0', 'R 0:04.01 3000000 0', true],
      [' 0', ' 0', false],
    ];
    for (const [before, now, isHeld] of LOOKS) assert.deepEqual(lookOfPs(now, before), { isHeld, seen: now }, now);
  });

  it('does nothing when it is cancelled before', async () => {
    await workspace.write({ 'a.txt': 'needle' });
    const changes = { signal: AbortSignal.abort() };
    for (const tool of [grepTool, globTool, createListDirectoryTool()])
      expectError(await tool.execute({ pattern: 'needle', dir_path: '.' }, context(changes)), 'cancelled', /cancelled/);
  });

  it('copes with folders that go away while it looks', async () => {
    await workspace.write(Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`d/${n}/a.txt`, 'needle\n'])));
    const searches = [
      grep({ pattern: 'needle', dir_path: 'd' }),
      callTool(globTool, { pattern: '**', dir_path: 'd' }, context()),
      callTool(createListDirectoryTool(), { dir_path: 'd' }, context()),
    ];
    await rm(join(workspace.path, 'd'), { recursive: true, maxRetries: 5 });
    for (const { error } of await Promise.all(searches))
      assert.ok(error === undefined || /^(search_path_not_found|file_not_found|grep_ex|glob_ex)/.test(error.type));
  });

  // Nothing is closed to root, and Windows has other rights.
  const canClose = process.getuid?.() !== 0 && process.platform !== 'win32';
  const closed = canClose ? it : (): void => undefined;

  closed('says what it could not read, and shows the rest', async () => {
    await workspace.write({ 'a.txt': 'needle', 'closed/b.txt': 'needle' });
    await chmod(join(workspace.path, 'closed'), 0);
    try {
      const result = await grep({ pattern: 'needle' });
      assert.equal(result.data?.['matches'], 1);
      assert.match(textOf(result), /\[Some files or folders could not be read\.\]$/);
      const list = await callTool(createListDirectoryTool(), { dir_path: 'closed' }, context());
      assert.ok(['permission_denied', 'invalid_tool_params'].includes(list.error?.type ?? ''));
    } finally {
      await chmod(join(workspace.path, 'closed'), 0o755);
    }
  });
});

/** Ids of processes that work in a folder. */
function processesIn(folder: string): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`) === folder;
    } catch {
      return false;
    }
  });
}
