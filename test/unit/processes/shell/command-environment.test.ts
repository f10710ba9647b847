import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commandEnvironment } from '../../../../extension/processes/shell/clean-environment.ts';
import { createPtyShell, watch } from '../../../support/shells.ts';
import { createTempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';

const BASE = {
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  GEMINI_API_KEY: 'own-1',
  GOOGLE_API_KEY: 'own-2',
  GOOGLE_APPLICATION_CREDENTIALS: '/home/me/adc.json',
  GITHUB_TOKEN: 'the-users',
  ELECTRON_RUN_AS_NODE: '1',
  VSCODE_IPC_HOOK: '/run/vscode.sock',
  VSCODE_GIT_ASKPASS_MAIN: '/askpass.js',
  GIT_ASKPASS: '/askpass.sh',
  NODE_OPTIONS: '--require /bootloader.js',
  MANPAGER: 'less',
  PAGER: 'less',
  GIT_EDITOR: 'code --wait',
  LINES: '7',
  TMUX: '/tmp/tmux',
  EDITOR: 'vim',
  UNSET: undefined,
} as const;

describe('The environment of a command', () => {
  let workspace: TempWorkspace;

  beforeEach(async () => {
    workspace = await createTempWorkspace();
  });
  afterEach(() => workspace.dispose());

  const run = async (command: string, base: Readonly<Record<string, string | undefined>>): Promise<string> => {
    const watched = watch(createPtyShell(base).start(command, { folder: workspace.path }));
    await watched.exit;
    return watched.output();
  };

  it("is the user's, without what is ours or the editor's", async () => {
    const lines = (await run('env', BASE)).trim().split('\r\n');
    const seen = new Map(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
    const gone = ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'ELECTRON_RUN_AS_NODE', 'VSCODE_IPC_HOOK', 'GIT_ASKPASS'];
    for (const name of [...gone, 'VSCODE_GIT_ASKPASS_MAIN', 'NODE_OPTIONS', 'MANPAGER', 'LINES', 'TMUX', 'UNSET']) {
      assert.equal(seen.has(name), false, name);
    }
    const expected = {
      PATH: BASE.PATH,
      HOME: BASE.HOME,
      GOOGLE_APPLICATION_CREDENTIALS: BASE.GOOGLE_APPLICATION_CREDENTIALS,
      GITHUB_TOKEN: 'the-users',
      EDITOR: 'vim',
      GANTRY: '1',
      GEMINI_CLI: '1',
      TERM: 'xterm-256color',
      PAGER: 'cat',
      GIT_PAGER: 'cat',
      GIT_TERMINAL_PROMPT: '0',
      GIT_EDITOR: 'true',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.bareRepository',
      GIT_CONFIG_VALUE_0: 'explicit',
      PWD: workspace.path,
    };
    for (const [name, value] of Object.entries(expected)) assert.equal(seen.get(name), value, name);
  });

  it('drops names in any case, as Windows has them', () => {
    const cleaned = commandEnvironment({ Gemini_Api_Key: 'x', vscode_pid: '1', Pager: 'less', Path: 'C:\\' });
    assert.deepEqual(
      ['Gemini_Api_Key', 'vscode_pid', 'Pager', 'Path'].map((name) => cleaned[name]),
      [undefined, undefined, undefined, 'C:\\'],
    );
  });

  it('keeps a helper for passwords that is not the editor’s', () => {
    assert.equal(commandEnvironment({ SSH_ASKPASS: '/usr/bin/ksshaskpass' })['SSH_ASKPASS'], '/usr/bin/ksshaskpass');
  });

  const counts: readonly [given: string | undefined, count: string][] = [
    [undefined, '1'],
    ['0', '1'],
    ['2', '3'],
    ['nonsense', '1'],
    ['-1', '1'],
    ['99999999999', '1'],
  ];
  for (const [given, count] of counts) {
    it(`adds to configuration of Git that is there: ${given} becomes ${count}`, () => {
      const cleaned = commandEnvironment({ GIT_CONFIG_COUNT: given, GIT_CONFIG_KEY_1: 'user.name' });
      assert.equal(cleaned['GIT_CONFIG_COUNT'], count);
      assert.equal(cleaned[`GIT_CONFIG_KEY_${Number(count) - 1}`], 'safe.bareRepository');
    });
  }

  it("leaves the user's Git identity visible", async () => {
    const base = { ...process.env, GIT_CONFIG_GLOBAL: `${workspace.path}/gitconfig` };
    await workspace.write({ gitconfig: '[user]\n\tname = Ada Lovelace\n' });
    assert.match(await run('git config user.name', base), /Ada Lovelace/);
  });

  it('keeps a committed folder that looks like a bare repository from running programs', async () => {
    const config =
      '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = "touch ran; false"\n';
    await workspace.write({
      'sub/HEAD': 'ref: refs/heads/main\n',
      'sub/config': config,
      'sub/objects/': '',
      'sub/refs/heads/': '',
    });
    const trick = 'cd sub && git status; ls';
    const unprotected = `GIT_CONFIG_COUNT=0 git -C sub status >/dev/null 2>&1; ls sub`;
    assert.doesNotMatch(await run(trick, process.env), /\bran\b/);
    assert.match(await run(unprotected, process.env), /\bran\b/, 'the trick works where nothing is done about it');
  });

  it('never waits for an editor', async () => {
    const identity = '-c user.name=a -c user.email=a@b.c';
    const output = await run(
      `git init -q . && touch a && git add a && git ${identity} commit; echo "code $?"`,
      process.env,
    );
    assert.match(output, /empty commit message/);
    assert.match(output, /code 1/);
  });
}).timeout(20_000);
