import assert from 'node:assert/strict';
import * as theirTools from '@google/gemini-cli-core';
import { createPolicyEngineConfig } from '@google/gemini-cli-core/dist/src/policy/config.js';
import { PolicyEngine as TheirEngine } from '@google/gemini-cli-core/dist/src/policy/policy-engine.js';
import { PolicyDecision, ApprovalMode as TheirMode } from '@google/gemini-cli-core/dist/src/policy/types.js';
import { describe, it } from 'mocha';
import { GeminiSettings, type LayerName } from '../../../extension/gemini-config/gemini-settings.ts';
import { Restrictions } from '../../../extension/gemini-config/restrictions.ts';
import { CLASS_NAMES, readEntry } from '../../../extension/gemini-config/tool-entry.ts';
import type { PolicyCall } from '../../../extension/policy/policy-types.ts';
import { PolicyEngine } from '../../../extension/policy/rules/policy-engine.ts';
import { createShellJudge } from '../../../extension/policy/shell/shell-judge.ts';
import type { ApprovalMode } from '../../../extension/protocol/agent/approval-mode.ts';
import { circumstances, HOME, shellParser } from '../../support/shell-judging.ts';
import '../../support/policy-oracle.ts';
import { tempFolder } from '../../support/temp-folder.ts';

type Fields = Readonly<Record<string, unknown>>;

function settings(layers: Partial<Record<LayerName, Fields>>, isTrusted = true): GeminiSettings {
  const written = Object.entries(layers) as [LayerName, Fields][];
  return new GeminiSettings(
    written.map(([layer, fields]) => ({ layer, file: `/${layer}/settings.json`, fields })),
    [],
    isTrusted,
  );
}

const kindOf = (name: string) => (name.startsWith('mcp_') ? 'other' : 'edit') as 'other' | 'edit';

function refused(fields: Fields, name: string, server?: string): boolean {
  return new Restrictions(settings({ user: fields })).refusal({ name, kind: kindOf(name), server }) !== undefined;
}

let loaded: ReturnType<typeof shellParser> | undefined;
const parser = () => {
  loaded ??= shellParser();
  return loaded;
};

/** What becomes of a call where everything else is allowed. */
async function outcome(from: GeminiSettings, call: PolicyCall, mode: ApprovalMode): Promise<string> {
  const restrictions = new Restrictions(from);
  const { name, server, args } = call;
  if (restrictions.refusal({ name, kind: kindOf(name), server })) return 'deny';
  if (name === 'run_shell_command' && (await restrictions.commandRefusal(args['command'], parser))) return 'deny';
  const allowsAll = {
    toolName: '*',
    decision: 'allow',
    priority: 4.1,
    source: { tier: 'user', label: 'all' },
  } as const;
  const rules = [allowsAll, ...restrictions.rules];
  const judge = createShellJudge(await parser(), { home: HOME, runsBash: true });
  const { decision } = await new PolicyEngine({ rules, checkers: [] }, judge).decide(call, circumstances({ mode }));
  return decision;
}

describe('A list of tools in the settings', () => {
  for (const [entry, name, server, isMeant] of [
    ['write_file', 'write_file', undefined, true],
    ['write_file', 'read_file', undefined, false],
    [' write_file ', 'write_file', undefined, true],
    ['WriteFileTool', 'write_file', undefined, true],
    ['LSTool', 'list_directory', undefined, true],
    ['RipGrepTool', 'grep_search', undefined, true],
    ['search_file_content', 'grep_search', undefined, true],
    ['write_file(a.txt)', 'write_file', undefined, true],
    ['ShellTool', 'run_shell_command', undefined, true],
    ['mcp_github_get_issue', 'mcp_github_get_issue', 'github', true],
    ['get_issue', 'mcp_github_get_issue', 'github', true],
    ['mcp_github_*', 'mcp_github_get_issue', 'github', true],
    ['mcp_*', 'mcp_github_get_issue', 'github', true],
    ['mcp_gitlab_*', 'mcp_github_get_issue', 'github', false],
    ['mcp_github_*', 'write_file', undefined, false],
    ['*', 'write_file', undefined, true],
  ] as const) {
    it(`${JSON.stringify(entry)} is ${isMeant ? '' : 'not '}about ${name}`, () => {
      assert.equal(refused({ tools: { exclude: [entry] } }, name, server), isMeant, 'excluded');
      assert.equal(refused({ tools: { core: [entry] } }, name, server), !isMeant, 'the only one');
    });
  }

  it('knows the classes of Gemini CLI’s tools', () => {
    const classes = Object.entries(theirTools).flatMap(([className, value]) => {
      const name = typeof value === 'function' && 'Name' in value ? value.Name : undefined;
      return className.endsWith('Tool') && typeof name === 'string' ? [[className, name] as const] : [];
    });
    assert.ok(classes.length > 15, String(classes.length));
    for (const [className, name] of classes) assert.equal(readEntry(className).tool, name, className);
    assert.equal(CLASS_NAMES['ShellTool'], 'run_shell_command');
  });
});

