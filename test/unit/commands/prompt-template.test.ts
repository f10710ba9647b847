import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { quoteForShell } from '../../../extension/commands/prepare-command.ts';
import { fillIn, parsePrompt, partsOfPrompt, type WithArgs } from '../../../extension/commands/prompt-template.ts';
import { commandName } from '../../../extension/commands/read-command.ts';

const A = { args: true } as const;

describe('A prompt of a custom command', () => {
  const CASES: readonly [string, unknown][] = [
    ['plain', [{ kind: 'text', text: 'plain' }]],
    ['Fix {{args}}!', [{ kind: 'text', text: 'Fix ' }, { kind: 'args' }, { kind: 'text', text: '!' }]],
    ['@{docs/a.md}', [{ kind: 'file', path: ['docs/a.md'] }]],
    ['@{ docs/{{args}}.md }', [{ kind: 'file', path: ['docs/', A, '.md'] }]],
    ['!{git log -n {{args}}}', [{ kind: 'shell', command: ['git log -n ', A] }]],
    ["!{awk '{print $1}' a}", [{ kind: 'shell', command: ["awk '{print $1}' a"] }]],
    ['a { b } {{x}} @ ! {', [{ kind: 'text', text: 'a { b } {{x}} @ ! {' }]],
    ['!{echo @{a}}', [{ kind: 'shell', command: ['echo @{a}'] }]],
  ];
  for (const [prompt, parts] of CASES) {
    it(`is taken apart: ${prompt}`, () => assert.deepEqual(parsePrompt(prompt), { parts }));
  }

  const BROKEN: readonly [string, string, string][] = [
    ['ok !{git log', 'unbalanced', '!{'],
    ['@{a {b}', 'unbalanced', '@{'],
    ['x !{ }', 'empty', '!{ }'],
    [`!{${'a'.repeat(6000)}}`, 'too-long', '!{'],
    ['!{a {{args}} "{{args}}"}', 'quoted-args', '{{args}}"'],
  ];
  for (const [prompt, problem, place] of BROKEN) {
    it(`is refused: ${prompt.slice(0, 20)}`, () => {
      const parsed = parsePrompt(prompt);
      assert.ok('problem' in parsed);
      assert.deepEqual([parsed.problem, prompt.slice(parsed.start).startsWith(place)], [problem, true]);
    });
  }

  it('is taken apart behind what is wrong with it, too', () => {
    const prompt = 'a @{} b !{c} @{d';
    assert.deepEqual(
      [...partsOfPrompt(prompt)].map((placed) => [
        'problem' in placed ? placed.problem : placed.part.kind,
        prompt.slice(placed.start, placed.end),
      ]),
      [
        ['text', 'a '],
        ['empty', '@{}'],
        ['text', ' b '],
        ['shell', '!{c}'],
        ['text', ' '],
        ['unbalanced', '@{'],
        ['text', 'd'],
      ],
    );
  });

  const UNSAFE = [
    '"{{args}}"',
    "'{{args}}'",
    'grep "x {{args}}" .',
    '`echo {{args}}`',
    '"$(echo {{args}})"',
    'cat <<E\n{{args}}\nE',
    '$(( {{args}} ))',
    'let {{args}}',
    '${{args}}',
    '\\{{args}}',
    'a "\\" {{args}}',
    "$'a\\' {{args}}",
    'true # {{args}}',
  ];
  for (const command of UNSAFE) {
    it(`may not have its arguments where quotes do not hold: ${command}`, () => {
      const parsed = parsePrompt(`!{${command}}`);
      assert.equal('problem' in parsed && parsed.problem, 'quoted-args');
    });
  }

  const SAFE: readonly (readonly WithArgs[])[] = [
    ['printf %s ', A],
    ['x=', A, '; printf %s "$x"'],
    ["printf '%s' ", A],
    ['printf %s $(printf %s ', A, ')'],
    ['printf "%s" pre', A],
  ];
  it('runs nothing of its arguments, whatever they are', () => {
    const bits = fc.constantFrom(
      "'",
      '"',
      '`',
      '$(touch pwned)',
      ';',
      '\n',
      '\\',
      '&&',
      'x',
      ' ',
      '{{args}}',
      '!{id}',
      '*',
      'ü',
    );
    const args = fc.array(bits, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(args, fc.constantFrom(...SAFE), (text, command) => {
        const line = fillIn(command, quoteForShell(text, 'linux'));
        const output = execFileSync('/bin/bash', ['--norc', '-c', line], { encoding: 'utf8', env: {}, cwd: '/' });
        const unsplit = command.length === 3 && command[2] === ')';
        if (unsplit) assert.ok(!output.includes('uid='));
        else assert.equal(output.replace(/^pre/, ''), text);
      }),
      { numRuns: 60 },
    );
  });

  it('is quoted for PowerShell with every quote that it knows', () => {
    assert.equal(quoteForShell("it’s $(x) 'y'", 'win32'), "'it’’s $(x) ''y'''");
  });
});

describe('The name of a custom command', () => {
  const NAMES: readonly [string, string][] = [
    ['commit.toml', 'commit'],
    ['git/commit.toml', 'git:commit'],
    ['my cmd!/x.y-z_1.toml', 'my_cmd_:x.y-z_1'],
    [`${'a'.repeat(60)}.toml`, `${'a'.repeat(47)}...`],
  ];
  for (const [path, name] of NAMES) it(`of ${path} is ${name}`, () => assert.equal(commandName(path), name));
});
