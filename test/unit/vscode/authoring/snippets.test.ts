import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { afterEach, describe, it } from 'mocha';
import { readAgents } from '../../../../extension/agents/read-agent.ts';
import { commandName, readOpenCommand } from '../../../../extension/commands/read-command.ts';
import { readRules } from '../../../../extension/policy/rules/read-rules.ts';
import { readOpenSkill } from '../../../../extension/skills/read-skill.ts';
import { newFileKinds } from '../../../../extension/vscode/authoring/new-file-kinds.ts';
import { ruleSnippet, rulesHeader } from '../../../../extension/vscode/authoring/rule-snippet.ts';
import german from '../../../../l10n/bundle.l10n.de.json' with { type: 'json' };
import { snippetText } from '../../../support/snippet-text.ts';

const { 'gantry.newAgent': agent, 'gantry.newSkill': skill, 'gantry.newCommand': command } = newFileKinds;
const kinds = { agent, skill, command };

describe('A new file', () => {
  afterEach(() => l10n.config({ contents: {} }));

  for (const [language, contents] of Object.entries({ English: {}, German: german })) {
    const speak = (): void => l10n.config({ contents });

    it(`is a valid agent as it is (${language})`, () => {
      speak();
      const { agents, problems } = readAgents(snippetText(agent().snippet('reviewer')), '/agents/reviewer.md');
      assert.deepEqual(problems, []);
      assert.deepEqual(
        agents.map(({ name }) => name),
        ['reviewer'],
      );
    });

    it(`is a valid skill as it is (${language})`, () => {
      speak();
      const read = readOpenSkill(snippetText(skill().snippet('release-notes')), '/skills/release-notes/SKILL.md');
      assert.ok('name' in read, JSON.stringify(read));
      assert.equal(read.name, 'release-notes');
    });

    it(`is a valid command as it is (${language})`, () => {
      speak();
      const about = { file: '/commands/a.toml', relativePath: 'a.toml', source: 'user' as const };
      const read = readOpenCommand(snippetText(command().snippet('a')), about);
      assert.ok('command' in read, JSON.stringify(read));
      const kinds = read.command.prompt.map(({ kind }) => kind);
      assert.ok(kinds.includes('args') && kinds.includes('shell'), String(kinds));
    });

    it(`has a valid rule, and says when it counts (${language})`, () => {
      speak();
      for (const scope of ['user', 'workspace'] as const) {
        const text = snippetText(`${rulesHeader(scope)}\n${ruleSnippet(['ask_user', 'allow'])}`);
        assert.match(text, /^# .+\n# .+\n\n\[\[rule\]\]\n/);
        const { rules, problems } = readRules(text, '/mine.toml', scope);
        assert.deepEqual(problems, []);
        assert.deepEqual(
          rules.map(({ toolName, decision }) => [toolName, decision]),
          [['run_shell_command', 'ask_user']],
        );
      }
    });
  }

  it('has a rule for the call that it was begun with, whatever that contains', () => {
    const commandPrefix = ['echo "$HOME" \\ | }', "printf '%s'", 'a,b'];
    const subject = { toolName: ['write_file', 'replace'], argsPattern: '\\x00"file_path":"a\\.ts"\\x00' };
    for (const about of [
      { toolName: 'run_shell_command', commandPrefix },
      subject,
      { toolName: 'x', mcpName: 'docs' },
    ]) {
      const text = snippetText(ruleSnippet(['deny', 'ask_user', 'allow'], about));
      const { rules, problems } = readRules(text, '/mine.toml', 'user');
      assert.deepEqual(problems, [], text);
      assert.ok(rules.length > 0 && rules.every(({ decision }) => decision === 'deny'), text);
    }
  });

  const names: readonly [kind: keyof typeof kinds, name: string, path: string | undefined][] = [
    ['agent', 'code-reviewer_2', 'agents/code-reviewer_2.md'],
    ['agent', '_draft', undefined],
    ['agent', 'Reviewer', undefined],
    ['agent', '../reviewer', undefined],
    ['skill', 'pdf', 'skills/pdf/SKILL.md'],
    ['skill', 'a/b', undefined],
    ['skill', '', undefined],
    ['command', 'commit', 'commands/commit.toml'],
    ['command', '/git:commit', 'commands/git/commit.toml'],
    ['command', 'git/commit', 'commands/git/commit.toml'],
    ['command', '../commit', undefined],
    ['command', 'git//commit', undefined],
    ['command', 'a b', undefined],
    ['command', 'a/b/c/d/e/f/g/h/i', undefined],
  ];
  for (const [kind, name, path] of names) {
    it(`for the ${kind} "${name}" is ${path ?? 'not made'}`, () => {
      assert.equal(kinds[kind]().pathOf(name)?.join('/'), path);
    });
  }

  it('of a command has the name that was typed', () => {
    const parts = command().pathOf('/git:commit') ?? [];
    assert.equal(commandName(join(...parts.slice(1))), 'git:commit');
  });
});