describe('A restriction in the settings', () => {
  const key = { exclude: ['write_file'] };
  const core = { core: ['read_file'] };

  for (const layer of ['defaults', 'user', 'project', 'system'] as const) {
    for (const isTrusted of [true, false]) {
      it(`counts in the ${layer} file, in a folder that is ${isTrusted ? '' : 'not '}trusted, and names the file`, () => {
        for (const tools of [key, core]) {
          const restrictions = new Restrictions(settings({ [layer]: { tools } }, isTrusted));
          const { why = '', shown = '' } = restrictions.refusal({ name: 'write_file', kind: 'edit' }) ?? {};
          for (const text of [why, shown]) assert.ok(text.includes(`in /${layer}/settings.json`), text);
          assert.equal(restrictions.refusal({ name: 'read_file', kind: 'read' }), undefined);
        }
        const yolo = new Restrictions(settings({ [layer]: { security: { disableYoloMode: true } } }, isTrusted));
        assert.equal(yolo.noYolo?.file, `/${layer}/settings.json`);
      });
    }
  }

  it('of several files is added up where it excludes', () => {
    const both = settings({
      user: { tools: key },
      project: { tools: { exclude: ['glob'] } },
      system: { excludeTools: ['web_fetch'] },
    });
    const restrictions = new Restrictions(both);
    for (const name of ['write_file', 'glob', 'web_fetch'])
      assert.ok(restrictions.refusal({ name, kind: 'edit' }), name);
  });

  it('is what the strongest of the user and the system says, and a folder takes away from it only', () => {
    const lists = settings({
      user: { tools: { core: ['read_file'] } },
      system: { tools: { core: ['read_file', 'write_file', 'glob'] } },
      project: { tools: { core: ['write_file', 'web_fetch'] } },
    });
    const restrictions = new Restrictions(lists);
    const offered = ['read_file', 'write_file', 'glob', 'web_fetch'].filter(
      (name) => !restrictions.refusal({ name, kind: 'edit' }),
    );
    assert.deepEqual(offered, ['write_file']);
    const off = { security: { disableYoloMode: false } };
    const on = { security: { disableYoloMode: true } };
    assert.equal(
      new Restrictions(settings({ user: on, system: off })).noYolo,
      undefined,
      'the system has the last word',
    );
    assert.equal(new Restrictions(settings({ project: on, system: off })).noYolo?.file, '/project/settings.json');
    assert.equal(new Restrictions(settings({ user: on, project: off })).noYolo?.file, '/user/settings.json');
  });

  it('leaves an agent its way to end', () => {
    assert.equal(refused({ tools: { core: [] } }, 'complete_task'), false);
    assert.equal(refused({ tools: { core: [] } }, 'read_file'), true);
  });

  for (const [fields, name, server] of [
    [{ useWriteTodos: false }, 'write_todos', undefined],
    [{ experimental: { enableAgents: false } }, 'invoke_agent', undefined],
    [{ skills: { enabled: false } }, 'activate_skill', undefined],
    [{ admin: { skills: { enabled: false } } }, 'activate_skill', undefined],
    [{ general: { plan: { enabled: false } } }, 'enter_plan_mode', undefined],
    [{ admin: { mcp: { enabled: false } } }, 'mcp_a_b', 'a'],
  ] as const) {
    it(`${JSON.stringify(fields)} takes ${name} away`, () => {
      assert.equal(refused(fields, name, server), true);
      assert.equal(refused({}, name, server), false);
    });
  }

  it('admin.secureModeEnabled takes away what runs and stays without a question', () => {
    const { noYolo, noAlwaysAllow } = new Restrictions(settings({ system: { admin: { secureModeEnabled: true } } }));
    assert.deepEqual([noYolo?.key, noAlwaysAllow?.key], ['admin.secureModeEnabled', 'admin.secureModeEnabled']);
  });

  it('of a folder grants nothing', () => {
    const granted = settings({ project: { tools: { allowed: ['write_file'], core: ['write_file'] } } });
    assert.deepEqual(new Restrictions(granted).rules, []);
    const asks = new Restrictions(settings({ project: { tools: { confirmationRequired: ['glob'] } } }));
    assert.deepEqual(
      asks.rules.map(({ decision, onlyTightens }) => [decision, onlyTightens]),
      [['ask_user', true]],
    );
  });
});

