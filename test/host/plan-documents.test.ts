import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { call } from '../support/gemini/script.ts';
import { eventually } from '../support/poll.ts';
import { ReviewDesk } from './review-desk.ts';

const PLAN = '# Plan\n\n1. Look.\n2. Change.\n';

describe('A plan in an editor', function () {
  this.timeout(60_000);
  let desk: ReviewDesk;

  beforeEach(async () => {
    desk = await ReviewDesk.create();
  });
  afterEach(() => desk.dispose());

  const waiting = () =>
    eventually('the plan to wait for a yes', () => {
      const entry = desk.window.session.entries.find((other) => other.kind === 'tool' && other.approval);
      const approval = entry?.kind === 'tool' ? entry.approval : undefined;
      return approval?.request?.details.type === 'plan' && approval;
    });

  async function proposePlan(): Promise<{ readonly requestId: string; readonly decisions: readonly string[] }> {
    await desk.window.session.setApprovalMode('plan');
    desk.gemini.reply(call('write_file', { file_path: 'plan.md', content: PLAN }));
    desk.gemini.reply(call('exit_plan_mode', { plan_filename: 'plan.md' }));
    desk.gemini.reply('Done.');
    desk.window.end.say({ type: 'send', ref: 1, text: 'Plan it' });
    return waiting();
  }

  function comment({ uri }: vscode.TextDocument, line: number, text: string): vscode.Disposable {
    const controller = vscode.comments.createCommentController('test', 'Test');
    const range = new vscode.Range(line, 0, line, 0);
    desk.review.addComment({ thread: controller.createCommentThread(uri, range, []), text });
    return controller;
  }

  async function opened(requestId: string): Promise<vscode.TextDocument> {
    await desk.review.openPlan(requestId);
    const { document } = vscode.window.activeTextEditor ?? assert.fail('no editor');
    assert.match(document.uri.path, /\/plans\/plan\.md$/);
    return document;
  }

  it('is changed and commented on there, and the model gets both with the yes', async () => {
    const { requestId, decisions } = await proposePlan();
    const document = await opened(requestId);
    await desk.type(document, 2, '0. Ask first.\n');
    const remark = comment(document, 4, 'Too vague');
    const { fsPath } = document.uri;
    await document.save();
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    desk.window.end.say({ type: 'answer', requestId, decision: decisions[0] });
    const told = await desk.told();
    assert.match(told, /as the user changed it.*0\. Ask first\./);
    assert.match(told, /plan\.md, line 5:.*> 2\. Change\..*Too vague/);
    assert.match(await readFile(fsPath, 'utf8'), /0\. Ask first\./);
    assert.match(desk.window.session.approvedPlan ?? '', /0\. Ask first\./);
    remark.dispose();
  });

  it('is rejected with what was remarked, and stays as it was proposed when nothing was changed', async () => {
    const { requestId } = await proposePlan();
    const remark = comment(await opened(requestId), 3, 'Not this way');
    desk.window.end.say({ type: 'answer', requestId });
    assert.match(await desk.told(), /Not this way/);
    assert.equal(desk.window.session.approvalMode, 'plan');
    remark.dispose();
  });
});
