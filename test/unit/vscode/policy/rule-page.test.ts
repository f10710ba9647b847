import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { PolicyRule } from '../../../../extension/policy/policy-types.ts';
import type { RuleStep } from '../../../../extension/policy/rules/explanation.ts';
import { allRulesPage, explanationPage, type RulePage } from '../../../../extension/vscode/policy/rule-page.ts';

const FILE = '/home/me/.gemini/policies/mine.toml';
const deny: PolicyRule = {
  toolName: 'run_shell_command',
  decision: 'deny',
  priority: 4.2,
  argsPattern: /git push/,
  source: { tier: 'user', label: 'User: mine.toml', file: FILE, line: 7 },
};
const shipped: PolicyRule = {
  toolName: '*',
  decision: 'ask_user',
  priority: 1.01,
  source: { tier: 'default', label: 'Default: write.toml', file: '/x/write.toml', line: 12 },
};
const call = {
  name: 'run_shell_command',
  args: { command: 'ls &&\ngit push' },
  mode: 'default',
  interactive: true,
} as const;

/** How a call was decided in the usual circumstances. */
const usual = { mode: 'default', isTrusted: true, asksItself: false } as const;

/** The words that are links, with where they lead. */
function linked({ text, links }: RulePage): string[] {
  const lines = text.split('\n');
  return links.map(({ line, start, end, file, at }) => `${lines[line]?.slice(start, end)} > ${file}:${at}`);
}

describe('The page of all rules', () => {
  it('has a section for each tier, and leads to each rule', () => {
    const session: PolicyRule = { ...shipped, priority: 4.1, source: { tier: 'user', label: 'Settings' } };
    const page = allRulesPage([deny, session, { ...shipped, onlyTightens: true }]);
    assert.deepEqual(page.text.split('\n').slice(2), [
      'Yours',
      '  4.200  deny      mine.toml:7  run_shell_command with arguments like git push',
      '  4.100  ask_user  Settings     every tool, with any arguments',
      '',
      'Shipped with Gantry',
      '  1.010  ask_user  write.toml:12  can only restrict · every tool, with any arguments',
      '',
    ]);
    assert.deepEqual(linked(page), [`mine.toml:7 > ${FILE}:7`, 'write.toml:12 > /x/write.toml:12']);
  });
});

describe('The page of a hostile rule', () => {
  it('has its characters in their order, on one line', () => {
    const source = { tier: 'workspace', label: 'x', file: '/w/a\u202e\nb.toml', line: 1 } as const;
    const page = allRulesPage([{ ...deny, source }]);
    assert.ok(page.text.includes('a\\u{202e} ⏎ b.toml:1'), page.text);
    assert.equal(linked(page).length, 1);
  });
});

