import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { settingsFiles } from '../../../extension/gemini-config/settings-files.ts';
import { readHooks } from '../../../extension/hooks/read-hooks.ts';

const FILE = { path: '/home/me/.gemini/settings.json', source: 'user' } as const;

describe('The hooks of a settings file', () => {
  it('are read with everything that is said of them', () => {
    const text = `{
      // Guards
      "hooks": {
        "BeforeTool": [{
          "matcher": "write_.*",
          "sequential": true,
          "hooks": [
            { "type": "command", "command": "check", "name": "guard", "description": "x", "timeout": 5000, "env": { "A": "1" } },
          ]
        }],
        "enabled": true, "disabled": [], "notifications": false
      },
      "hooksConfig": { "enabled": true, "disabled": ["old"] },
      "theme": "dark"
    }`;
    const about = { source: 'user', file: FILE.path, line: 8 } as const;
    const hook = { type: 'command', command: 'check', name: 'guard', timeoutMs: 5000, env: { A: '1' }, ...about };
    assert.deepEqual(readHooks(text, FILE), {
      groups: [{ event: 'BeforeTool', matcher: 'write_.*', sequential: true, hooks: [hook] }],
      enabled: true,
      disabled: ['old'],
      problems: [],
    });
  });

  it('stay in force beside what is wrong, which is reported with its line', () => {
    const text = `{
      "hooks": {
        "BeforeTol": [],
        "AfterTool": "none",
        "BeforeTool": [
          "x",
          { "hooks": [
            { "type": "plugin", "command": "a" },
            { "type": "command" },
            { "type": "command", "command": "b", "timeout": -1 },
            { "type": "command", "command": "c", "env": { "A": 1 } },
            { "type": "command", "command": "good" }
          ] },
          { "matcher": 5, "hooks": [] }
        ]
      },
      "hooksConfig": { "disabled": "all" }
    }`;
    const { groups, problems, enabled } = readHooks(text, FILE);
    assert.deepEqual(
      groups.flatMap(({ hooks }) => hooks.map((hook) => hook.type === 'command' && hook.command)),
      ['good'],
    );
    assert.equal(enabled, true);
    assert.deepEqual(
      problems.map(({ line, text: said }) => `${line} ${said.split(/ "Bef|[:(]/)[0]?.trim()}`),
      [
        '17 "hooksConfig" is ignored',
        '3 The hook event',
        '4 The value of AfterTool is ignored',
        '6 An entry for BeforeTool is ignored',
        '8 A hook for BeforeTool is ignored',
        '9 A hook for BeforeTool is ignored',
        '10 A hook for BeforeTool is ignored',
        '11 A hook for BeforeTool is ignored',
        '14 An entry for BeforeTool is ignored',
      ],
    );
  });

  for (const text of ['[]', '5', '{"hooks": 5}', '{"hooks": null}', '{"hooks": {"BeforeTool": [null]}}']) {
    it(`are none and a problem in ${text}`, () => {
      const { groups, problems } = readHooks(text, FILE);
      assert.deepEqual([groups, problems.length], [[], 1]);
    });
  }

  it('are none, and nothing is known, in a file that is not JSON', () => {
    const { unreadable, problems } = readHooks('{\n"hooks": {', FILE);
    assert.equal(unreadable, true);
    assert.deepEqual([problems[0]?.file, problems[0]?.line], [FILE.path, 2]);
  });

  it('have a time limit that Node can keep', () => {
    const text = '{"hooks":{"BeforeTool":[{"hooks":[{"type":"command","command":"x","timeout":1e12}]}]}}';
    const [hook] = readHooks(text, FILE).groups[0]?.hooks ?? [];
    assert.equal(hook?.timeoutMs, 3_600_000);
  });
});

describe('The files with hooks', () => {
  const places = { environment: {}, home: '/home/me', root: '/work/app', platform: 'linux' } as const;

  it('are those of the project, the user and the system', () => {
    assert.deepEqual(settingsFiles(places), [
      { path: '/work/app/.gemini/settings.json', source: 'project' },
      { path: '/home/me/.gemini/settings.json', source: 'user' },
      { path: '/etc/gemini-cli/settings.json', source: 'system' },
    ]);
  });

  it('are the user’s own in the home folder', () => {
    const sources = settingsFiles({ ...places, root: '/home/me' }).map(({ source }) => source);
    assert.deepEqual(sources, ['user', 'system']);
  });

  it('are where Gemini CLI is told to look', () => {
    const environment = { GEMINI_CLI_HOME: '/data', GEMINI_CLI_SYSTEM_SETTINGS_PATH: '/etc/mine.json' };
    const paths = settingsFiles({ ...places, environment, root: undefined }).map(({ path }) => path);
    assert.deepEqual(paths, ['/data/.gemini/settings.json', '/etc/mine.json']);
  });
});
