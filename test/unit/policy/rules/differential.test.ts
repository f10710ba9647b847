import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { parse, stringify } from 'smol-toml';
import type { Circumstances, PolicyCall, Tier } from '../../../../extension/policy/policy-types.ts';
import { PolicyEngine } from '../../../../extension/policy/rules/policy-engine.ts';
import { readRules } from '../../../../extension/policy/rules/read-rules.ts';
import { createShellJudge } from '../../../../extension/policy/shell/shell-judge.ts';
import type { ShellParser } from '../../../../extension/policy/shell/shell-types.ts';
import { APPROVAL_MODES } from '../../../../extension/protocol/agent/approval-mode.ts';
import { stableText } from '../../../../extension/text/stable-text.ts';
import { seededRandom } from '../../../support/crash/random.ts';
import { decided, engineOf } from '../../../support/explained-decisions.ts';
import { explanationOf, isAtLeastAsStrict } from '../../../support/policy-differences.ts';
import { type Oracle, oracleFor, type PolicyText } from '../../../support/policy-oracle.ts';
import { HOME, shellParser } from '../../../support/shell-judging.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';
import { runs } from '../../../support/test-size.ts';
import { wildCall, wildCircumstances, wildPolicies } from '../../../support/wild-policies.ts';

const RULE_SETS = runs(20, 400);
const CALLS_PER_SET = 30;

describe('Policy decisions, compared with Gemini CLI', () => {
  let folder: TempFolder;

  before(async () => {
    folder = await tempFolder('policy-oracle');
  });
  after(() => folder.dispose());

  const engineFor = (files: readonly PolicyText[]): PolicyEngine => engineOf(files, folder.path);

  it(`are the same for ${RULE_SETS * CALLS_PER_SET} random calls, or differ as intended`, async function () {
    this.timeout(60_000);
    const random = seededRandom(4);
    const explained = new Map<string, number>();
    for (let set = 0; set < RULE_SETS; set++) {
      const files = wildPolicies(random);
      const [oracle, engine] = [await oracleFor(files, folder.path), engineFor(files)];
      for (let count = 0; count < CALLS_PER_SET; count++) {
        const [call, circumstances] = [wildCall(random), wildCircumstances(random)];
        const theirs = await oracle.check(call, circumstances);
        const { verdict: ours } = await decided(engine, call, circumstances);
        if (ours.decision === theirs.decision && ours.rule?.denyMessage === theirs.rule) continue;
        const explanation = explanationOf({ files, call, circumstances, ours, theirs });
        assert.ok(explanation, JSON.stringify({ files, call, circumstances, ours, theirs }, undefined, 2));
        explained.set(explanation.what, (explained.get(explanation.what) ?? 0) + 1);
      }
    }
    assert.ok(explained.size > 0, 'the differences that are intended were seen');
  });

  const faults: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    'a pattern that cannot be compiled': { argsPattern: '(' },
    'a pattern that may take for ever': { argsPattern: '(a+)\\1+b' },
    'an unknown mode': { modes: ['auto_edit'] },
    'a priority of the next tier': { priority: 1000 },
    'an unknown decision': { decision: 'maybe' },
    'an empty name': { toolName: '' },
    'a name that is a number': { toolName: 5 },
    'a prefix for another tool than the shell': { toolName: 'read_file', commandPrefix: 'git' },
  };
  for (const [what, fault] of Object.entries(faults)) {
    it(`are never laxer because a rule has ${what}`, async () => {
      const random = seededRandom(5);
      for (let set = 0; set < runs(5, 15); set++) {
        const [sound, ...others] = wildPolicies(random);
        assert.ok(sound);
        const document = parse(sound.text);
        const rules = Array.isArray(document['rule']) ? document['rule'] : [];
        const faulty = { toolName: 'read_file', decision: 'deny', priority: 20, ...fault };
        const decision = random.below(3) === 0 ? { decision: 'allow' } : {};
        const broken = { ...sound, text: stringify({ rule: [{ ...faulty, ...decision, ...fault }, ...rules] }) };
        const [oracle, engine] = [await oracleFor([sound, ...others], folder.path), engineFor([broken, ...others])];
        for (let count = 0; count < 20; count++) {
          const [call, circumstances] = [wildCall(random), wildCircumstances(random)];
          const theirs = await oracle.check(call, circumstances);
          const { verdict: ours } = await decided(engine, call, circumstances);
          const isFine =
            isAtLeastAsStrict(ours.decision, theirs.decision) ||
            explanationOf({ files: [broken, ...others], call, circumstances, ours, theirs });
          assert.ok(isFine, JSON.stringify({ broken, others, call, circumstances, ours, theirs }, undefined, 2));
        }
      }
    });
  }
});

