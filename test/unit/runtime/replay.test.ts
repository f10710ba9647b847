import assert from 'node:assert/strict';
import { join } from 'node:path';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import type { AgentService } from '../../../extension/runtime/agent-service.ts';
import { EventTranslator } from '../../../extension/runtime/events/event-translator.ts';
import { SessionHistory } from '../../../extension/sessions/session-history.ts';
import { readLog } from '../../../extension/sessions/store/read-log.ts';
import { idOf, unansweredCalls } from '../../support/agent.ts';
import { all, message, outline } from '../../support/conversation.ts';
import { ConversationPlayer } from '../../support/conversation-player.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../support/gemini/server.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { runs } from '../../support/test-size.ts';
import { type ConversationStep, wildConversation } from '../../support/wild-conversation.ts';
import { assertNumbered } from '../protocol/conformance.ts';

const RUNS = runs(12, 200);

describe('Whatever happens in a conversation', () => {
  let endpoint: GeminiEndpoint;
  before(async () => {
    endpoint = await startGeminiEndpoint();
  });
  after(() => endpoint.dispose());

  it(`it is the same when it is read again (${RUNS} conversations)`, async function () {
    this.timeout(RUNS * 2000);
    await fc.assert(fc.asyncProperty(wildConversation, check), { numRuns: RUNS, timeout: 10_000 });
  });

  async function check(steps: readonly ConversationStep[]): Promise<void> {
    endpoint.startOver();
    endpoint.always('Fine.');
    const sessions = await tempFolder('sessions');
    const workspace = await tempFolder('workspace');
    const player = new ConversationPlayer(endpoint, { sessions: sessions.path, workspace: workspace.path });
    try {
      for (const step of steps) {
        await player.play(step);
        for (const session of [player.session, ...player.helpers])
          if (session && session.events.length > 0) await assertKept(player.service, session, sessions.path);
      }
      await assertResumed(player, sessions.path);
      assert.deepEqual(endpoint.takeProblems(), []);
    } finally {
      await player.service.dispose();
      await sessions.dispose();
      await workspace.dispose();
    }
  }
});

/** The log alone gives the events and the history that the live session has. */
async function assertKept(service: AgentService, session: AgentSession, folder: string): Promise<void> {
  const id = idOf(session);
  const { header, records, damage, unknown } = await readSettledLog(session, join(folder, id, 'log.jsonl'));
  assert.deepEqual([damage, unknown], [[], []]);
  const translator = new EventTranslator();
  const history = new SessionHistory();
  for (const record of [header, ...records]) history.take(record);
  assert.deepEqual(
    session.events,
    [header, ...records].flatMap((record) => translator.translate(record)),
  );
  const live = liveHistory(service, id);
  if (live) assert.equal(JSON.stringify(live.events), JSON.stringify(history.events));
  assert.deepEqual(history.calls.open, []);
  assert.deepEqual(unansweredCalls(session.events), []);
  assertNumbered(session.events);
}

/** The log at a moment in which nothing was added: a title comes when it comes. */
async function readSettledLog(session: AgentSession, path: string): ReturnType<typeof readLog> {
  const { length } = session.events;
  const contents = await readLog(path);
  return session.events.length === length ? contents : readSettledLog(session, path);
}

/** A new window shows the same, offers only what people said, and the model takes what it is sent. */
async function assertResumed(player: ConversationPlayer, folder: string): Promise<void> {
  const { session, helpers, service } = player;
  if (!session || session.events.length === 0) return;
  const before = [session, ...helpers].filter(({ events }) => events.length > 0);
  const histories = before.map((one) => JSON.stringify(liveHistory(service, idOf(one))?.events));
  await service.dispose();
  player.service = player.open();
  for (const [index, one] of before.entries()) {
    const again = await player.service.resumeSession(idOf(one));
    assert.deepEqual(again.events, one.events);
    const history = JSON.stringify(liveHistory(player.service, idOf(one))?.events);
    if (histories[index] !== undefined) assert.equal(history, histories[index]);
    if (index > 0) await assertHelper(player.service, idOf(one), idOf(session));
  }
  assert.deepEqual(
    (await player.service.library?.list())?.map(({ id }) => id),
    [idOf(session)],
  );
  const again = await player.service.resumeSession(idOf(session));
  player.session = again;
  const last = await all(again, message('And now?'));
  assert.equal(outline(last).at(-1), 'agent_end completed');
  await player.idle();
  await assertKept(player.service, again, folder);
}

async function assertHelper(service: AgentService, id: string, parentId: string): Promise<void> {
  const { header } = (await service.library?.read(id)) ?? assert.fail();
  assert.equal(header.parent?.sessionId, parentId);
  assert.match(header.parent?.callId ?? '', /^call-/);
}

/** Undefined for a session of an earlier window. */
function liveHistory(service: AgentService, id: string): SessionHistory | undefined {
  return service['live'].get(id)?.journal.history;
}
