import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { OpenSessions } from '../../../extension/a2a/open-sessions.ts';
import { AgentService } from '../../../extension/runtime/agent-service.ts';
import { all, message, testTool } from '../../support/conversation.ts';
import { deferred } from '../../support/deferred.ts';
import { call } from '../../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../support/gemini/server.ts';
import { eventually } from '../../support/poll.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';
import { testHost } from '../../support/test-host.ts';

describe('The sessions that A2A clients use', () => {
  let endpoint: GeminiEndpoint;
  let folder: TempFolder;
  before(async () => {
    [endpoint, folder] = await Promise.all([startGeminiEndpoint(), tempFolder('a2a-sessions')]);
  });
  after(() => Promise.all([endpoint.dispose(), folder.dispose()]));

  it('stay open for a while, but only the last ones that were used, and those that work', async () => {
    const environment = { GOOGLE_GEMINI_BASE_URL: endpoint.url };
    const host = testHost({ environment, sessions: folder.path, roots: [folder.path] });
    const [began, goesOn] = [deferred<void>(), deferred<void>()];
    const slow = testTool('slow', 'read', async () => {
      began.resolve();
      await goesOn.promise;
      return { content: 'done' };
    });
    const service = new AgentService(host, () => [slow]);
    const sessions = new OpenSessions({ service, log: host.log });
    try {
      const working = await sessions.create({});
      endpoint.reply(call('slow'));
      const run = all(working.session, message('Work'));
      await began.promise;
      working.release();

      const ids: string[] = [];
      for (let count = 0; count < 18; count++) {
        const { session, release } = await sessions.create({});
        endpoint.reply('Hello');
        await all(session, message('Hello'));
        ids.push(session.id);
        release();
        release();
      }
      const [first = ''] = ids;
      await eventually('the first ones are closed', () => ids.slice(0, 2).every((id) => !service.isOpen(id)));
      assert.deepEqual(
        ids.filter((id) => service.isOpen(id)),
        ids.slice(2),
      );
      assert.ok(service.isOpen(working.session.id), 'what works stays open');

      const again = await sessions.open(first, {});
      assert.equal(again.session.id, first, 'a closed one is opened again');
      again.release();
      await eventually('another one is closed for it', () => !service.isOpen(ids[2] ?? ''));
      assert.ok(service.isOpen(first));
      endpoint.reply('Done');
      goesOn.resolve();
      await run;
    } finally {
      goesOn.resolve();
      sessions.dispose();
      await service.dispose();
    }
  });
});