describe('The shipped rules, compared with those of Gemini CLI', () => {
  let folder: TempFolder;
  let parser: ShellParser;

  before(async () => {
    folder = await tempFolder('policy-defaults');
    parser = await shellParser();
  });
  after(() => folder.dispose());

  /** In the order plan, default, autoEdit, yolo. */
  const MATRIX: readonly (readonly [call: string, PolicyCall, interactive: string, headless: string])[] = [
    ...['read_file', 'grep_search', 'glob', 'list_directory', 'google_web_search', 'complete_task', 'update_topic'].map(
      (name) => [name, { name, args: {} }, 'AAAA', 'AAAA'] as const,
    ),
    ...['write_file', 'replace'].map(
      (name) => [`${name} on source`, { name, args: { file_path: 'src/a.ts' } }, 'D?AA', 'DDAA'] as const,
    ),
    ...[
      'plan.md',
      'plans/x.md',
      './plan.md',
      './plans/x.md',
      '/h/.gemini/tmp/p/plans/x.md',
      '.gemini/tmp/p/s/plans/x.md',
    ].map((path) => [`write_file ${path}`, { name: 'write_file', args: { file_path: path } }, 'A?AA', 'ADAA'] as const),
    ['write_file plan.ts', { name: 'write_file', args: { file_path: 'plan.ts' } }, 'D?AA', 'DDAA'],
    ...['npm test', 'ls > out', 'rm -rf x', 'cat a | grep b', 'ls && pwd'].map(
      (command) => [command, shell(command), 'D??A', 'DDDA'] as const,
    ),
    ['web_fetch', { name: 'web_fetch', args: {} }, '??AA', 'DDAA'],
    ['ask_user', { name: 'ask_user', args: {} }, '????', 'DDDD'],
    ['activate_skill', { name: 'activate_skill', args: {} }, '???A', 'DDDA'],
    ['a reading agent', { name: 'invoke_agent', args: { agent_name: 'codebase_investigator' } }, 'AAAA', 'AAAA'],
    ['another agent', { name: 'invoke_agent', args: { agent_name: 'generalist' } }, 'DAAA', 'DAAA'],
    ['a tool of a server', { name: 'mcp_srv_do', args: {}, server: 'srv' }, 'D??A', 'DDDA'],
    [
      'a reading tool of a server',
      { name: 'mcp_srv_do', args: {}, server: 'srv', annotations: { readOnlyHint: true } },
      '???A',
      'DDDA',
    ],
    ['a discovered tool', { name: 'discovered_tool_x', args: {} }, 'D??A', 'DDDA'],
  ];

  /**
   * Allowed by rules here and refused there. Plans are in the session's own folder, which rules cannot know: the gate in
   * front of every call refuses these paths in plan mode.
   */
  const BY_GATE = ['docs/plans/x.md', 'plans/../x.md', '/h/.gemini/tmp/p/s/t/plans/x.md', '../plan.md'];

  /** Stricter here than there. */
  const STRICTER: readonly (readonly [why: string, PolicyCall, interactive: string, headless: string])[] = [
    ['git where there is no repository', shell('git log'), 'D??A', 'DDDA'],
    ['reads outside the workspace', shell('cat /etc/passwd'), 'D??A', 'DDDA'],
    ['reads what looks secret', shell('cat .env'), 'D??A', 'DDDA'],
    ['waits for ever', shell('tail -f log'), 'D??A', 'DDDA'],
    ["can't be read", shell("ls 'a"), 'D???', 'DDDD'],
    ['writes to a file that only the run names', shell('sed -i s/a/b/ $(git ls-files)'), 'D???', 'DDDD'],
    ['destroys everything', shell('rm -rf /'), 'D???', 'DDDD'],
    ['changes what git does', shell('echo x > .git/config'), 'D???', 'DDDD'],
    ['plans where nobody can approve', { name: 'enter_plan_mode', args: {} }, 'D??D', 'DDDD'],
    ['leaves without approval', { name: 'exit_plan_mode', args: {} }, '?DDD', 'DDDD'],
    ['shows ignored files', { name: 'grep_search', args: { no_ignore: true } }, '???A', 'DDDA'],
  ];

  /**
   * Asked about there, and laxer here on purpose: the agent's own list touches nothing of the user's, reading many files
   * is what read_file is allowed to do one by one, and the output is that of commands that had a yes.
   */
  const ALLOWED_HERE = ['write_todos', 'read_many_files', 'list_background_processes', 'read_background_output'];

  const OURS_ONLY: readonly (readonly [call: string, PolicyCall, interactive: string, headless: string])[] = [
    ['a tool of kind read', { name: 'new_reader', args: {}, annotations: { kind: 'read' } }, 'AAAA', 'AAAA'],
    ['a tool of kind search', { name: 'new_finder', args: {}, annotations: { kind: 'search' } }, 'AAAA', 'AAAA'],
    ['a tool of kind edit', { name: 'new_editor', args: {}, annotations: { kind: 'edit' } }, 'D??A', 'DDDA'],
    ['rename_symbol', { name: 'rename_symbol', args: { path: 'src/a.ts' } }, 'D?AA', 'DDAA'],
    ['save_memory', { name: 'save_memory', args: {} }, 'D??A', 'DDDA'],
    ['stop_background_process', { name: 'stop_background_process', args: {} }, 'DAAA', 'DAAA'],
    ['find_symbol', { name: 'find_symbol', args: {} }, 'AAAA', 'AAAA'],
  ];

  const LETTERS = { allow: 'A', ask_user: '?', deny: 'D' } as const;
  const row = async (
    check: (circumstances: Circumstances) => Promise<keyof typeof LETTERS>,
    interactive: boolean,
  ): Promise<string> => {
    const of = { interactive, trusted: true, roots: [folder.path], sessionRules: [] };
    const decisions = await Promise.all(APPROVAL_MODES.map((mode) => check({ mode, ...of })));
    return decisions.map((decision) => LETTERS[decision]).join('');
  };
  const textsIn = async (path: string): Promise<PolicyText[]> => {
    const names = (await readdir(path)).filter((name) => name.endsWith('.toml'));
    const tier: Tier = 'default';
    return Promise.all(names.map(async (name) => ({ name, tier, text: await readFile(join(path, name), 'utf8') })));
  };
  const ours = async (): Promise<PolicyEngine> => {
    const read = (await textsIn(resolve('out/assets/policies'))).map(({ name, tier, text }) =>
      readRules(text, name, tier),
    );
    assert.deepEqual(
      read.flatMap(({ problems }) => problems),
      [],
    );
    // Without the checkers, which look at real files and have tests of their own.
    const judge = createShellJudge(parser, { home: HOME, runsBash: true });
    return new PolicyEngine({ rules: read.flatMap((one) => one.rules), checkers: [] }, judge);
  };
  const theirs = async (): Promise<Oracle> => {
    const core = dirname(createRequire(import.meta.url).resolve('@google/gemini-cli-core/package.json'));
    return oracleFor(await textsIn(join(core, 'dist/src/policy/policies')), folder.path);
  };

  it('decide the same in every mode', async function () {
    this.timeout(30_000);
    const [oracle, engine] = [await theirs(), await ours()];
    for (const [what, call, ...expected] of MATRIX) {
      for (const isInteractive of [true, false]) {
        const expectedRow = expected[isInteractive ? 0 : 1];
        const their = await row(async (at) => (await oracle.check(call, at)).decision, isInteractive);
        const mine = await row(async (at) => (await decided(engine, call, at)).verdict.decision, isInteractive);
        assert.deepEqual({ what, their, mine }, { what, their: expectedRow, mine: expectedRow });
      }
    }
  });

  it('are stricter where a command or search would show or change more than it seems', async () => {
    const [oracle, engine] = [await theirs(), await ours()];
    for (const [what, call, ...expected] of STRICTER) {
      for (const isInteractive of [true, false]) {
        const mine = await row(async (at) => (await decided(engine, call, at)).verdict.decision, isInteractive);
        const their = await row(async (at) => (await oracle.check(call, at)).decision, isInteractive);
        assert.deepEqual({ what, mine }, { what, mine: expected[isInteractive ? 0 : 1] });
        const ranks = [...mine].map((letter, at) => 'A?D'.indexOf(letter) - 'A?D'.indexOf(their[at] ?? 'D'));
        assert.ok(Math.min(...ranks) >= 0, `${what}: ${mine} is laxer than ${their}`);
      }
    }
  });

  it('let what only reads run where nobody can be asked, too', async () => {
    const [oracle, engine] = [await theirs(), await ours()];
    for (const command of ['ls -la', 'cat a.txt']) {
      for (const [isInteractive, their] of [
        [true, 'DAAA'],
        [false, 'DDDA'],
      ] as const) {
        assert.equal(await row(async (at) => (await oracle.check(shell(command), at)).decision, isInteractive), their);
        assert.equal(
          await row(async (at) => (await decided(engine, shell(command), at)).verdict.decision, isInteractive),
          'DAAA',
        );
      }
    }
  });

  it('leave it to the gate which Markdown file is a plan', async () => {
    const [oracle, engine] = [await theirs(), await ours()];
    for (const path of BY_GATE) {
      const call = { name: 'write_file', args: { file_path: path } };
      assert.equal(await row(async (at) => (await oracle.check(call, at)).decision, true), 'D?AA');
      assert.equal(await row(async (at) => (await decided(engine, call, at)).verdict.decision, true), 'A?AA');
    }
  });

  it('let run what only keeps the agent in order, and know the tools an editor adds', async () => {
    const engine = await ours();
    const allowed = ALLOWED_HERE.map((name) => [name, { name, args: {} }, 'AAAA', 'AAAA'] as const);
    for (const [what, call, ...expected] of [...allowed, ...OURS_ONLY]) {
      for (const isInteractive of [true, false]) {
        const mine = await row(async (at) => (await decided(engine, call, at)).verdict.decision, isInteractive);
        assert.deepEqual({ what, mine }, { what, mine: expected[isInteractive ? 0 : 1] });
      }
    }
  });
});

