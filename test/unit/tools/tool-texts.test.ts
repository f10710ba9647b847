import assert from 'node:assert/strict';
import * as geminiTools from '@google/gemini-cli-core/dist/src/tools/definitions/coreTools.js';
import { resolveToolDeclaration } from '@google/gemini-cli-core/dist/src/tools/definitions/resolver.js';
import { describe, it } from 'mocha';
import { declarationOf } from '../../../extension/runtime/request/to-adk-tool.ts';
import { allTools } from '../../support/all-tools.ts';
import { parametersOf } from '../../support/docs/tools.ts';

/** Tools that are easily used in the wrong way or at the wrong time. */
const EXPLAINED = [
  'read_file',
  'replace',
  'grep_search',
  'run_shell_command',
  'write_todos',
  'ask_user',
  'invoke_agent',
];

/** As in our estimates elsewhere: English with JSON has about 4.4 characters per token. */
const tokens = (value: unknown): number => Math.round(JSON.stringify(value).length / 4.4);

describe('The text of a tool', () => {
  const tools = allTools();

  it('describes every parameter of every tool', () => {
    const missing = tools.flatMap((tool) =>
      parametersOf(tool).flatMap(({ name, text = '' }) => (text.length < 10 ? [`${tool.name}: ${name}`] : [])),
    );
    assert.deepEqual(missing, []);
  });

  for (const name of EXPLAINED) {
    it(`of ${name} says when to use it and when not, with examples that are valid calls`, () => {
      const tool = tools.find((each) => each.name === name);
      assert.ok(tool);
      assert.match(tool.description, /^(?:Use it|Delegate|Prefer it)|\. Prefer it/m);
      assert.match(tool.description, /^Don't /m);
      assert.match(tool.description, /^Bad: /m);
      const [, good = ''] = /^Good: (.*)$/m.exec(tool.description) ?? [];
      assert.notEqual(good, '');
      if (!good.startsWith('`')) return;
      const parsed = tool.schema.safeParse(JSON.parse(good.slice(1, -1)));
      assert.ok(parsed.success, parsed.error?.message);
    });
  }

  it('costs less than in Gemini CLI, for the tools that both have', () => {
    const theirs = new Map(declarationsOfGeminiCli().map((each) => [each.name, each]));
    const both = tools.filter(({ name }) => theirs.has(name));
    assert.ok(both.length >= 14);
    const ours = tokens(both.map(declarationOf));
    assert.ok(ours < 4700, `${ours} tokens`);
    assert.ok(ours < tokens(both.map(({ name }) => theirs.get(name))));
  });

  it('costs at most 6,700 tokens for all tools together', () => {
    assert.ok(tokens(tools.map(declarationOf)) < 6700);
  });
});

/** For Gemini 3, which gets the shorter texts. The search of Gemini CLI without ripgrep is the same tool. */
function declarationsOfGeminiCli(): readonly { readonly name?: string }[] {
  const constant = Object.values(geminiTools).filter((each) => typeof each === 'object' && 'base' in each);
  const made = [geminiTools.getShellDefinition(true, true), geminiTools.getExitPlanModeDefinition()];
  return [...constant, ...made].map((definition) => resolveToolDeclaration(definition, 'gemini-3-pro-preview'));
}
