import assert from 'node:assert/strict';
import { mkdir, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ApprovedCall, ToolContext, ToolResult } from '../../../../extension/ports/tool.ts';
import type { OpenDocument } from '../../../../extension/ports/workspace.ts';
import type { ApprovalMode } from '../../../../extension/protocol/agent/approval-mode.ts';
import { createEnterPlanModeTool, createExitPlanModeTool } from '../../../../extension/tools/conversation/plan-mode.ts';
import { createTempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';
import { createToolContext } from '../../../support/tool-context.ts';

const enterTool = createEnterPlanModeTool();
const exitTool = createExitPlanModeTool();

describe('Plan mode', () => {
  let folder: TempWorkspace;
  let plans: string;
  let mode: ApprovalMode;

  beforeEach(async () => {
    folder = await createTempWorkspace({
      'plans/good.md': '# Plan\n',
      'plans/empty.md': ' \n',
      'plans/a.txt': 'x',
      'out.md': 'x',
    });
    plans = join(folder.path, 'plans');
  });
  afterEach(() => folder.dispose());

  const context = (plansFolder: string | undefined = plans, approved?: ApprovedCall): ToolContext => {
    const setMode = (next: ApprovalMode): void => {
      mode = next;
    };
    return createToolContext([], {
      session: { mode: () => mode, setMode, plansFolder },
      ask: () => assert.fail('the question is on the card'),
      ...(approved && { approved }),
    });
  };
  const noFolder = (): ToolContext =>
    createToolContext([], { session: { mode: () => mode, setMode: () => assert.fail(), plansFolder: undefined } });
  const leave = (plan_filename: string, approved?: ApprovedCall): Promise<ToolResult> =>
    exitTool.execute({ plan_filename }, context(plans, approved));

  describe('enter_plan_mode', () => {
    beforeEach(() => {
      mode = 'autoEdit';
    });

    it('asks with the reason, then turns it on and makes the folder for plans', async () => {
      const args = { reason: 'It is\nlarge.' };
      assert.deepEqual(await enterTool.propose?.(args, context()), {
        proposal: {
          kind: 'details',
          details: { type: 'info', text: 'Gantry plans first and changes nothing. It is large.' },
        },
      });
      assert.equal(mode, 'autoEdit');
      const fresh = join(folder.path, 'session', 'plans');
      const result = await enterTool.execute(args, context(fresh));
      assert.equal(mode, 'plan');
      assert.ok((await stat(fresh)).isDirectory());
      assert.ok(String(result.content).includes(fresh));
    });

    it('is refused when it is on already, and nobody is asked', async () => {
      mode = 'plan';
      const outcome = await enterTool.propose?.({}, context());
      assert.match((outcome && 'failed' in outcome && outcome.failed.error?.message) || '', /on already/);
      assert.match((await enterTool.execute({}, context())).error?.message ?? '', /on already/);
    });

    it('says that there is none where sessions are not kept', async () => {
      assert.match((await enterTool.execute({}, noFolder())).error?.message ?? '', /no plan mode here/);
      assert.equal(mode, 'autoEdit');
    });

    it('stays off when the folder cannot be made', async () => {
      const result = await enterTool.execute({}, context(join(folder.path, 'out.md', 'plans')));
      assert.equal(result.error?.type, 'execution_failed');
      assert.equal(mode, 'autoEdit');
    });
  });

  describe('exit_plan_mode', () => {
    beforeEach(() => {
      mode = 'plan';
    });

    it('shows the plan and, with the yes, returns it and changes the mode', async () => {
      const outcome = await exitTool.propose?.({ plan_filename: 'good.md' }, context());
      const details = { type: 'plan' as const, path: join(plans, 'good.md'), text: '# Plan\n' };
      assert.deepEqual(outcome, { proposal: { kind: 'details', details } });
      assert.equal(mode, 'plan');
      const answer = { decision: 'once' as const, approvalMode: 'autoEdit' as const };
      const result = await leave('good.md', { proposal: { kind: 'details', details }, answer });
      assert.equal(mode, 'autoEdit');
      assert.ok(String(result.content).endsWith('good.md:\n\n# Plan\n'));
      assert.deepEqual(result.data, { approvedPlan: details.path, mode: 'autoEdit' });
    });

    it('continues with the careful mode unless the user says otherwise', async () => {
      await leave('good.md');
      assert.equal(mode, 'default');
    });

    it('takes the plan that was read for the approved one, though the file has changed', async () => {
      const details = { type: 'plan' as const, path: join(plans, 'good.md'), text: 'As it was read.' };
      const result = await leave('good.md', { proposal: { kind: 'details', details }, answer: { decision: 'once' } });
      assert.ok(String(result.content).endsWith('As it was read.'));
    });

    it('takes what the user made of the plan for the approved one, and keeps it in its file', async () => {
      const written: [string, string][] = [];
      const writeFile: ToolContext['writeFile'] = async (path, content, text) => {
        assert.deepEqual([mode, text?.expected, text?.text], ['plan', '# Plan\n', '# Mine']);
        written.push([path, String(content)]);
      };
      const details = { type: 'plan' as const, path: join(plans, 'good.md'), text: '# Plan\n' };
      const approved = {
        proposal: { kind: 'details' as const, details },
        answer: { decision: 'once' as const, plan: '# Mine' },
      };
      const result = await exitTool.execute({ plan_filename: 'good.md' }, { ...context(plans, approved), writeFile });
      assert.match(String(result.content), /as the user changed it, and plan mode is off.*\n\n# Mine$/s);
      assert.deepEqual(written, [[details.path, '# Mine']]);
      assert.equal(mode, 'default');
    });

    it('keeps the approved plan as it was read where the user changed nothing of it', async () => {
      const details = { type: 'plan' as const, path: join(plans, 'good.md'), text: '# Plan\n' };
      for (const plan of ['# Plan\n', '  \n']) {
        mode = 'plan';
        const approved = {
          proposal: { kind: 'details' as const, details },
          answer: { decision: 'once' as const, plan },
        };
        const result = await leave('good.md', approved);
        assert.match(String(result.content), /^The plan is approved and plan mode is off.*# Plan\n$/s);
      }
    });

    it('says so when the file cannot have what the user made of the plan', async () => {
      const result = await leave('good.md', { answer: { decision: 'once', plan: '# Mine' } });
      assert.match(String(result.content), /as the user changed it \(the file could not be written.*# Mine$/s);
      assert.equal(mode, 'default');
    });

    it('stays in plan mode when what the user made of the plan is a book', async () => {
      const result = await leave('good.md', { answer: { decision: 'once', plan: 'x'.repeat(1024 * 1024 + 1) } });
      assert.match(result.error?.message ?? '', /larger than 1 MB/);
      assert.equal(mode, 'plan');
    });

    it('finds a plan by its whole path and in a folder below', async () => {
      await folder.write({ 'plans/more/b.MD': 'B' });
      for (const name of [join(plans, 'good.md'), 'more/b.MD']) {
        mode = 'plan';
        assert.equal((await leave(name)).error, undefined);
      }
    });

    const refused: readonly [title: string, name: string, why: RegExp][] = [
      ['a missing plan', 'none.md', /There is no plan "none\.md"/],
      ['an empty plan', 'empty.md', /is empty/],
      ['what is not Markdown', 'a.txt', /not a Markdown file/],
      ['a file beside the folder', '../out.md', /not in the folder for plans/],
      ['the folder itself', '.', /not in the folder for plans/],
      ['a link out of the folder', 'link.md', /not in the folder for plans/],
      ['a folder of that name', 'folder.md', /could not be opened/],
      ['a name with a NUL', 'a\0.md', /NUL/],
    ];
    for (const [title, name, why] of refused) {
      it(`refuses ${title} before anybody is asked, and after`, async () => {
        await symlink(join(folder.path, 'out.md'), join(plans, 'link.md'));
        await mkdir(join(plans, 'folder.md'));
        const outcome = await exitTool.propose?.({ plan_filename: name }, context());
        assert.match((outcome && 'failed' in outcome && outcome.failed.error?.message) || '', why);
        assert.match((await leave(name)).error?.message ?? '', why);
        assert.equal(mode, 'plan');
      });
    }

    it('refuses a plan that is a book', async () => {
      await folder.write({ 'plans/book.md': 'x'.repeat(1024 * 1024 + 1) });
      assert.match((await leave('book.md')).error?.message ?? '', /larger than 1 MB/);
    });

    it('is refused while plan mode is off', async () => {
      mode = 'default';
      assert.match((await leave('good.md')).error?.message ?? '', /not on/);
      assert.equal(mode, 'default');
    });

    it('takes the yes of somebody who changed the mode while they read the plan, and leaves that mode', async () => {
      mode = 'default';
      const details = { type: 'plan' as const, path: join(plans, 'good.md'), text: 'As it was read.' };
      const answer = { decision: 'once' as const, approvalMode: 'autoEdit' as const };
      const result = await leave('good.md', { proposal: { kind: 'details', details }, answer });
      assert.match(String(result.content), /plan mode is off \(mode: default\).*As it was read\.$/s);
      assert.equal(mode, 'default');
    });

    it('takes the plan as the editor has it open for what the user made of it, saved or not', async () => {
      const details = { type: 'plan' as const, path: join(plans, 'good.md'), text: '# Plan\n' };
      const expected: (string | null | undefined)[] = [];
      const approved = { proposal: { kind: 'details' as const, details }, answer: { decision: 'once' as const } };
      const document: OpenDocument = {
        text: '# In the editor',
        isDirty: true,
        encode: async (text) => Buffer.from(text),
        replace: async () => 'saved',
      };
      const result = await exitTool.execute(
        { plan_filename: 'good.md' },
        {
          ...context(plans, approved),
          files: { unsavedText: () => document.text, openDocument: () => document },
          writeFile: async (_path, _content, text) => void expected.push(text?.expected),
        },
      );
      assert.match(String(result.content), /as the user changed it, and plan mode is off.*# In the editor$/s);
      assert.deepEqual(expected, ['# In the editor']);
    });

    it('says that there are no plans where sessions are not kept', async () => {
      const result = await exitTool.execute({ plan_filename: 'good.md' }, noFolder());
      assert.match(result.error?.message ?? '', /no plan mode here/);
    });
  });
});
