import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Tool } from '../../../extension/ports/tool.ts';
import type { AgentEvent } from '../../../extension/protocol/agent/agent-event.ts';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import { ProblemError } from '../../../extension/protocol/agent/problem.ts';
import { AgentService } from '../../../extension/runtime/agent-service.ts';
import { all, drain, message, outline, testTool, until } from '../../support/conversation.ts';
import { gate } from '../../support/gemini/gate.ts';
import { call, pause } from '../../support/gemini/script.ts';
import { useGemini } from '../../support/gemini/suite.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';
import { type TestHostOptions, testHost } from '../../support/test-host.ts';

describe('A stored session', () => {
  const endpoint = useGemini();
  let folder: TempFolder;
  let services: AgentService[];
  let written: string[];

  beforeEach(async () => {
    folder = await tempFolder('sessions');
    services = [];
    written = [];
  });
  afterEach(async () => {
    for (const service of services) await service.dispose();
    await folder.dispose();
  });

  /** A new window over the same folder. */
  function open(options: TestHostOptions = {}, tools: readonly Tool[] = [look(), write(written)]): AgentService {
    const environment = { GOOGLE_GEMINI_BASE_URL: endpoint().url };
    const service = new AgentService(testHost({ environment, sessions: folder.path, ...options }), () => tools);
    services.push(service);
    return service;
  }

  async function reopen(service: AgentService, session: AgentSession): Promise<AgentSession> {
    await service.dispose();
    return open().resumeSession(idOf(session));
  }

  it('is the same after a restart, ids included, and continues', async () => {
    endpoint().reply(call('look', {}));
    endpoint().reply('It is fine.');
    const service = open();
    const session = await service.createSession();
    await all(session, message('Look'));
    const again = await reopen(service, session);
    assert.deepEqual(again.events, session.events);

    endpoint().reply('As I said.');
    await all(again, message('Sure?'));
    const sent = endpoint().requests.at(-1)?.contents ?? [];
    assert.deepEqual(
      sent.map((content) => content.role),
      ['user', 'model', 'user', 'model', 'user'],
    );
  });

  it('still waits for an approval, and finishes the job when it is given', async () => {
    endpoint().reply(call('look', {}), call('write', {}));
    const service = open();
    const session = await service.createSession();
    await session.send(message('Write it'));
    await until(session, 'elicitation_request');
    const again = await reopen(service, session);
    assert.deepEqual(outline(again.events).at(-1), 'elicitation_request');
    assert.deepEqual(written, []);

    endpoint().reply('Done.');
    const run = drain(again.stream());
    const vague = { requestId: questionOf(again.events), action: 'accept', content: { decision: 'always' } } as const;
    await assert.rejects(again.send({ elicitations: [vague] }), (error) => ProblemError.is(error, 'bad-input'));
    assert.deepEqual(written, []);
    await again.send({
      elicitations: [{ requestId: questionOf(again.events), action: 'accept', content: { decision: 'once' } }],
    });
    assert.equal(outline(await run).at(-1), 'agent_end completed');
    assert.deepEqual(written, ['written']);
    assert.deepEqual(
      endpoint()
        .requests.at(-1)
        ?.toolResults.map((result) => result.response?.['output']),
      ['seen', 'written'],
    );
  });

  it('asks nobody about what trust forbids by now, and sends nothing by itself', async () => {
    endpoint().reply(call('write', {}));
    const service = open();
    const session = await service.createSession();
    await session.send(message('Write it'));
    await until(session, 'elicitation_request');
    await service.dispose();
    const again = await open({ trusted: false }).resumeSession(idOf(session));
    assert.equal(outline(again.events).at(-1), 'agent_end aborted');
    assert.deepEqual(written, []);
  });

  it('marks an answer that was cut off, and continues with it when told to', async () => {
    const door = gate();
    endpoint().reply('Half an ', pause(door), 'never');
    const service = open();
    const session = await service.createSession();
    await session.send(message('Tell me'));
    await door.reached;
    await until(session, 'agent: Half an ');
    const again = await reopen(service, session);
    const end = again.events.at(-1);
    assert.ok(end?.type === 'agent_end' && end.data?.['code'] === 'INTERRUPTED');

    endpoint().reply('answer.');
    await all(again, { action: { type: 'continue', data: undefined } });
    const texts = endpoint()
      .requests.at(-1)
      ?.contents.map((content) => content.parts?.[0]?.text);
    assert.deepEqual(texts?.slice(0, 2), ['Tell me', 'Half an ']);
  });

  it('is not marked as cut off when only the end of its run is missing', async () => {
    endpoint().reply('All said.');
    const service = open();
    const session = await service.createSession();
    await session.send(message('Tell me'));
    await until(session, 'usage');
    const again = await reopen(service, session);
    assert.equal(outline(again.events).at(-1), 'agent_end completed');
  });

  it('says of a change that was running that nobody knows how far it came', async () => {
    const door = gate();
    const hanging = testTool('write', 'edit', async (_args, { signal }) => {
      void door.pass(signal);
      return new Promise(() => undefined);
    });
    endpoint().reply(call('write', {}));
    const service = open({}, [hanging]);
    const session = await service.createSession();
    await session.send(message('Write it'));
    await until(session, 'elicitation_request');
    await session.send({
      elicitations: [{ requestId: questionOf(session.events), action: 'accept', content: { decision: 'once' } }],
    });
    await door.reached;
    const again = await reopen(service, session);
    assert.equal(outline(again.events).at(-1), 'agent_end aborted');
    endpoint().reply('I will check.');
    await all(again, message('And?'));
    assert.match(JSON.stringify(endpoint().requests.at(-1)?.contents), /not known/);
  });

  it('can only be read while another window has it, and copied', async () => {
    endpoint().reply('Hello.');
    const session = await open().createSession();
    await all(session, message('Hi'));
    // The last thing that still happens by itself; both windows are to see the same.
    await until(session, 'session_update A title');
    const second = open();
    const locked = await second.resumeSession(idOf(session));
    assert.deepEqual(locked.events, session.events);
    assert.equal(second.holderOf(idOf(session)), 'a test');
    await assert.rejects(locked.send(message('Mine')), (error) => ProblemError.is(error, 'session-locked'));

    const copy = await second.forkSession(idOf(session));
    endpoint().reply('Hello again.');
    await all(copy, message('Hi again'));
    assert.equal(outline(copy.events).at(-1), 'agent_end completed');
    assert.notEqual(idOf(copy), idOf(session));
  });

  it('continues with a warning where it cannot be saved, and is saved when that works again', async () => {
    const blocked = join(folder.path, 'blocked');
    await writeFile(blocked, 'in the way');
    const service = open({ sessions: join(blocked, 'sessions') });
    const session = await service.createSession();
    const warnings: string[] = [];
    session.subscribe((event) => {
      if (event.type === 'error') warnings.push(event._meta?.problem?.kind ?? '');
    });
    endpoint().reply('Hello.');
    assert.equal(outline(await all(session, message('Hi'))).at(-1), 'agent_end completed');
    assert.deepEqual(warnings, ['not-saved']);
    await rm(blocked);
    endpoint().reply('Still here.');
    await all(session, message('And now?'));
    assert.deepEqual(warnings, ['not-saved', 'saved-again']);
    await service.dispose();
    const again = await open({ sessions: join(blocked, 'sessions') }).resumeSession(idOf(session));
    assert.deepEqual(again.events.slice(0, session.events.length), session.events);
  });

  it('continues in memory, and says so, where its folder cannot be locked', async () => {
    endpoint().reply('Hello.');
    const service = open();
    const session = await service.createSession();
    await all(session, message('Hi'));
    await service.dispose();
    await mkdir(join(folder.path, idOf(session), 'lock'));
    const again = await open().resumeSession(idOf(session));
    const warnings: AgentEvent[] = [];
    again.subscribe((event) => {
      if (event.type === 'error') warnings.push(event);
    });
    endpoint().reply('Still here.');
    assert.equal(outline(await all(again, message('And now?'))).at(-1), 'agent_end completed');
    assert.match(JSON.stringify(warnings), /not being saved.*cannot be written to/);
  });

  it('leaves nothing behind when nothing was said', async () => {
    const service = open();
    await service.createSession();
    assert.deepEqual(await service.library?.list(), []);
  });
});

function look(): Tool {
  return testTool('look', 'read', () => Promise.resolve({ content: 'seen' }));
}

function write(written: string[]): Tool {
  return testTool('write', 'edit', async () => {
    written.push('written');
    return { content: 'written' };
  });
}

function idOf(session: AgentSession): string {
  const [first] = session.events;
  assert.ok(first?.type === 'initialize');
  return first.sessionId;
}

function questionOf(events: readonly AgentEvent[]): string {
  const asked = events.findLast((event) => event.type === 'elicitation_request');
  return asked?.type === 'elicitation_request' ? asked.requestId : '';
}