describe('The page of a decision', () => {
  it('has the rules for the line and for its commands', () => {
    const verdict = { decision: 'deny', why: '`git push` is refused.', rule: deny } as const;
    const page = explanationPage(call, {
      ...usual,
      ruling: verdict,
      explanation: {
        verdict,
        rules: [
          { rule: deny, mismatch: 'arguments', decides: false },
          { rule: shipped, mismatch: undefined, decides: true },
        ],
        parts: [{ command: 'git push', verdict, rules: [{ rule: deny, mismatch: undefined, decides: true }] }],
        judged: verdict,
        checks: [],
      },
    });
    assert.equal(
      page.text,
      `ls &&
git push

It is refused. \`git push\` is refused.
Approval mode: default. Somebody can be asked.

Rules for the call
  4.200  deny      mine.toml:7    doesn't match the arguments · run_shell_command with arguments like git push
  1.010  ask_user  write.toml:12  decides · every tool, with any arguments

Rules for \`git push\`
  4.200  deny  mine.toml:7  decides · run_shell_command with arguments like git push
`,
    );
    assert.deepEqual(
      linked(page).map((link) => link.replace(/ > .*/, '')),
      ['mine.toml:7', 'write.toml:12', 'mine.toml:7'],
    );
  });

  it('says when the rules were not asked', () => {
    const { text, links } = explanationPage(
      { ...call, name: 'write_file', args: { file_path: 'a' }, interactive: false },
      { ...usual, ruling: { decision: 'deny', why: 'English', shown: 'Off.' }, explanation: undefined },
    );
    assert.match(
      text,
      /^write_file \{"file_path":"a"\}\n\nIt is refused\. Off\.\n.*Nobody can be asked\.\n\nThe rules/,
    );
    assert.deepEqual(links, []);
  });

  const mismatches: readonly [RuleStep['mismatch'], Partial<PolicyRule>, string][] = [
    ['tool', {}, "doesn't match the tool"],
    ['server', { mcpName: 'docs' }, "isn't a tool of docs"],
    ['subagent', { subagent: 'helper' }, 'only for the agent helper'],
    ['mode', {}, 'not in this mode'],
    ['interactive', { interactive: true }, 'only if somebody can be asked'],
    ['interactive', { interactive: false }, 'only if nobody can be asked'],
    ['saved answer', {}, 'settings turn saved answers off'],
    ['sandbox', {}, 'off, because the sandbox only lets commands read'],
    ['annotations', {}, "doesn't match what the tool says about itself"],
  ];
  for (const [mismatch, change, words] of mismatches) {
    it(`says of a rule: ${words}`, () => {
      const verdict = { decision: 'ask_user', why: '' } as const;
      const rules = [{ rule: { ...deny, ...change }, mismatch, decides: false }];
      const { text } = explanationPage(call, {
        ...usual,
        ruling: verdict,
        explanation: { verdict, rules, parts: [], checks: [] },
      });
      assert.ok(text.includes(`  ${words} · run_shell`), text);
      assert.ok(text.includes('\n  No rule decides.'), text);
    });
  }

  const decided = (rules: readonly RuleStep[]) => {
    const verdict = { decision: 'ask_user', why: 'No rule matches.' } as const;
    return { ...usual, ruling: verdict, explanation: { verdict, rules, parts: [], checks: [] } };
  };
  const steps: readonly RuleStep[] = [
    { rule: deny, mismatch: 'arguments', decides: false },
    { rule: shipped, mismatch: undefined, decides: true },
  ];
  const about = { file: FILE, line: 7, priority: 4.2, isInForce: true };

  it('marks the rule that it is looked at for', () => {
    const { text, marked = [] } = explanationPage(call, decided(steps), about);
    assert.deepEqual(
      marked.map((line) => text.split('\n')[line]?.slice(0, 10)),
      ['▸ 4.200  d'],
    );
  });

  for (const [what, change, words] of [
    [
      'another one decides before',
      { line: 9, priority: 1.005 },
      'mine.toml:9 is not asked: another rule decides before it.',
    ],
    ['is about other tools', { line: 9, priority: 4.1 }, 'mine.toml:9 is not asked: it is about other tools.'],
    ['waits for approval', { line: 9, isInForce: false }, 'mine.toml:9 is not in force until its file is approved.'],
  ] as const) {
    it(`says of a rule that is not asked that it ${what}`, () => {
      const { text, marked } = explanationPage(call, decided(steps), { ...about, ...change });
      assert.deepEqual(marked, []);
      assert.ok(text.endsWith(`\n\n${words}\n`), text);
    });
  }

  const key = 'security.disableYoloMode';
  const circumstances = [
    ['the folder is not trusted', {}, { isTrusted: false }, 'The folder is not trusted.'],
    [
      'a setting forbids the mode',
      { mode: 'yolo' },
      { forbiddenBy: { key, file: '/s.json', value: true } },
      `Approval mode: default. Somebody can be asked.\nThe mode yolo is off: "${key}" in /s.json forbids it.`,
    ],
    [
      'the mode needs trust',
      { mode: 'yolo' },
      { isTrusted: false },
      'The mode yolo is only available in trusted folders.',
    ],
    ['the tool asks by itself', {}, { asksItself: true }, 'This tool always asks by itself. Rules can only refuse it.'],
  ] as const;
  for (const [what, asked, tried, words] of circumstances) {
    it(`says when ${what}`, () => {
      const { text } = explanationPage({ ...call, ...asked }, { ...decided(steps), ...tried });
      assert.ok(text.includes(`\n${words}\n`), text);
    });
  }
});
