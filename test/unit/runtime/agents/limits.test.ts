import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { idOf, openQuestions, untilAsked, useAgent } from '../../../support/agent.ts';
import { all, answer, drain, message, outline, testTool } from '../../../support/conversation.ts';
import { call } from '../../../support/gemini/script.ts';
import { invoke, report, responses, Subagents, threadsOf } from '../../../support/subagents.ts';

const MINUTE = 60_000;

/** A clock that the test moves. */
class TestClock {
  time = Date.UTC(2030, 0, 1);
  now = (): number => this.time;
}

describe('The limits of an agent', () => {
  const agent = useAgent();
  const agents = new Subagents(agent);
  const ends = (events: Parameters<typeof outline>[0], thread: string | undefined): string[] =>
    outline(events.filter(({ threadId }) => threadId === thread)).filter((line) => line.startsWith('agent_end'));

  it('of turns end its work, with one more turn to hand over what it has', async () => {
    await agents.define('scout', 'tools: [read_file]', 'max_turns: 2');
    agents.script('Go', invoke('scout', 'Look'), 'Thanks.');
    agents.script('Look', call('read_file'), call('read_file'), report('Half of it.'));
    const session = await agents.open().createSession();
    await all(session, message('Go'));
    assert.match(
      agents.requestsOf('Look')[2]?.lastUserText ?? '',
      /you reached your limit of 2 turns.*complete_task now/,
    );
    assert.deepEqual(ends(session.events, threadsOf(session)[0]), ['agent_end max_turns', 'agent_end completed']);
    assert.match(agents.resultsOf('Go').join(), /is done.*Half of it/);
  });

  it('leave it without a result when it does not use that turn', async () => {
    await agents.define('scout', 'tools: [read_file]', 'max_turns: 1');
    agents.script('Go', invoke('scout', 'Look'), 'A pity.');
    agents.script('Look', call('read_file'), call('read_file'), report('too late'));
    const session = await agents.open().createSession();
    await all(session, message('Go'));
    assert.equal(agents.requestsOf('Look').length, 2);
    assert.match(responses(session).join(), /handed over no result: it reached its limit of 1 turns/);
  });

  it('include that it has to report: words alone are none', async () => {
    await agents.define('scout', 'tools: [read_file]');
    agents.script('Go', invoke('scout', 'Look'), 'Thanks.');
    agents.script('Look', 'I found it.', report('It is here.'));
    const session = await agents.open().createSession();
    await all(session, message('Go'));
    assert.match(agents.requestsOf('Look')[1]?.lastUserText ?? '', /you stopped without a report/);
    assert.match(agents.resultsOf('Go').join(), /It is here/);
  });

  it('let it try again when its report is empty', async () => {
    await agents.define('scout', 'tools: [read_file]');
    agents.script('Go', invoke('scout', 'Look'), 'Thanks.');
    agents.script('Look', report(' '), report('Full.'));
    const session = await agents.open().createSession();
    await all(session, message('Go'));
    assert.match(agents.resultsOf('Look').join(), /must not be empty/);
    assert.match(agents.resultsOf('Go').join(), /Full/);
  });

  it('of time end its work, and the turn after that', async () => {
    const clock = new TestClock();
    const slow = testTool('read_file', 'read', async () => {
      clock.time += 3 * MINUTE;
      return { content: 'read' };
    });
    await agents.define('scout', 'tools: [read_file]', 'timeout_mins: 5');
    agents.script('Go', invoke('scout', 'Look'), 'Thanks.');
    agents.script('Look', call('read_file'), call('read_file'), report('Some of it.'));
    const session = await agents.open([slow], {}, { clock }).createSession();
    await all(session, message('Go'));
    assert.deepEqual(ends(session.events, threadsOf(session)[0]), ['agent_end max_time', 'agent_end completed']);
    assert.match(agents.resultsOf('Go').join(), /Some of it/);
  });

  it('of time stand still at every level while a person is waited for', async () => {
    const clock = new TestClock();
    const write = testTool('write_file', 'edit', async () => ({ content: 'written' }));
    await agents.define('outer', 'tools: [invoke_agent, write_file]', 'timeout_mins: 5');
    await agents.define('smith', 'tools: [write_file]', 'timeout_mins: 5');
    agents.script('Go', invoke('outer', 'Organise'), 'Thanks.');
    agents.script('Organise', invoke('smith', 'Forge'), report('Organised.'));
    agents.script('Forge', call('write_file'), report('Forged.'));
    const options = { promptLimit: { minutes: 10 } };
    const service = agents.open([write], options, { clock });
    const session = await service.createSession();
    const run = drain(session.sendStream(message('Go')));
    await untilAsked(session);
    clock.time += 100 * MINUTE;
    await session.send(answer(openQuestions(session)[0] ?? '', 'accept'));
    assert.equal(outline(await run).at(-1), 'agent_end completed');
    assert.match(agents.resultsOf('Go').join(), /Organised/);
    assert.ok(service.session(idOf(session)).totals.milliseconds < MINUTE);
  });

  it('are never wider than those of the user', async () => {
    await agents.define('scout', 'tools: [read_file]', 'max_turns: 50');
    agents.script('Go', invoke('scout', 'Look'), 'Thanks.');
    agents.script('Look', call('read_file'), call('read_file'), call('read_file'), report('Three.'));
    const session = await agents.open(undefined, { maxTurns: 3 }).createSession();
    await all(session, message('Go'));
    const started = session.events.find((event) => event.type === 'agent_start' && event.threadId !== undefined);
    assert.deepEqual(started?._meta, { maxTurns: 3 });
    assert.equal(agents.requestsOf('Look').length, 4);
  });
});
