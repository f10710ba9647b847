import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { openPolicies } from '../../extension/vscode/policy/policy-files.ts';
import { RulePages } from '../../extension/vscode/policy/rule-pages.ts';
import { RuntimeLoader } from '../../extension/vscode/runtime-loader.ts';
import { eventually } from '../support/poll.ts';
import { createTempWorkspace, type TempWorkspace } from '../support/temp-workspace.ts';
import { testHost } from '../support/test-host.ts';
import { WindowAnswers } from './window-answers.ts';

const ALLOW = '[[rule]]\ntoolName = "write_file"\ndecision = "allow"\npriority = 100\n';
const BROKEN = '[[rule]]\ntoolName = "write_file"\ndecision = "maybe"\npriority = 100\n';

describe('Policy files', () => {
  let folder: TempWorkspace;
  let home: TempWorkspace;
  let runtime: RuntimeLoader;
  let pages: RulePages;
  let answers: WindowAnswers;

  beforeEach(async () => {
    folder = await createTempWorkspace();
    home = await createTempWorkspace();
    const environment = { GEMINI_CLI_HOME: home.path };
    const host = testHost({ roots: [folder.path], sessions: join(home.path, 'sessions'), environment });
    runtime = new RuntimeLoader(host);
    pages = new RulePages(runtime, { approvalMode: 'default' });
    answers = new WindowAnswers();
  });
  afterEach(async () => {
    answers.restore();
    pages.dispose();
    await runtime.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await folder.dispose();
    await home.dispose();
  });

  const open = () => openPolicies(runtime, () => Promise.resolve(pages));
  const named = (name: string) => (items: readonly vscode.QuickPickItem[]) => items.find(({ label }) => label === name);

  it('are listed under who wrote them, with how they are doing', async () => {
    await home.write({ '.gemini/policies/mine.toml': BROKEN });
    await folder.write({ '.gemini/policies/theirs.toml': ALLOW });
    answers.picking(() => undefined);
    await open();
    const items = answers.asked[0]?.items.slice(3, 7) ?? [];
    assert.deepEqual(
      items.map(({ label, description }) => description ?? label),
      ['Yours', '$(error) 1 problem', 'This folder', '$(shield) 1 rule that allows more requires approval'],
    );
  });

  for (const [button, state] of [
    ['Approve Rules', 'in_force'],
    [undefined, 'waiting'],
  ] as const) {
    it(`of the folder are ${state} after the answer ${button ?? 'Cancel'}`, async () => {
      await folder.write({ '.gemini/policies/theirs.toml': ALLOW });
      answers.picking(named('theirs.toml'));
      answers.pressing(button);
      await open();
      assert.match(answers.said[0] ?? '', /write_file, with any arguments/);
      const { policies } = await runtime.load();
      assert.equal((await policies.files()).find(({ tier }) => tier === 'workspace')?.state, state);
    });
  }

  it('have their rules on one page, which follows each change and leads to each rule', async () => {
    await home.write({ '.gemini/policies/mine.toml': ALLOW });
    answers.picking(named('$(list-ordered) Show All Rules'));
    await open();
    const page = vscode.window.activeTextEditor?.document;
    assert.match(
      page?.getText() ?? '',
      /\nYours\n {2}4\.100 {2}allow .*mine\.toml:1 .*write_file, with any arguments\n/,
    );
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>('vscode.executeLinkProvider', page?.uri);
    const [first] = links;
    assert.equal(page?.getText(first?.range), 'mine.toml:1');
    assert.deepEqual(
      [first?.target?.fsPath, first?.target?.fragment],
      [join(home.path, '.gemini', 'policies', 'mine.toml'), 'L1'],
    );
    await home.write({ '.gemini/policies/mine.toml': ALLOW.replace('allow', 'deny') });
    await (await runtime.load()).policies.reload();
    await eventually('the change', () => /4\.100 {2}deny/.test(page?.getText() ?? ''));
  });

  it('can be begun from the list', async () => {
    const begun: unknown[] = [];
    answers.picking(named('$(new-file) New Policy Rule…'));
    const { executeCommand } = vscode.commands;
    Object.assign(vscode.commands, { executeCommand: async (id: string) => void begun.push(id) });
    await open().finally(() => Object.assign(vscode.commands, { executeCommand }));
    assert.deepEqual(begun, ['gantry.newPolicyRule']);
  });
});
