import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { PolicyRule } from '../../../../extension/policy/policy-types.ts';
import { type ReadRules, readRules } from '../../../../extension/policy/rules/read-rules.ts';

const FILE = '/policies/my.toml';
const read = (text: string): ReadRules => readRules(text, FILE, 'user');
const only = (text: string): PolicyRule => {
  const { rules, problems } = read(text);
  assert.deepEqual(problems, []);
  assert.equal(rules.length, 1);
  assert.ok(rules[0]);
  return rules[0];
};
const rule = (...lines: readonly string[]): string => ['[[rule]]', ...lines, ''].join('\n');
const brief = ({ rules }: ReadRules): string[] =>
  rules.map(({ toolName, decision, argsPattern, onlyTightens }) =>
    [toolName, decision, argsPattern?.source, onlyTightens && 'only tightens'].filter(Boolean).join(' '),
  );

describe('reading a policy file', () => {
  it('takes every field of a rule', () => {
    const text = rule(
      'toolName = "write_file"',
      'decision = "deny"',
      'priority = 250',
      'subagent = "helper"',
      'argsPattern = "secret"',
      'modes = ["default", "yolo"]',
      'interactive = true',
      'toolAnnotations = { readOnlyHint = false }',
      'allow_redirection = true',
      'deny_message = "No."',
    );
    assert.deepEqual(only(text), {
      toolName: 'write_file',
      decision: 'deny',
      priority: 4.25,
      subagent: 'helper',
      argsPattern: /secret/,
      modes: ['default', 'yolo'],
      interactive: true,
      toolAnnotations: { readOnlyHint: false },
      allowRedirection: true,
      denyMessage: 'No.',
      source: { tier: 'user', label: 'User: my.toml', file: FILE, line: 1 },
    });
  });

  const tail = ['decision = "allow"', 'priority = 1'];
  const expansions: readonly [what: string, text: string, rules: string[]][] = [
    ['one rule for each name', rule('toolName = ["a_tool", "b_tool"]', ...tail), ['a_tool allow', 'b_tool allow']],
    ['a tool of a server', rule('toolName = "t"', 'mcpName = "s"', ...tail), ['mcp_s_t allow']],
    ['all tools of a server', rule('toolName = "*"', 'mcpName = "s"', ...tail), ['mcp_s_* allow']],
    ['all tools of all servers', rule('toolName = "*"', 'mcpName = "*"', ...tail), ['mcp_* allow']],
    ['no rule for an empty list', rule('toolName = []', ...tail), []],
    [
      'one rule for each prefix',
      rule('toolName = "run_shell_command"', 'commandPrefix = ["git log", "ls"]', ...tail),
      ['run_shell_command allow \\x00"command":"git log[ "]', 'run_shell_command allow \\x00"command":"ls[ "]'],
    ],
    [
      'alternatives that both have to begin the command',
      rule('toolName = "run_shell_command"', 'commandRegex = "git log|ls"', ...tail),
      ['run_shell_command allow \\x00"command":"(?:git log|ls)'],
    ],
  ];
  for (const [what, text, rules] of expansions) {
    it(`makes ${what}`, () => {
      assert.deepEqual(brief(read(text)), rules);
      assert.deepEqual(read(text).problems, []);
    });
  }

  it('knows the line of each rule and each problem', () => {
    const text = `# hello\n${rule('toolName = "a_tool"', ...tail)}\n# note: """\n${rule('toolName = "b_tool"', 'decision = "allow"')}${rule('toolName = "c_tool"', ...tail)}`;
    const { rules, problems } = read(text);
    assert.deepEqual(
      rules.map(({ toolName, source }) => `${toolName} ${source.line}`),
      ['a_tool 2', 'c_tool 11'],
    );
    assert.deepEqual(problems, [
      {
        kind: 'schema_validation',
        severity: 'error',
        file: FILE,
        line: 8,
        column: 1,
        range: { line: 8, column: 1, endLine: 8, endColumn: 9 },
        path: ['priority'],
        reason: 'priority: is missing. The rule is ignored.',
      },
    ]);
  });

  it('keeps the other rules when one cannot be parsed, and tells line and column', () => {
    const text = `${rule('toolName = "a_tool"', ...tail)}${rule('toolName = "b_tool', ...tail)}${rule('toolName = "c_tool"', ...tail)}`;
    const { rules, problems } = read(text);
    assert.deepEqual(
      rules.map(({ toolName }) => toolName),
      ['a_tool', 'c_tool'],
    );
    assert.deepEqual(
      problems.map(({ kind, line, column }) => [kind, line, typeof column]),
      [['toml_parse', 6, 'number']],
    );
  });

  const faulty: readonly [what: string, lines: readonly string[], rules: string[]][] = [
    [
      'an allow with a bad pattern is left out',
      ['toolName = "a_tool"', 'decision = "allow"', 'priority = 1', 'argsPattern = "("'],
      [],
    ],
    ['an allow without a priority is left out', ['toolName = "a_tool"', 'decision = "allow"'], []],
    [
      'an allow with an empty prefix is left out',
      ['toolName = "run_shell_command"', 'commandPrefix = ""', ...tail],
      [],
    ],
    [
      'a deny with a bad pattern covers the whole tool',
      ['toolName = "a_tool"', 'decision = "deny"', 'priority = 1', 'argsPattern = "("'],
      ['a_tool deny only tightens'],
    ],
    [
      'an ask with unknown modes covers all modes',
      ['toolName = "a_tool"', 'decision = "ask_user"', 'priority = 1', 'modes = ["auto"]'],
      ['a_tool ask_user only tightens'],
    ],
    [
      'an unknown decision asks',
      ['toolName = "a_tool"', 'decision = "Deny"', 'priority = 1'],
      ['a_tool ask_user only tightens'],
    ],
    [
      'a deny for nobody knows what asks about everything',
      ['toolName = 5', 'decision = "deny"', 'priority = 1'],
      ['* ask_user only tightens'],
    ],
    [
      'a deny with two kinds of patterns keeps both',
      [
        'toolName = "run_shell_command"',
        'decision = "deny"',
        'priority = 1',
        'commandPrefix = "rm"',
        'argsPattern = "x"',
      ],
      [
        'run_shell_command deny x only tightens',
        'run_shell_command deny \\x00"command":"rm(?:[ "]|\\\\["nrtfbu]) only tightens',
      ],
    ],
    [
      'a deny with a bad message is as strict as ever',
      ['toolName = "a_tool"', 'decision = "deny"', 'priority = 1', 'denyMessage = 5'],
      ['a_tool deny'],
    ],
    [
      'a deny with a broken line keeps the rest',
      ['toolName = "a_tool"', 'argsPattern = "x', 'decision = "deny"', 'priority = 1'],
      ['a_tool deny only tightens'],
    ],
    [
      'an allow with a broken line is left out',
      ['toolName = "a_tool"', 'argsPattern = "x', 'decision = "allow"', 'priority = 1'],
      [],
    ],
    ['an empty rule is left out', [], []],
    [
      'a deny for a server nobody can read is for every server',
      ['toolName = "t"', 'mcpName = 5', 'decision = "deny"', 'priority = 1'],
      ['mcp_*_t deny only tightens'],
    ],
    [
      'a deny keeps the names that can be read',
      ['toolName = ["a_tool", "", 5]', 'decision = "deny"', 'priority = 1'],
      ['a_tool deny only tightens'],
    ],
    [
      'a deny that lost one of its patterns covers everything',
      ['toolName = "run_shell_command"', 'commandPrefix = 5', 'argsPattern = "x"', 'decision = "deny"', 'priority = 1'],
      ['run_shell_command deny only tightens'],
    ],
    ['an allow with names nobody can read is left out', ['toolName = ["a_tool", ""]', ...tail], []],
  ];
  for (const [what, lines, rules] of faulty) {
    it(`fails closed: ${what}`, () => {
      const outcome = read(rule(...lines));
      assert.deepEqual(brief(outcome), rules);
      assert.ok(outcome.problems.length > 0);
      assert.ok(outcome.problems.every(({ severity, line }) => severity === 'error' && line !== undefined));
    });
  }

  it('points out keys and names that are almost right, and leaves others alone', () => {
    const { rules, problems } = read(rule('toolName = "wirte_file"', 'name = "mine"', 'mode = ["plan"]', ...tail));
    assert.equal(rules.length, 1);
    assert.deepEqual(
      problems.map(({ severity, reason }) => `${severity}: ${reason}`),
      [
        'warning: The key "mode" has no effect here. Did you mean "modes"?',
        'warning: There is no tool "wirte_file". Did you mean "write_file"?',
      ],
    );
  });

  it('reads safety checkers, and lets none of them vanish', () => {
    const checker = (name: string, type = 'in-process', more = ''): string =>
      `[[safety_checker]]\ntoolName = "a_tool"\n${more}\n[safety_checker.checker]\ntype = "${type}"\nname = "${name}"\n`;
    const text = [
      checker('allowed-path', 'in-process', 'priority = 2000'),
      checker('allowed-path', 'in-process', 'argsPattern = "("'),
      checker('conseca'),
      checker('nope'),
      checker('mine', 'external'),
      '[[safety_checker]]\n',
    ];
    const { checkers, problems } = read(text.join(''));
    assert.deepEqual(
      checkers.map(({ toolName, priority, checker: { kind, ...rest } }) => [
        toolName,
        priority,
        kind,
        'decision' in rest ? rest.decision : '',
      ]),
      [
        ['a_tool', 6, 'allowed-path', ''],
        ['a_tool', 4, 'allowed-path', ''],
        ['a_tool', 4, 'off', ''],
        ['a_tool', 4, 'unusable', 'deny'],
        ['a_tool', 4, 'unusable', 'deny'],
        ['*', 4, 'unusable', 'ask_user'],
      ],
    );
    assert.deepEqual(
      problems.filter(({ severity }) => severity === 'warning').map(({ reason }) => reason),
      ['checker: "conseca" is not supported. It is never asked.'],
    );
  });

  it('never throws, wherever the text is cut off and whatever follows', () => {
    const whole = rule('toolName = ["a_tool"]', 'decision = "allow"', 'priority = 1', "argsPattern = '''x'''");
    fc.assert(
      fc.property(fc.nat(whole.length), fc.string(), (cut, noise) => {
        assert.ok(read(`${whole.slice(0, cut)}${noise}`).rules.length <= 1);
      }),
    );
  });
});
