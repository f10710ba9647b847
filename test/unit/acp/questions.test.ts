import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { modelForm, planForm, questionsForm } from '../../../extension/acp/forms.ts';
import { permissionAnswer, permissionOptions } from '../../../extension/acp/permission.ts';
import { receivedPrompt } from '../../../extension/acp/prompt-content.ts';
import { approvalContent } from '../../../extension/acp/tool-content.ts';
import { UpdateTranslator } from '../../../extension/acp/updates.ts';
import type { ApprovalRequest } from '../../../extension/protocol/agent/approval.ts';
import { stamped } from '../headless/events.ts';

const grant = (id: string) => ({ id, label: id, covers: id });
const approval: ApprovalRequest = {
  details: { type: 'exec', command: 'git status', folder: '/w' },
  why: '',
  grants: [grant('git status'), grant('git'), grant('everything')],
};
const selected = (optionId: string) => ({ outcome: { outcome: 'selected', optionId } }) as const;

describe('A question for another editor', () => {
  it('offers the narrowest grants for the session and for always', () => {
    const ids = permissionOptions(approval, ['once', 'session', 'always']).map(({ optionId }) => optionId);
    assert.deepEqual(ids, ['once', 'session:0', 'always:0', 'session:1', 'always:1', 'reject']);
    assert.deepEqual(
      permissionOptions(approval, ['once']).map(({ optionId }) => optionId),
      ['once', 'reject'],
    );
  });

  for (const [chosen, answer] of [
    ['once', { action: 'accept', content: { decision: 'once' } }],
    ['session:1', { action: 'accept', content: { decision: 'session', grant: 'git' } }],
    ['always:0', { action: 'accept', content: { decision: 'always', grant: 'git status' } }],
    ['always:2', { action: 'decline', content: {} }],
    ['reject', { action: 'decline', content: {} }],
    ['', { action: 'decline', content: {} }],
  ] as const) {
    it(`takes "${chosen}" as ${answer.action}`, () => {
      const options = permissionOptions(approval, ['once', 'session', 'always']);
      assert.deepEqual(permissionAnswer(selected(chosen), options, approval), answer);
    });
  }

  it('offers the modes in which a plan is carried out', () => {
    const plan = { details: { type: 'plan', path: 'plan.md', text: '# Plan' }, grants: [] } as const;
    const options = permissionOptions({ ...plan, grants: [] }, ['once']);
    assert.deepEqual(permissionAnswer(selected('plan:autoEdit'), options, { grants: [] }), {
      action: 'accept',
      content: { decision: 'once', approvalMode: 'autoEdit' },
    });
    assert.equal(permissionAnswer(selected('reject'), options, { grants: [] }).action, 'decline');
    assert.equal(permissionAnswer({ outcome: { outcome: 'cancelled' } }, options, { grants: [] }).action, 'cancel');
  });

  it('takes several choices, and words of their own', () => {
    const options = [
      { label: 'A', description: 'First' },
      { label: 'B', description: '' },
    ];
    const form = questionsForm('Two questions', [
      { question: 'Which?', header: 'Which', type: 'choice', options, multiSelect: true },
      { question: 'Sure?', header: 'Sure', type: 'yesno' },
    ]);
    const answer = form.answer({ answer1: ['A', 'B', 7], other1: ' C ', answer2: 'Yes' });
    assert.deepEqual(answer.content, { decision: 'once', answers: { 0: 'A, B, C', 1: 'Yes' } });
    assert.deepEqual(form.answer({}).content, { decision: 'once', answers: {} });
  });

  it('is declined by a form that says nothing we know', () => {
    assert.equal(
      planForm('Carry it out?', { text: '# Plan', path: 'plan.md' }).answer({ decision: 'wild' }).action,
      'decline',
    );
    const form = modelForm('No quota', 'What now?', { failed: 'pro', other: 'flash' });
    assert.deepEqual(form.answer({ decision: 'retry_always' }), {
      action: 'accept',
      content: { decision: 'retry_always' },
    });
    assert.equal(form.answer({ decision: 'stop' }).action, 'decline');
    assert.equal(form.answer({ decision: 7 }).action, 'decline');
  });

  it('shows a command in a fence that it cannot leave', () => {
    const details = { type: 'exec', command: 'echo "```"', folder: '/w' } as const;
    const [shown] = approvalContent(details, []);
    assert.ok(shown?.type === 'content' && shown.content.type === 'text');
    assert.match(shown.content.text, /^````sh\necho "```"\n````\n/);
  });
});

describe('A prompt of another editor', () => {
  it('mentions the files that it links to, however they are called', () => {
    const link = (uri: string) => ({ type: 'resource_link', name: 'x', uri }) as const;
    const { text } = receivedPrompt([
      { type: 'text', text: 'See ' },
      link('file:///w/my%20file.txt#L1-2'),
      link('zed:///x'),
    ]);
    assert.equal(text, 'See @"/w/my file.txt" zed:///x');
  });
});

describe('Updates for another editor', () => {
  it('leave out what subagents do', () => {
    const [event] = stamped({ type: 'message', role: 'agent', content: [{ type: 'text', text: 'Hi' }] });
    assert.ok(event);
    assert.deepEqual(new UpdateTranslator('/w').take({ ...event, threadId: 'agent' }), []);
  });

  it('show the messages of the user only in a replay', () => {
    const [event] = stamped({ type: 'message', role: 'user', content: [{ type: 'text', text: 'Hi' }] });
    assert.ok(event);
    assert.deepEqual(new UpdateTranslator('/w').take(event), []);
    assert.equal(new UpdateTranslator('/w').take(event, true)[0]?.sessionUpdate, 'user_message_chunk');
  });

  it('show the output of a command as text, without colors', () => {
    const translator = new UpdateTranslator('/w');
    const events = stamped(
      { type: 'tool_request', requestId: 'c', name: 'run_shell_command', args: {}, kind: 'execute' },
      {
        type: 'tool_update',
        requestId: 'c',
        display: { result: { type: 'terminal', ansi: '\u001b[31mred\u001b[0m' } },
      },
      {
        type: 'tool_response',
        requestId: 'c',
        name: 'run_shell_command',
        display: { result: { type: 'terminal', ansi: 'red', exitCode: 2 } },
      },
    );
    const updates = events.flatMap((event) => translator.take(event));
    assert.deepEqual(
      updates.map((update) => ('content' in update ? JSON.stringify(update.content) : '')),
      [
        '',
        '[{"type":"content","content":{"type":"text","text":"```\\nred\\n```"}}]',
        '[{"type":"content","content":{"type":"text","text":"```\\nred\\n```\\n\\nExit code 2"}}]',
      ],
    );
  });
});
