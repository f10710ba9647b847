import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AgentEvent } from '../../../../extension/protocol/agent/agent-event.ts';
import type { AgentSession } from '../../../../extension/protocol/agent/agent-session.ts';
import { Transcript } from '../../../../extension/protocol/transcript/transcript.ts';
import { idOf, openQuestions, unansweredCalls, untilAsked, untilEvent, useAgent } from '../../../support/agent.ts';
import { all, answer, drain, message, outline, testTool } from '../../../support/conversation.ts';
import { serverError } from '../../../support/gemini/faults.ts';
import { gate } from '../../../support/gemini/gate.ts';
import { call, hold, usage } from '../../../support/gemini/script.ts';
import { noticedTimeOf } from '../../../support/noticed-time.ts';
import { invoke, readTool, report, responses, Subagents, threadsOf } from '../../../support/subagents.ts';

describe('An agent that works for another', () => {
  const agent = useAgent();
  const agents = new Subagents(agent);

  it('does its task in a session of its own and hands over a report', async () => {
    await agents.define('scout', 'tools: [read_file]', 'max_turns: 7');
    agents.script('Go', invoke('scout', 'Look around'), 'Thanks.');
    agents.script('Look around', ['I will look. ', call('read_file')], report('All quiet.'));
    const service = agents.open();
    const session = await service.createSession();
    const live: AgentEvent[] = [];
    session.subscribe((event) => live.push(event));
    const run = await all(session, message('Go'));
    assert.equal(outline(run).at(-1), 'agent_end completed');
    assert.deepEqual(agents.resultsOf('Go'), [
      JSON.stringify({ output: 'The agent scout is done. Its report:\n\nAll quiet.' }),
    ]);

    const [thread] = threadsOf(session);
    const seen = live.filter(({ threadId }) => threadId === thread);
    const [first, , start] = seen;
    assert.ok(first?.type === 'initialize' && start?.type === 'agent_start');
    assert.deepEqual([first.agentId, first.sessionId, start._meta], ['scout', thread, { maxTurns: 7 }]);
    assert.deepEqual(
      outline(seen).filter((line) => /^tool|^agent/.test(line)),
      [
        'agent_start',
        'agent: I will look. ',
        'tool_request read_file read_file',
        'tool_response read_file ok',
        'tool_request complete_task All quiet.',
        'tool_response complete_task ok',
        'agent_end completed',
      ],
    );
    assert.deepEqual(unansweredCalls(session.events), []);
    assert.equal(service.isOpen(thread ?? ''), false);

    const stored = await service.library?.read(thread ?? '');
    const { agent: name, parent } = stored?.header ?? {};
    const asked = run.find((event) => event.type === 'tool_request');
    assert.ok(asked?.type === 'tool_request');
    assert.deepEqual(
      { name, parent },
      { name: 'scout', parent: { sessionId: idOf(session), callId: asked.requestId } },
    );
    assert.deepEqual(
      (await service.library?.list())?.map(({ id }) => id),
      [idOf(session)],
    );
  });

  it('is told who it is, what it may use and how to end', async () => {
    await agents.define('scout', 'tools: [read_file]', 'temperature: 0.2');
    agents.script('Go', invoke('scout', 'Look'), 'Thanks.');
    agents.script('Look', report('Nothing.'));
    await all(await agents.open().createSession(), message('Go'));
    const [request] = agents.requestsOf('Look');
    assert.deepEqual(request?.toolNames, ['read_file', 'complete_task']);
    assert.match(request?.systemText ?? '', /^You are the scout\.[\s\S]*complete_task/);
    assert.doesNotMatch(request?.systemText ?? '', /You are Gantry/);
    const { temperature, topP } = Object(request?.body.generationConfig);
    assert.deepEqual({ temperature, topP }, { temperature: 0.2, topP: 0.95 });
    const [main] = agents.requestsOf('Go');
    assert.match(JSON.stringify(main?.body.tools), /scout: The scout/);
  });

  it('is shown on the card of its call, live and in a later window', async () => {
    await agents.define('scout', 'tools: [read_file]');
    agents.script('Go', invoke('scout', 'Look'), 'Thanks.');
    agents.script('Look', call('read_file'), report('Found.'));
    const service = agents.open();
    const before = await service.createSession();
    await all(before, message('Go'));
    const after = await agent.reopen(service, before);
    const ids = ({ events }: AgentSession): string[] => events.map(({ id }) => id).sort();
    assert.deepEqual(ids(after), ids(before));
    for (const { events } of [before, after]) {
      const transcript = new Transcript();
      for (const event of events) transcript.apply(event);
      const card = transcript.entries.find((entry) => entry.kind === 'tool');
      assert.ok(card?.kind === 'tool' && card.agent);
      assert.deepEqual(
        [card.agent.name, card.agent.turns, card.agent.steps.map(({ name, status }) => `${name} ${status}`)],
        ['scout', 2, ['read_file success', 'complete_task success']],
      );
    }
  });

  it('may hand a part of its task to another one, which may not', async () => {
    await agents.define('outer', 'tools: [invoke_agent, read_file]');
    await agents.define('inner');
    agents.script('Go', invoke('outer', 'First level'), 'Thanks.');
    agents.script('First level', invoke('inner', 'Second level'), report('Both done.'));
    agents.script('Second level', call('invoke_agent', { agent_name: 'inner', prompt: 'x' }), report('Deep.'));
    const session = await agents.open().createSession();
    await all(session, message('Go'));
    assert.deepEqual(agents.requestsOf('First level')[0]?.toolNames, ['read_file', 'invoke_agent', 'complete_task']);
    assert.deepEqual(agents.requestsOf('Second level')[0]?.toolNames, ['read_file', 'complete_task']);
    assert.match(agents.resultsOf('Second level').join(), /There is no tool named/);
    assert.match(agents.resultsOf('Go').join(), /Both done/);
    const names = session.events.flatMap((event) =>
      event.type === 'initialize' && event.threadId !== undefined ? event.agentId : [],
    );
    assert.deepEqual(names, ['outer', 'inner']);
  });

  it('runs beside others that only read, and after those that do not', async () => {
    await agents.define('scout', 'tools: [read_file]');
    await agents.define('smith', 'tools: [write_file]');
    const [east, west] = [gate(), gate()];
    agents.script('Go', [invoke('scout', 'East'), invoke('scout', 'West'), invoke('smith', 'Forge')], 'Thanks.');
    agents.script('East', [hold(east), report('Sea.')]);
    agents.script('West', [hold(west), report('Hills.')]);
    agents.script('Forge', report('Sword.'));
    const session = await agents.open().createSession();
    const run = drain(session.sendStream(message('Go')));
    await Promise.all([east.reached, west.reached]);
    assert.equal(agents.requestsOf('Forge').length, 0);
    west.open();
    east.open();
    await run;
    assert.deepEqual(
      agents.resultsOf('Go').map((text) => /report:\\n\\n(\w+)/.exec(text)?.[1]),
      ['Sea', 'Hills', 'Sword'],
    );
  });

  it('ends with the session it works for, at once and all the way down', async () => {
    await agents.define('outer', 'tools: [invoke_agent]');
    await agents.define('scout', 'tools: [read_file]');
    const [deep, flat] = [gate(), gate()];
    agents.script('Go', [invoke('scout', 'Flat'), invoke('outer', 'Down')], 'Thanks.');
    agents.script('Flat', [hold(flat), report('never')]);
    agents.script('Down', invoke('scout', 'Deep'), report('never'));
    agents.script('Deep', [hold(deep), report('never')]);
    const service = agents.open();
    const session = await service.createSession();
    const run = drain(session.sendStream(message('Go')));
    await flat.reached;
    // The one that may change things waits for the one that only reads.
    flat.open();
    await deep.reached;
    const stopped = async (): Promise<void> => {
      await session.abort();
      assert.equal(outline(await run).at(-1), 'agent_end aborted');
    };
    assert.ok((await noticedTimeOf(stopped)) < 500);
    assert.deepEqual(unansweredCalls(session.events.filter(({ threadId }) => threadId === undefined)), []);
    const [request] = agents.requestsOf('Deep');
    assert.equal(await request?.closed, 'disconnected');
    for (const thread of threadsOf(session).slice(1)) await service.closeSession(thread);
    assert.deepEqual(
      threadsOf(session).map((thread) => service.isOpen(thread)),
      [false, false, false],
    );
    assert.equal(agents.requestsOf('Deep').length, 1);
    assert.equal(agents.requestsOf('Down').length, 1);
  });

  it('can be stopped alone', async () => {
    await agents.define('scout', 'tools: [read_file]');
    const door = gate();
    agents.script('Go', invoke('scout', 'Look'), 'Then not.');
    agents.script('Look', [hold(door), report('never')]);
    const session = await agents.open().createSession();
    const run = drain(session.sendStream(message('Go')));
    await door.reached;
    const asked = session.events.find((event) => event.type === 'tool_request');
    assert.ok(asked?.type === 'tool_request');
    await session.send({ action: { type: 'stop_agent', data: { callId: asked.requestId } } });
    assert.equal(outline(await run).at(-1), 'agent_end completed');
    assert.match(responses(session).join(), /^invoke_agent Cancelled/);
  });

  it('works as the settings of Gemini CLI say', async () => {
    await agents.define('scout', 'tools: [read_file, write_file]');
    await agents.define('idle');
    await agents.override({
      scout: {
        tools: ['read_file'],
        runConfig: { maxTurns: 1 },
        modelConfig: {
          model: 'gemini-2.5-flash',
          generateContentConfig: { temperature: 0.25, seed: 7, thinkingConfig: { thinkingBudget: 512 } },
        },
      },
      idle: { enabled: false },
    });
    agents.script('Go', [invoke('scout', 'Look'), invoke('idle', 'Rest')], 'Thanks.');
    agents.script('Look', call('read_file'), report('Half of it.'));
    const session = await agents.open().createSession();
    await all(session, message('Go'));
    const [first, second] = agents.requestsOf('Look');
    assert.equal(first?.model, 'gemini-2.5-flash');
    const { temperature, topP, seed, thinkingConfig } = first?.body.generationConfig ?? {};
    assert.deepEqual({ temperature, topP, seed }, { temperature: 0.25, topP: 0.95, seed: 7 });
    assert.match(JSON.stringify(thinkingConfig), /"thinkingBudget":512/);
    assert.deepEqual(first?.toolNames, ['read_file', 'complete_task']);
    assert.match(second?.lastUserText ?? '', /you reached your limit of 1 turns/);
    assert.equal(agents.requestsOf('Go')[0]?.body.generationConfig?.seed, undefined);
    assert.match(responses(session).join(), /There is no agent named "idle"/);
  });

  it('that fails says why, and the other one continues', async () => {
    await agents.define('scout', 'model: gemini-2.5-flash');
    agents.script('Go', invoke('scout', 'Look'), 'Then not.');
    agents.script('Look', serverError({ message: 'All engines stopped' }));
    const session = await agents.open([readTool], { maxAttempts: 1 }).createSession();
    assert.equal(outline(await all(session, message('Go'))).at(-1), 'agent_end completed');
    assert.match(
      responses(session).join(),
      /^invoke_agent The agent scout failed: .*A part of the task may have been done/s,
    );
  });

  it('has to be there', async () => {
    await agents.define('scout');
    agents.script('Go', invoke('scoot', 'Look'), 'Then not.');
    const session = await agents.open().createSession();
    await all(session, message('Go'));
    assert.match(responses(session).join(), /There is no agent named "scoot". Did you mean scout/);
    assert.deepEqual(threadsOf(session), []);
  });

  it('is chosen by the user with an @', async () => {
    await agents.define('scout');
    agent.endpoint.always('Fine.');
    const session = await agents.open().createSession();
    await all(session, message('@scout look, and @nobody too'));
    const [told] = agent.endpoint.requests[0]?.contents ?? [];
    assert.match(told?.parts?.at(-1)?.text ?? '', /the user chose the agent scout/);
    const shown = session.events.find((event) => event.type === 'message');
    assert.ok(shown?.type === 'message');
    assert.deepEqual(shown.content, [{ type: 'text', text: '@scout look, and @nobody too' }]);
    await all(session, message('write to me@scout.test about @scout/readme'));
    assert.equal(agent.endpoint.requests[1]?.contents.at(-1)?.parts?.length, 1);
  });

  it('counts with what it used', async () => {
    await agents.define('scout');
    const used = usage({ promptTokenCount: 1000, candidatesTokenCount: 10 });
    agents.script('Go', [invoke('scout', 'Look'), used], ['Thanks.', used]);
    agents.script('Look', [call('read_file'), used], [report('Found.'), used]);
    const service = agents.open();
    const session = await service.createSession();
    await all(session, message('Go'));
    assert.equal(service.session(idOf(session)).totals.tokens, 4 * 1010);
  });

  it('can be opened while it works, and stays open then', async () => {
    await agents.define('scout');
    const door = gate();
    agents.script('Go', invoke('scout', 'Look'), 'Thanks.');
    agents.script('Look', [hold(door), report('Found.')]);
    const service = agents.open();
    const session = await service.createSession();
    const run = drain(session.sendStream(message('Go')));
    await door.reached;
    const [thread = ''] = threadsOf(session);
    const child = await service.resumeSession(thread);
    await assert.rejects(child.send({ update: { config: { approvalMode: 'yolo' } } }), /mode of the session/);
    door.open();
    await run;
    assert.equal(service.isOpen(thread), true);
    assert.equal(outline(child.events).at(-1), 'agent_end completed');
  });

  it('that was at work when Gantry was closed is reported, and can be looked at', async () => {
    await agents.define('scout');
    const door = gate();
    agents.script('Go', invoke('scout', 'Look'), 'I see.');
    agents.script('Look', call('read_file'), [hold(door), report('never')]);
    const service = agents.open();
    const before = await service.createSession();
    void before.send(message('Go'));
    await door.reached;
    const [thread = ''] = threadsOf(before);
    await service.dispose();
    const later = agents.open();
    const session = await later.resumeSession(idOf(before));
    assert.match(responses(session).join(), /Gantry was closed while invoke_agent was running/);
    assert.deepEqual(threadsOf(session), [thread]);
    const child = await later.resumeSession(thread);
    assert.ok(outline(child.events).includes('tool_response read_file ok'));
    assert.equal(outline(child.events).at(-1), 'agent_end aborted');
    agent.endpoint.reply('Still here.');
    agents.script('Are you there?', 'Yes.');
    assert.equal(outline(await all(session, message('And?'))).at(-1), 'agent_end completed');
  });

  it('is cut off, and not stopped, when the session it works for is closed', async () => {
    await agents.defineSmith();
    const service = agents.open();
    const session = await service.createSession();
    void session.send(message('Go'));
    await untilAsked(session);
    const [thread = ''] = threadsOf(session);
    await service.closeSession(idOf(session));
    assert.equal(service.isOpen(thread), false);
    assert.deepEqual(service.questions.items, []);
    // Its question still waits, for whoever opens it.
    const child = await service.resumeSession(thread);
    const [requestId = ''] = openQuestions(child);
    const over = untilEvent(child, (event) => event.type === 'agent_end');
    await child.send(answer(requestId, 'accept'));
    await over;
    assert.ok(outline(child.events).includes('tool_response write_file ok'));
  });

  it('is one of no more than 32 at once', async () => {
    await agents.define('scout', 'tools: [read_file]');
    const door = gate();
    const tasks = Array.from({ length: 33 }, (_, n) => `Task ${n}`);
    agents.script(
      'Go',
      tasks.map((task) => invoke('scout', task)),
      'Thanks.',
    );
    for (const task of tasks) agents.script(task, [hold(door), report('Found.')]);
    const session = await agents.open().createSession();
    const run = drain(session.sendStream(message('Go')));
    await untilEvent(session, (event) => event.type === 'tool_response' && event.threadId === undefined);
    door.open();
    await run;
    assert.equal(threadsOf(session).length, 32);
    assert.equal(responses(session).filter((text) => text === 'invoke_agent ok').length, 32);
    assert.match(responses(session)[0] ?? '', /32 agents work already/);
  });

  it('changes files for the session it works for, where they can be put back', async () => {
    await agents.define('smith', 'tools: [write_file]');
    const write = testTool('write_file', 'edit', async (_args, { workspace, writeFile }) => {
      await writeFile(`${workspace.roots()[0]}/sword.txt`, Buffer.from('sharp'));
      return { content: 'written' };
    });
    agents.script('Go', invoke('smith', 'Forge'), 'Thanks.');
    agents.script('Forge', call('write_file'), report('Forged.'));
    const service = agents.open([write], { approvalMode: 'yolo' });
    const session = await service.createSession();
    await all(session, message('Go'));
    const said = await untilEvent(session, (event) => event.type === 'message');
    assert.ok(said.type === 'message');
    const messageId = said._meta?.messageId ?? '';
    const files = await service.session(idOf(session)).rewind.preview(messageId);
    assert.deepEqual(
      files.map(({ path }) => path.split('/').at(-1)),
      ['sword.txt'],
    );
  });
});
