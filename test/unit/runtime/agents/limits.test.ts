import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { idOf, openQuestions, untilEvent, useAgent } from '../../../support/agent.ts';
import { all, answer, drain, message, outline, testTool } from '../../../support/conversation.ts';
import { call } from '../../../support/gemini/script.ts';
import {
  define,
  invoke,
  openWithAgents,
  report,
  requestsOf,
  responses,
  results,
  script,
  threadsOf,
  toolsOf,
} from '../../../support/subagents.ts';

const MINUTE = 60_000;

/** A clock that the test moves. */
class TestClock {
  time = Date.UTC(2030, 0, 1);
  now = (): number => this.time;
}

describe('The limits of an agent', () => {
  const agent = useAgent();
  const ends = (events: Parameters<typeof outline>[0], thread: string | undefined): string[] =>
    outline(events.filter(({ threadId }) => threadId === thread)).filter((line) => line.startsWith('agent_end'));

  it('of turns end its work, with one more turn to hand over what it has', async () => {
    await define(agent, 'scout', 'tools: [read_file]', 'max_turns: 2');
    script(agent, 'Go', invoke('scout', 'Look'), 'Thanks.');
    script(agent, 'Look', call('read_file'), call('read_file'), report('Half of it.'));
    const session = await openWithAgents(agent).createSession();
    await all(session, message('Go'));
    assert.match(
      requestsOf(agent, 'Look')[2]?.lastUserText ?? '',
      /you reached your limit of 2 turns.*complete_task now/,
    );
    assert.deepEqual(ends(session.events, threadsOf(session)[0]), ['agent_end max_turns', 'agent_end completed']);
    assert.match(results(requestsOf(agent, 'Go')).join(), /is done.*Half of it/);
  });

  it('leave it without a result when it does not use that turn', async () => {
    await define(agent, 'scout', 'tools: [read_file]', 'max_turns: 1');
    script(agent, 'Go', invoke('scout', 'Look'), 'A pity.');
    script(agent, 'Look', call('read_file'), call('read_file'), report('too late'));
    const session = await openWithAgents(agent).createSession();
    await all(session, message('Go'));
    assert.equal(requestsOf(agent, 'Look').length, 2);
    assert.match(responses(session).join(), /handed over no result: it reached its limit of 1 turns/);
  });

  it('include that it has to report: words alone are none', async () => {
    await define(agent, 'scout', 'tools: [read_file]');
    script(agent, 'Go', invoke('scout', 'Look'), 'Thanks.');
    script(agent, 'Look', 'I found it.', report('It is here.'));
    const session = await openWithAgents(agent).createSession();
    await all(session, message('Go'));
    assert.match(requestsOf(agent, 'Look')[1]?.lastUserText ?? '', /you stopped without a report/);
    assert.match(results(requestsOf(agent, 'Go')).join(), /It is here/);
  });

  it('let it try again when its report is empty', async () => {
    await define(agent, 'scout', 'tools: [read_file]');
    script(agent, 'Go', invoke('scout', 'Look'), 'Thanks.');
    script(agent, 'Look', report(' '), report('Full.'));
    const session = await openWithAgents(agent).createSession();
    await all(session, message('Go'));
    assert.match(results(requestsOf(agent, 'Look')).join(), /must not be empty/);
    assert.match(results(requestsOf(agent, 'Go')).join(), /Full/);
  });

  it('of time end its work, and the turn after that', async () => {
    const clock = new TestClock();
    const slow = testTool('read_file', 'read', async () => {
      clock.time += 3 * MINUTE;
      return { content: 'read' };
    });
    await define(agent, 'scout', 'tools: [read_file]', 'timeout_mins: 5');
    script(agent, 'Go', invoke('scout', 'Look'), 'Thanks.');
    script(agent, 'Look', call('read_file'), call('read_file'), report('Some of it.'));
    const session = await openWithAgents(agent, toolsOf(slow), {}, { clock }).createSession();
    await all(session, message('Go'));
    assert.deepEqual(ends(session.events, threadsOf(session)[0]), ['agent_end max_time', 'agent_end completed']);
    assert.match(results(requestsOf(agent, 'Go')).join(), /Some of it/);
  });

  it('of time stand still at every level while a person is waited for', async () => {
    const clock = new TestClock();
    const write = testTool('write_file', 'edit', async () => ({ content: 'written' }));
    await define(agent, 'outer', 'tools: [invoke_agent, write_file]', 'timeout_mins: 5');
    await define(agent, 'smith', 'tools: [write_file]', 'timeout_mins: 5');
    script(agent, 'Go', invoke('outer', 'Organise'), 'Thanks.');
    script(agent, 'Organise', invoke('smith', 'Forge'), report('Organised.'));
    script(agent, 'Forge', call('write_file'), report('Forged.'));
    const options = { promptLimit: { minutes: 10 } };
    const service = openWithAgents(agent, toolsOf(write), options, { clock });
    const session = await service.createSession();
    const run = drain(session.sendStream(message('Go')));
    await untilEvent(session, (event) => event.type === 'elicitation_request');
    clock.time += 100 * MINUTE;
    await session.send(answer(openQuestions(session)[0] ?? '', 'accept'));
    assert.equal(outline(await run).at(-1), 'agent_end completed');
    assert.match(results(requestsOf(agent, 'Go')).join(), /Organised/);
    assert.ok(service.totalsOf(idOf(session)).milliseconds < MINUTE);
  });

  it('are never wider than those of the user', async () => {
    await define(agent, 'scout', 'tools: [read_file]', 'max_turns: 50');
    script(agent, 'Go', invoke('scout', 'Look'), 'Thanks.');
    script(agent, 'Look', call('read_file'), call('read_file'), call('read_file'), report('Three.'));
    const session = await openWithAgents(agent, undefined, { maxTurns: 3 }).createSession();
    await all(session, message('Go'));
    const started = session.events.find((event) => event.type === 'agent_start' && event.threadId !== undefined);
    assert.deepEqual(started?._meta, { maxTurns: 3 });
    assert.equal(requestsOf(agent, 'Look').length, 4);
  });
});