/** A call of the shell. */
function shell(command: string): PolicyCall {
  return { name: 'run_shell_command', args: { command } };
}

describe('Faults of policy files, compared with Gemini CLI', () => {
  let folder: TempFolder;

  before(async () => {
    folder = await tempFolder('policy-faults');
  });
  after(() => folder.dispose());

  const rule = (more: string): string => `[[rule]]\ntoolName = "x_tool"\ndecision = "deny"\npriority = 5\n${more}`;
  const checker = (more: string): string =>
    `[[safety_checker]]\ntoolName = "x_tool"\n${more}\n[safety_checker.checker]\ntype = "in-process"\nname = "allowed-path"`;
  const NONE = 'none';
  /** The third is our kind where it is another: what they do not see is reported here. */
  const texts: readonly (readonly [text: string, theirs: string | undefined, ours?: string])[] = [
    [rule(''), undefined],
    ['', undefined],
    ['[sandbox]\nnetwork = false', undefined],
    ['[[rule]]\ntoolName = ', 'toml_parse'],
    ['rule = 5', 'schema_validation'],
    ['[rule]\ntoolName = "x_tool"\ndecision = "deny"\npriority = 5', 'schema_validation'],
    ['[[rule]]\ntoolName = "x_tool"\npriority = 5', 'schema_validation'],
    ['[[rule]]\ntoolName = "x_tool"\ndecision = "deny"', 'schema_validation'],
    ['[[rule]]\ndecision = "deny"\npriority = 5', 'schema_validation'],
    [rule('modes = ["auto_edit"]'), 'schema_validation'],
    [rule('interactive = "yes"'), 'schema_validation'],
    [rule('argsPattern = 5'), 'schema_validation'],
    ['[[rule]]\ntoolName = "x_tool"\ndecision = "deny"\npriority = 1000', 'schema_validation'],
    ['[[rule]]\ntoolName = "x_tool"\ndecision = "deny"\npriority = 1.5', 'schema_validation'],
    ['[[rule]]\ntoolName = "x_tool"\ndecision = "deny"\npriority = -1', 'schema_validation'],
    [rule('argsPattern = "("'), 'regex_compilation'],
    // Ours run on an engine that is quick with any of these.
    [rule('argsPattern = "(a+)+"'), 'regex_compilation', NONE],
    [rule('argsPattern = "(?:a)?"'), 'regex_compilation', NONE],
    [rule('argsPattern = "((a)*)*"'), undefined],
    [rule('argsPattern = "(a)\\\\1+b+"'), undefined, 'regex_compilation'],
    [rule(`argsPattern = "${'a'.repeat(2049)}"`), 'regex_compilation'],
    [rule('commandPrefix = "git"'), 'rule_validation'],
    [rule('commandRegex = "git"').replace('x_tool', 'run_shell_command'), undefined],
    [rule('commandRegex = "git"\nargsPattern = "a"').replace('x_tool', 'run_shell_command'), 'rule_validation'],
    [rule('commandRegex = "git"\ncommandPrefix = "a"').replace('x_tool', 'run_shell_command'), 'rule_validation'],
    ['[[rule]]\ntoolName = ""\ndecision = "deny"\npriority = 5', 'rule_validation', 'schema_validation'],
    [rule('mcpName = ""'), undefined, 'schema_validation'],
    [rule('subagent = ""'), undefined, 'schema_validation'],
    [rule('').replace('x_tool', 'red_file'), 'tool_name_warning'],
    [rule('').replace('x_tool', 'srv__tool'), 'tool_name_warning'],
    [rule('argsPatern = "x"'), undefined, 'unknown_key'],
    [rule('name = "mine"'), undefined],
    [checker('priority = 5000'), undefined],
    [checker('argsPattern = "("'), 'regex_compilation'],
    [checker('').replace('allowed-path', 'nope'), 'schema_validation', 'not_supported'],
    [checker('').replace('allowed-path', 'conseca'), undefined, 'not_supported'],
  ];
  for (const [index, [text, theirs, ours]] of texts.entries()) {
    it(`are found: ${text.replaceAll('\n', ' ').slice(0, 90) || 'an empty file'}`, async () => {
      const oracle = await oracleFor([{ name: `${index}.toml`, tier: 'user', text }], folder.path);
      assert.deepEqual([...new Set(oracle.errors)], theirs === undefined ? [] : [theirs]);
      const { problems } = readRules(text, 'a.toml', 'user');
      const expected = ours === NONE ? undefined : (ours ?? theirs);
      assert.deepEqual([...new Set(problems.map(({ kind }) => kind))], expected === undefined ? [] : [expected]);
    });
  }
});

describe('The text of arguments, compared with Gemini CLI', () => {
  it('is the same for anything JSON can hold', async () => {
    const { stableStringify } = await import('@google/gemini-cli-core/dist/src/policy/stable-stringify.js');
    const { assert: check, dictionary, string, jsonValue, property } = await import('fast-check');
    check(property(dictionary(string(), jsonValue()), (args) => stableText(args) === stableStringify(args)));
  });
});
