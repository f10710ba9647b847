import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { PolicyRule } from '../../../../extension/policy/policy-types.ts';
import type { LoadedFile } from '../../../../extension/policy/rules/load-policies.ts';
import { readRules } from '../../../../extension/policy/rules/read-rules.ts';
import type { PolicyProblem } from '../../../../extension/policy/rules/rule-set.ts';
import { acceptText, policyFileState, ruleText } from '../../../../extension/vscode/policy/policy-texts.ts';

const PATH = '/work/.gemini/policies/theirs.toml';

function rule(changes: Partial<PolicyRule>): PolicyRule {
  const source = { tier: 'workspace', label: 'x', file: PATH, line: 4 } as const;
  return { toolName: 'write_file', decision: 'allow', priority: 2.1, source, ...changes };
}

function file(changes: Partial<LoadedFile> = {}): LoadedFile {
  return { path: PATH, tier: 'workspace', state: 'in_force', text: '', waiting: [], ...changes };
}

const problem = (changes: Partial<PolicyProblem> = {}): PolicyProblem => ({
  kind: 'rule_validation',
  severity: 'error',
  file: PATH,
  reason: 'wrong',
  ...changes,
});

describe('A policy file in the list', () => {
  const cases: readonly [string, LoadedFile, readonly PolicyProblem[]][] = [
    ['$(check) active', file(), [problem({ file: '/other.toml' })]],
    ['$(error) 2 problems', file({ state: 'damaged' }), [problem(), problem()]],
    ['$(warning) 1 problem', file(), [problem({ severity: 'warning' })]],
    [
      '$(shield) 1 rule that allows more requires approval, $(warning) 1 problem',
      file({ state: 'waiting', waiting: [rule({})] }),
      [problem({ severity: 'warning' }), problem({ kind: 'not_accepted' })],
    ],
  ];
  for (const [words, loaded, problems] of cases) {
    it(`is ${words}`, () => assert.equal(policyFileState(loaded, problems), words));
  }
});

describe('A yes to a policy file', () => {
  it('is asked for with what it would allow', () => {
    const waiting = [
      rule({ toolName: '*', modes: ['default', 'autoEdit'] }),
      rule({ toolName: 'run_shell_command', argsPattern: /git push/ }),
      rule({ toolName: '*', mcpName: 'files' }),
    ];
    assert.deepEqual(acceptText(file({ waiting })).split('\n').slice(1, -1), [
      '• every tool, with any arguments in default, autoEdit (line 4)',
      '• run_shell_command with arguments like git push (line 4)',
      '• * of files, with any arguments (line 4)',
    ]);
  });

  it('shows commands that a rule refuses in the same way', () => {
    const shown = (patterns: string): string | undefined => {
      const text = `[[rule]]\ntoolName = "run_shell_command"\n${patterns}\ndecision = "deny"\npriority = 1\n`;
      const [first] = readRules(text, '/rules.toml', 'user').rules;
      return first && ruleText(first);
    };
    assert.equal(shown(`commandPrefix = 'git push'`), 'run_shell_command: commands that begin with "git push"');
    assert.equal(shown(`commandRegex = 'git|npm'`), 'run_shell_command: commands like git|npm');
    assert.equal(shown(`argsPattern = 'git'`), 'run_shell_command with arguments like git');
  });

  it('shows commands as the file has them', () => {
    const shown = (patterns: string): string | undefined => {
      const text = `[[rule]]\ntoolName = "run_shell_command"\n${patterns}\ndecision = "allow"\npriority = 1\n`;
      const { rules } = readRules(text, '/rules.toml', 'user');
      return acceptText(file({ waiting: rules })).split('\n')[1];
    };
    const lines = [
      `commandPrefix = 'npm test'`,
      `commandPrefix = 'echo "a.b" \\'`,
      `commandRegex = 'git (status|log)'`,
      // A pattern that only looks like a prefix or an expression for commands.
      `argsPattern = '\\x00"command":"npm.*[ "]'`,
      `argsPattern = '\\x00"command":"(?:a)|(?:.*)'`,
    ].map(shown);
    assert.deepEqual(lines, [
      '• run_shell_command: commands that begin with "npm test" (line 1)',
      '• run_shell_command: commands that begin with "echo \\"a.b\\" \\\\" (line 1)',
      '• run_shell_command: commands like git (status|log) (line 1)',
      '• run_shell_command with arguments like \\x00"command":"npm.*[ "] (line 1)',
      '• run_shell_command with arguments like \\x00"command":"(?:a)|(?:.*) (line 1)',
    ]);
  });

  it('says that there is more than it shows', () => {
    const text = acceptText(file({ waiting: Array.from({ length: 14 }, () => rule({})) }));
    assert.match(text, /\n• and 2 more rules\n/);
  });
});
