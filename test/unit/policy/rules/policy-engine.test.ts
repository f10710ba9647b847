import assert from 'node:assert/strict';
import { mkdir, realpath, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Circumstances, PolicyCall, Verdict } from '../../../../extension/policy/policy-types.ts';
import { PolicyEngine } from '../../../../extension/policy/rules/policy-engine.ts';
import { readRules } from '../../../../extension/policy/rules/read-rules.ts';
import { sessionRule } from '../../../../extension/policy/rules/saved-rules.ts';
import type { ShellJudge } from '../../../../extension/policy/rules/shell-judge.ts';
import { createTempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';

const circumstances = (more: Partial<Circumstances> = {}): Circumstances => ({
  mode: 'default',
  interactive: true,
  trusted: true,
  roots: [],
  sessionRules: [],
  ...more,
});
const engine = (text: string, judge?: ShellJudge): PolicyEngine =>
  new PolicyEngine(readRules(text, '/home/me/.gemini/policies/my.toml', 'user'), judge);
const rule = (toolName: string, decision: string, priority: number, ...more: readonly string[]): string =>
  ['[[rule]]', `toolName = "${toolName}"`, `decision = "${decision}"`, `priority = ${priority}`, ...more, ''].join(
    '\n',
  );
const call = (name: string, args: PolicyCall['args'] = {}, more: Partial<PolicyCall> = {}): PolicyCall => ({
  name,
  args,
  ...more,
});
const allowed = (draft: Parameters<typeof sessionRule>[0]): Pick<Circumstances, 'sessionRules'> => {
  const outcome = sessionRule(draft);
  assert.ok('rule' in outcome);
  return { sessionRules: [outcome.rule] };
};

describe('the policy engine', () => {
  it('says which rule decided and where it stands', () => {
    const policy = engine(
      `\n${rule('a_tool', 'ask_user', 1)}${rule('b_tool', 'deny', 1)}${rule('c_tool', 'allow', 1)}`,
    );
    const why = (name: string): string => policy.check(call(name), circumstances()).why;
    assert.equal(why('a_tool'), '"a_tool" requires approval. Rule my.toml:2 (user).');
    assert.equal(why('b_tool'), '"b_tool" is refused. Rule my.toml:6 (user).');
    assert.equal(why('c_tool'), '"c_tool" runs. Rule my.toml:10 (user).');
  });

  const defaults: readonly [Partial<Circumstances>, Verdict][] = [
    [{}, { decision: 'ask_user', why: '"x" requires approval: no rule matches.' }],
    [
      { interactive: false },
      {
        decision: 'deny',
        why: '"x" is refused: no rule matches, and nobody can be asked. --policy takes a file with one.',
      },
    ],
    [{ mode: 'yolo' }, { decision: 'allow', why: '"x" runs: no rule matches, and this mode runs everything else.' }],
  ];
  for (const [at, verdict] of defaults) {
    it(`says that no rule matched (${JSON.stringify(at)})`, () => {
      assert.deepEqual(engine('').check(call('x'), circumstances(at)), verdict);
    });
  }

  const matching: readonly [what: string, text: string, PolicyCall, decision: string][] = [
    ['the highest priority wins', rule('a', 'deny', 1) + rule('a', 'allow', 2), call('a'), 'allow'],
    ['of equal priorities the first one wins', rule('a', 'deny', 1) + rule('*', 'allow', 1), call('a'), 'deny'],
    ['an old name is the same tool', rule('search_file_content', 'deny', 1), call('grep_search'), 'deny'],
    ['a new name is the same tool', rule('grep_search', 'deny', 1), call('search_file_content'), 'deny'],
    ['a prefix covers what begins so', rule('discovered_tool_*', 'deny', 1), call('discovered_tool_x'), 'deny'],
    ['a prefix covers nothing else', rule('discovered_tool_*', 'deny', 1), call('discovered'), 'ask_user'],
    [
      'an agent is known by its name',
      rule('helper', 'deny', 1),
      call('invoke_agent', { agent_name: 'helper' }),
      'deny',
    ],
    [
      'a rule for an agent is for its calls',
      rule('a', 'deny', 1, 'subagent = "h"'),
      call('a', {}, { subagent: 'h' }),
      'deny',
    ],
    ['and for no others', rule('a', 'deny', 1, 'subagent = "h"'), call('a'), 'ask_user'],
    ['a server is told from the name', rule('mcp_s_*', 'deny', 1), call('mcp_s_t'), 'deny'],
    [
      'a server is not another that begins alike',
      rule('mcp_a_*', 'deny', 1),
      call('mcp_a_b_t', {}, { server: 'a_b' }),
      'ask_user',
    ],
    ['some tools of a server', rule('mcp_s_get*', 'deny', 1), call('mcp_s_get_all'), 'deny'],
    ['one tool of every server', rule('t', 'deny', 1, 'mcpName = "*"'), call('mcp_s_t'), 'deny'],
    ['a tool of a server by its short name', rule('mcp_s_t', 'deny', 1), call('t', {}, { server: 's' }), 'deny'],
    ['any server', rule('mcp_*', 'deny', 1), call('t', {}, { server: 's' }), 'deny'],
    ['any server is not no server', rule('mcp_*', 'deny', 1), call('t'), 'ask_user'],
    [
      'annotations must be equal',
      rule('*', 'deny', 1, 'toolAnnotations = { kind = "x" }'),
      call('a', {}, { annotations: { kind: 'x' } }),
      'deny',
    ],
    ['absent annotations are not', rule('*', 'deny', 1, 'toolAnnotations = { kind = "x" }'), call('a'), 'ask_user'],
    [
      'arguments are matched as text',
      rule('a', 'deny', 1, 'argsPattern = \'\\x00"p":"x"\\x00\''),
      call('a', { p: 'x' }),
      'deny',
    ],
    [
      'only real arguments are',
      rule('a', 'deny', 1, 'argsPattern = \'\\x00"p":"x"\\x00\''),
      call('a', { q: { p: 'x' }, r: '\0"p":"x"\0' }),
      'ask_user',
    ],
  ];
  for (const [what, text, subject, decision] of matching) {
    it(`matches: ${what}`, () => {
      assert.equal(engine(text).check(subject, circumstances()).decision, decision);
    });
  }

  it('lets a rule that only tightens make things stricter and never laxer', () => {
    const broken = rule('a', 'ask_user', 50, 'argsPattern = "("');
    const decide = (text: string): string => engine(text).check(call('a'), circumstances()).decision;
    assert.equal(decide(broken + rule('a', 'allow', 1)), 'ask_user');
    assert.equal(decide(broken + rule('a', 'deny', 1)), 'deny');
    assert.equal(decide(broken + rule('a', 'allow', 99)), 'allow');
  });

  it('lets an answer for the session count, below the rules of the user', () => {
    const answer = allowed({ toolName: 'b_tool', modes: ['default', 'autoEdit', 'yolo'] });
    const verdict = engine('').check(call('b_tool'), circumstances(answer));
    assert.equal(verdict.decision, 'allow');
    assert.equal(verdict.why, '"b_tool" runs. Your answer in this session.');
    assert.equal(engine('').check(call('b_tool'), circumstances({ ...answer, mode: 'plan' })).decision, 'ask_user');
    assert.equal(engine(rule('b_tool', 'deny', 0)).check(call('b_tool'), circumstances(answer)).decision, 'deny');
  });

  it('refuses what it cannot check', async () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    const policy = engine(rule('a', 'allow', 1, 'argsPattern = "x"'));
    assert.equal(policy.check(call('a', { deep }), circumstances()).decision, 'deny');
    assert.equal((await policy.decide(call('a', { deep }), circumstances())).decision, 'deny');
  });

  describe('and commands', () => {
    const SHELL = 'run_shell_command';
    const prefix = rule(SHELL, 'allow', 5, 'commandPrefix = "git"') + rule(SHELL, 'deny', 9, 'commandPrefix = "rm"');
    const splitting: ShellJudge = async (command, { rule: by, decision }, recheck) => {
      const parts = command.split('&&').map((part) => recheck(part.trim()));
      return parts.find((part) => part.decision === 'deny') ?? { decision, ...(by && { rule: by }), why: 'split' };
    };
    const decide = async (command: unknown, judge?: ShellJudge): Promise<string> =>
      (await engine(prefix, judge).decide(call(SHELL, { command }), circumstances())).decision;

    it('are never allowed without somebody to look into them', async () => {
      assert.equal(await decide('git status'), 'ask_user');
      assert.equal(await decide(undefined, splitting), 'ask_user');
    });

    it('are judged with what the rules say about the whole and its parts', async () => {
      assert.equal(await decide('git status', splitting), 'allow');
      assert.equal(await decide('git status && rm x', splitting), 'deny');
      assert.equal(await decide('gitk', splitting), 'ask_user');
      assert.equal(await decide('git"x" --y', splitting), 'ask_user');
      assert.equal(await decide('rm\t-r x', splitting), 'deny');
      assert.equal(await decide('rm"" -r x', splitting), 'deny');
    });

    it('are not let through by the judge where a rule may only tighten', async () => {
      const trusting: ShellJudge = () => Promise.resolve({ decision: 'allow', why: 'known to be harmless' });
      const shell = call(SHELL, { command: 'ls' });
      const broken = rule(SHELL, 'ask_user', 5, 'argsPattern = "("');
      assert.equal((await engine(broken, trusting).decide(shell, circumstances())).decision, 'ask_user');
      assert.equal((await engine('', trusting).decide(shell, circumstances())).decision, 'allow');
    });

    it('are judged knowing which rule restricts some of them', async () => {
      const found: (string | undefined)[] = [];
      const noting: ShellJudge = (_, { restricting }) => {
        found.push(restricting && `${restricting.decision} ${restricting.argsPattern?.source.includes('rm')}`);
        return { decision: 'ask_user', why: 'noted' };
      };
      const shell = call(SHELL, { command: '$x' });
      const asking = rule(SHELL, 'ask_user', 8, 'commandPrefix = "ls"');
      const everything = rule(SHELL, 'ask_user', 1);
      const inPlans = rule(SHELL, 'deny', 9, 'commandPrefix = "cp"', 'modes = ["plan"]');
      for (const rules of [prefix + asking, asking, everything + inPlans, ''])
        await engine(rules, noting).decide(shell, circumstances());
      assert.deepEqual(found, ['deny true', 'ask_user false', undefined, undefined]);
    });

    it('are judged in a read-only sandbox by all rules for plans but the one against changes', async () => {
      const forPlans = readRules(rule('*', 'deny', 40, 'modes = ["plan"]'), 'plan.toml', 'default');
      const own =
        rule(SHELL, 'deny', 9, 'commandPrefix = "cp"', 'modes = ["plan"]') +
        rule(SHELL, 'deny', 8, 'commandPrefix = "mv"', 'modes = ["default"]');
      const { rules } = readRules(own, 'my.toml', 'user');
      const policy = new PolicyEngine({ ...forPlans, rules: [...forPlans.rules, ...rules] }, splitting);
      const decisions = async (isReadOnly: boolean): Promise<readonly string[]> => {
        const lines = ['ls', 'ls && cp a b', 'ls && mv a b'];
        const at = circumstances({ mode: 'plan', isReadOnly });
        return Promise.all(lines.map(async (command) => (await policy.decide(call(SHELL, { command }), at)).decision));
      };
      assert.deepEqual(await decisions(false), ['deny', 'deny', 'deny']);
      assert.deepEqual(await decisions(true), ['ask_user', 'deny', 'ask_user']);
    });

    it('are refused when the judge fails', async () => {
      assert.equal(await decide('git status', () => Promise.reject(new Error('broken'))), 'deny');
    });
  });

  describe('and paths', () => {
    let workspace: TempWorkspace;
    let outside: TempWorkspace;

    beforeEach(async () => {
      workspace = await createTempWorkspace({ 'src/a.ts': '', '.env': '', 'node_modules/x/a.js': '' });
      outside = await createTempWorkspace({ 'b.ts': '' });
      await symlink(outside.path, join(workspace.path, 'out'));
      await symlink('node_modules', join(workspace.path, 'modules'));
    });
    afterEach(async () => {
      await workspace.dispose();
      await outside.dispose();
    });

    const checked = (name: string): string =>
      `${rule('a', 'allow', 5)}\n[[safety_checker]]\ntoolName = "a"\n[safety_checker.checker]\ntype = "in-process"\nname = "${name}"\n`;
    const decide = (text: string, args: PolicyCall['args']): Promise<Verdict> =>
      engine(text).decide(call('a', args), circumstances({ roots: [workspace.path] }));

    const paths: readonly [args: (outside: string) => PolicyCall['args'], decision: string][] = [
      [() => ({ file_path: 'src/a.ts' }), 'allow'],
      [() => ({ file_path: 'src/new/deep.ts' }), 'allow'],
      [() => ({ text: '/etc/passwd' }), 'allow'],
      [() => ({ file_path: '../x' }), 'deny'],
      [(other) => ({ file_path: other }), 'deny'],
      [() => ({ file_path: 'out/b.ts' }), 'deny'],
      [() => ({ nested: [{ dir_path: '/etc' }] }), 'deny'],
      [() => ({ source: 'src/a.ts', destination: '/etc/x' }), 'deny'],
      [() => ({ file_path: '.env' }), 'deny'],
      [() => ({ file_path: '.GIT/config' }), 'deny'],
      [() => ({ file_path: 'sub/.git. /hooks/x' }), 'deny'],
      [() => ({ file_path: '.git::$INDEX_ALLOCATION/config' }), 'deny'],
      [() => ({ file_path: 'modules/x/a.js' }), 'deny'],
      [() => ({ file_path: '.vscode/settings.json' }), 'ask_user'],
      [() => ({ file_path: 'a\0b' }), 'deny'],
      [() => ({ additional_permissions: { fileSystem: { read: ['src'] } } }), 'allow'],
      [() => ({ additional_permissions: { fileSystem: { write: ['/etc'] } } }), 'ask_user'],
      [() => ({ additional_permissions: { fileSystem: { read: ['out'] } } }), 'ask_user'],
      [() => ({ additional_permissions: { fileSystem: { read: [5] } } }), 'ask_user'],
      [() => ({ additional_permissions: { fileSystem: { read: 'x' } } }), 'ask_user'],
    ];
    for (const [args, decision] of paths) {
      it(`come out right: ${JSON.stringify(args('<outside>'))} → ${decision}`, async () => {
        assert.equal((await decide(checked('allowed-path'), args(outside.path))).decision, decision);
      });
    }

    it('are told to people', async () => {
      const { why } = await decide(checked('allowed-path'), { file_path: '.env' });
      assert.equal(why, '"a" is refused after a safety check: ".env" is in .env. Rule my.toml:6 (user).');
    });

    it('do not count against a workspace that lies in such a folder itself', async () => {
      const root = join(workspace.path, 'node_modules', 'x');
      const at = circumstances({ roots: [root] });
      const policy = engine(checked('allowed-path'));
      assert.equal((await policy.decide(call('a', { file_path: 'a.js' }), at)).decision, 'allow');
      assert.equal((await policy.decide(call('a', { file_path: join(root, 'a.js') }), at)).decision, 'allow');
      await mkdir(join(root, 'node_modules'));
      assert.equal((await policy.decide(call('a', { file_path: 'node_modules/y' }), at)).decision, 'deny');
    });

    it('leave a check alone that is never on, and refuse where there is none', async () => {
      assert.equal((await decide(checked('conseca'), {})).decision, 'allow');
      assert.equal((await decide(checked('mine').replace('in-process', 'external'), {})).decision, 'deny');
      assert.equal((await decide(checked('mine'), {})).decision, 'deny');
    });
  });

  describe('tells the judge of commands the folder the tool runs in', () => {
    let workspace: TempWorkspace;
    let second: TempWorkspace;
    beforeEach(async () => {
      workspace = await createTempWorkspace({ '.vscode/': '', 'src/': '' });
      second = await createTempWorkspace({ 'other/': '' });
      await symlink(join(workspace.path, '.vscode'), join(workspace.path, 'link'));
      await symlink('/etc', join(workspace.path, 'out'));
    });
    afterEach(async () => {
      await workspace.dispose();
      await second.dispose();
    });

    const folders: readonly [args: (root: string) => PolicyCall['args'], folder: string | undefined][] = [
      [() => ({}), ''],
      [() => ({ dir_path: 'src' }), 'src'],
      [() => ({ dir_path: '@.vscode' }), '.vscode'],
      [(root) => ({ dir_path: pathToFileURL(join(root, '.vscode')).href }), '.vscode'],
      [() => ({ dir_path: 'link' }), '.vscode'],
      [() => ({ dir_path: 'out' }), undefined],
      [() => ({ dir_path: '..' }), undefined],
    ];
    for (const [args, folder] of folders) {
      it(`${folder ?? 'none'} for ${JSON.stringify(args('/root'))}`, async () => {
        const found = await folderFor(args(workspace.path));
        assert.equal(found, folder === undefined ? undefined : join(await realpath(workspace.path), folder));
      });
    }

    it('in the second root', async () => {
      assert.equal(await folderFor({ dir_path: 'other' }), join(await realpath(second.path), 'other'));
    });

    async function folderFor(args: PolicyCall['args']): Promise<string | undefined> {
      let seen: string | undefined;
      const policy = engine(
        rule('run_shell_command', 'allow', 1),
        (_command, { decision, why }, _recheck, _at, folder) => {
          seen = folder?.path;
          return { decision, why };
        },
      );
      const at = circumstances({ roots: [workspace.path, second.path] });
      await policy.decide(call('run_shell_command', { command: 'ls', ...args }), at);
      return seen;
    }
  });
});
