import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { readRules } from '../../../../extension/policy/rules/read-rules.ts';
import { ruleFields } from '../../../../extension/policy/rules/table-fields.ts';

describe('The page about policies', () => {
  const page = readFileSync('docs/policies.md', 'utf8');

  it('has an example that is read without a problem', () => {
    const [, example = ''] = /```toml\n(.*?)```/s.exec(page) ?? [];
    const { rules, problems } = readRules(example, '/example.toml', 'user');
    assert.deepEqual(problems, []);
    assert.deepEqual(
      rules.map(({ toolName, decision }) => `${decision} ${toolName}`),
      ['allow run_shell_command', 'allow run_shell_command', 'deny run_shell_command', 'allow mcp_docs_search'],
    );
  });

  it('names every field', () => {
    const aliases = ['allow_redirection', 'deny_message'];
    const fields = Object.keys(ruleFields().shape).filter((field) => !aliases.includes(field));
    assert.deepEqual(
      fields.filter((field) => !page.includes(`| \`${field}\` |`)),
      [],
    );
  });
});