describe('Commands in the settings', () => {
  const listed = { tools: { core: ['run_shell_command(git status)', 'ShellTool(npm test)', 'read_file'] } };
  const excluded = { tools: { exclude: ['run_shell_command(rm -rf)', 'ShellTool(curl)'] } };
  for (const [fields, command, expected] of [
    [listed, 'git status', 'allow'],
    [listed, 'git status --short', 'allow'],
    [listed, 'git status && npm test', 'allow'],
    [listed, 'git statusx', 'deny'],
    [listed, 'git push', 'deny'],
    [listed, 'git status; rm x', 'deny'],
    [listed, 'git status | sh', 'deny'],
    [listed, 'git status $(rm x)', 'deny'],
    [listed, 'git status `rm x`', 'deny'],
    [listed, 'X=1 git status', 'deny'],
    [listed, 'sh -c "git status"', 'deny'],
    [listed, 'git status "', 'deny'],
    [excluded, 'rm -rf build', 'deny'],
    [excluded, 'echo a; rm -rf build', 'deny'],
    [excluded, 'eval "$DO"', 'deny'],
    [excluded, '$(printf rm) -rf build', 'deny'],
    [excluded, 'echo "unclosed', 'deny'],
    [excluded, 'echo a && (curl https://x)', 'deny'],
    [excluded, 'rm build', 'allow'],
    [excluded, 'ls', 'allow'],
  ] as const) {
    it(`${JSON.stringify(fields.tools)}: ${command} → ${expected}`, async () => {
      const call = { name: 'run_shell_command', args: { command } };
      // In yolo mode, where nothing but the settings is in the way.
      assert.equal(await outcome(settings({ user: fields }), call, 'yolo'), expected);
    });
  }
});

describe('Beside Gemini CLI', () => {
  const LISTS: readonly Fields[] = [
    { exclude: ['write_file'] },
    { exclude: ['mcp_github_*'] },
    { core: ['read_file', 'run_shell_command(git status)'] },
    { core: ['run_shell_command'] },
    { core: ['ShellTool(git status)'] },
    { core: [] },
    { core: ['mcp_github_get'] },
    { allowed: ['write_file'] },
    { allowed: ['run_shell_command(git status)'] },
    { allowed: ['ShellTool'] },
    { allowed: ['run_shell_command(git status)', 'run_shell_command(npm test)'], exclude: ['write_file'] },
    { confirmationRequired: ['write_file', 'ShellTool'] },
    { confirmationRequired: ['write_file'], allowed: ['write_file'] },
    { exclude: ['write_file'], allowed: ['write_file'] },
  ];
  const CALLS: readonly PolicyCall[] = [
    { name: 'read_file', args: { file_path: 'a' } },
    { name: 'write_file', args: { file_path: 'a', content: 'b' } },
    { name: 'run_shell_command', args: { command: 'git status' } },
    { name: 'run_shell_command', args: { command: 'git status && git push' } },
    { name: 'run_shell_command', args: { command: 'npm run build' } },
    { name: 'mcp_github_get', server: 'github', args: {} },
    { name: 'mcp_other_get', server: 'other', args: {} },
  ];
  const MODES: readonly (readonly [ApprovalMode, TheirMode])[] = [
    ['default', TheirMode.DEFAULT],
    ['autoEdit', TheirMode.AUTO_EDIT],
    ['yolo', TheirMode.YOLO],
  ];

  it('nothing runs without a question that Gemini CLI refuses or asks about', async () => {
    const folder = await tempFolder('no-policies');
    const looser: string[] = [];
    try {
      for (const tools of LISTS) {
        const config = await createPolicyEngineConfig({ tools }, TheirMode.DEFAULT, folder.path, true);
        // Everything that no list is about runs, so that the lists alone make the difference.
        const rules = [...(config.rules ?? []), { toolName: '*', decision: PolicyDecision.ALLOW, priority: 4.1 }];
        for (const [mode, approvalMode] of MODES) {
          const engine = new TheirEngine({ ...config, rules, approvalMode });
          for (const call of CALLS) {
            const { decision } = await engine.check({ name: call.name, args: { ...call.args } }, call.server);
            const ours = await outcome(settings({ user: { tools } }), call, mode);
            if (ours === 'allow' && decision !== PolicyDecision.ALLOW)
              looser.push(`${JSON.stringify(tools)} ${JSON.stringify(call)} ${mode}: ${decision} there`);
          }
        }
      }
    } finally {
      await folder.dispose();
    }
    assert.deepEqual(looser, []);
  });
});
