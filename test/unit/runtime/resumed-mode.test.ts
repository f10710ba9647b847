import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ApprovalMode } from '../../../extension/protocol/agent/approval-mode.ts';
import { idOf, useAgent } from '../../support/agent.ts';
import { all, message } from '../../support/conversation.ts';

describe('The approval mode of a session that is taken up again', () => {
  const agent = useAgent();
  const cases: readonly [string, ApprovalMode, { interactive: boolean; approvalMode: ApprovalMode }, ApprovalMode][] = [
    ['stays in a window', 'autoEdit', { interactive: true, approvalMode: 'default' }, 'autoEdit'],
    ['stays while a plan is made', 'plan', { interactive: true, approvalMode: 'default' }, 'plan'],
    ['is the setting after everything ran', 'yolo', { interactive: true, approvalMode: 'autoEdit' }, 'autoEdit'],
    ['is what the command line says', 'autoEdit', { interactive: false, approvalMode: 'default' }, 'default'],
    ['is what the command line says, if more', 'plan', { interactive: false, approvalMode: 'yolo' }, 'yolo'],
  ];
  for (const [what, before, options, after] of cases) {
    it(what, async () => {
      agent.endpoint.reply('ok');
      const service = agent.open();
      const session = await service.createSession();
      await all(session, message('Hi'));
      await session.send({ update: { config: { approvalMode: before } } });
      const id = idOf(session);
      assert.equal(service.session(id).approvalMode, before);
      await service.dispose();
      const again = agent.open([], options);
      await again.resumeSession(id);
      assert.equal(again.session(id).approvalMode, after);
    });
  }
});
