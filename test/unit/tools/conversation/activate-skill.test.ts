import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { z } from 'zod';
import type { ToolResult } from '../../../../extension/ports/tool.ts';
import { createActivateSkillTool, type SkillCatalog } from '../../../../extension/tools/conversation/activate-skill.ts';
import { createCompleteTaskTool } from '../../../../extension/tools/conversation/complete-task.ts';
import { createConversationTools } from '../../../../extension/tools/conversation/conversation-tools.ts';
import { createTempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';
import { createToolContext } from '../../../support/tool-context.ts';

const NO_SKILLS: SkillCatalog = {
  list: () => [],
  read: () => Promise.reject(new Error()),
  consentTo: () => undefined,
  agreed: () => Promise.resolve(),
};

describe('activate_skill', () => {
  let folder: TempWorkspace;
  const agreed: string[] = [];
  let hash = 'h1';

  beforeEach(async () => {
    agreed.length = 0;
    hash = 'h1';
    folder = await createTempWorkspace({ 'SKILL.md': 'x', 'scripts/a.sh': 'x', '.git/config': 'x', 'b\n.txt': 'x' });
  });
  afterEach(() => folder.dispose());

  const skills = (
    read: SkillCatalog['read'] = () => Promise.resolve({ instructions: 'Do it well.', hash }),
  ): SkillCatalog => ({
    list: () => [{ name: 'Review "it"', description: 'Reviews\ncode.', folder: folder.path, isBuiltIn: false }],
    read,
    consentTo: () => 'needed',
    agreed: async (name, of) => void agreed.push(`${name} ${of}`),
  });
  const run = (name: string, catalog = skills()): Promise<ToolResult> => {
    const tool = createActivateSkillTool(catalog);
    return tool.execute(tool.schema.parse({ name }), createToolContext([]));
  };

  it('returns the instructions and what comes with them, and opens the folder', async () => {
    const result = await run('review "IT"');
    assert.equal(
      result.content,
      [
        '<activated_skill name="Review &quot;it&quot;">',
        '<instructions>\nDo it well.\n</instructions>',
        `<available_resources folder="${folder.path}">\nSKILL.md\nb .txt\nscripts/\n  a.sh\n</available_resources>`,
        '</activated_skill>',
      ].join('\n'),
    );
    assert.deepEqual(result.data, { skill: 'Review "it"' });
    assert.deepEqual(agreed, [], 'nobody was asked');
  });

  it('lists at most 200 things and follows no links', async () => {
    await symlink('..', join(folder.path, 'scripts', 'up'));
    await folder.write(Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`many/${index}.txt`, 'x'])));
    const text = String((await run('Review "it"')).content);
    const [, tree = ''] = /<available_resources[^>]*>\n([\s\S]*)\n<\/available_resources>/.exec(text) ?? [];
    const lines = tree.split('\n');
    assert.equal(lines.length, 201);
    assert.equal(lines.at(-1), '… (there is more)');
  });

  it('shows people what they say yes to', async () => {
    const tool = createActivateSkillTool(skills());
    const outcome = await tool.propose?.({ name: 'Review "it"' }, createToolContext([]));
    const details = outcome && 'proposal' in outcome && outcome.proposal.kind === 'details' && outcome.proposal.details;
    assert.match(
      (details && details.type === 'info' && details.text) || '',
      /^Review "it": Reviews code\.\n\nIt may read:\n.*\nSKILL\.md/,
    );
    assert.match((details && details.type === 'info' && details.text) || '', /Its instructions:\nDo it well\.$/);
  });

  it('keeps an approval for exactly what was shown, and refuses what changed since', async () => {
    const tool = createActivateSkillTool(skills());
    const args = { name: 'Review "it"' };
    const context = createToolContext([], { approved: { answer: { decision: 'once' } } });
    await tool.propose?.(args, context);
    await tool.execute(args, context);
    assert.deepEqual(agreed, ['Review "it" h1']);
    await tool.propose?.(args, context);
    hash = 'h2';
    assert.match((await tool.execute(args, context)).error?.message ?? '', /changed while the user was asked/);
    assert.equal(agreed.length, 1);
  });

  it('names the skills there are when it is asked for another', async () => {
    const result = await run('Deploy');
    assert.deepEqual(result.error, {
      type: 'invalid_tool_params',
      message: 'There is no skill "Deploy". Available: Review "it".',
    });
    const outcome = await createActivateSkillTool(skills()).propose?.({ name: 'Deploy' }, createToolContext([]));
    assert.ok(outcome && 'failed' in outcome);
  });

  it('does not activate what cannot be read', async () => {
    const result = await run(
      'Review "it"',
      skills(() => Promise.reject(new Error('gone'))),
    );
    assert.match(result.error?.message ?? '', /could not be read: gone/);
    assert.equal(result.data, undefined);
  });

  it('is of no use when there are none', () => {
    assert.equal(createActivateSkillTool(skills()).isUseful?.(), true);
    assert.equal(createActivateSkillTool(NO_SKILLS).isUseful?.(), false);
  });
});

describe('complete_task', () => {
  it('hands over a text', async () => {
    const tool = createCompleteTaskTool();
    const result = await tool.execute(tool.schema.parse({ result: 'Found it.' }), createToolContext([]));
    assert.deepEqual(result.data, { taskCompleted: true, result: 'Found it.' });
    assert.equal(tool.schema.safeParse({ result: ' ' }).success, false);
    assert.equal(tool.schema.safeParse({}).success, false);
  });

  it('hands over what the agent promised, and nothing else', async () => {
    const schema = z.object({ files: z.array(z.string()) });
    const tool = createCompleteTaskTool({ name: 'report', description: 'What was found.', schema });
    const result = await tool.execute(tool.schema.parse({ report: { files: ['a'] } }), createToolContext([]));
    assert.deepEqual(result.data, { taskCompleted: true, result: { files: ['a'] } });
    assert.equal(tool.schema.safeParse({ report: { files: 'a' } }).success, false);
    assert.equal(tool.schema.safeParse({ result: 'x' }).success, false);
  });
});

describe('The conversation tools', () => {
  const names = (parts: Parameters<typeof createConversationTools>[0]): readonly string[] =>
    createConversationTools(parts).map(({ name }) => name);
  const ALWAYS = ['write_todos', 'ask_user', 'save_memory', 'enter_plan_mode', 'exit_plan_mode', 'update_topic'];

  it('include activate_skill where there can be skills, and complete_task for subagents only', () => {
    assert.deepEqual(names({}), ALWAYS);
    assert.deepEqual(names({ skills: NO_SKILLS, subagent: {} }), [...ALWAYS, 'activate_skill', 'complete_task']);
  });
});
