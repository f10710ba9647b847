import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { CURRENT } from '../../../extension/model/catalog/model-names.ts';
import { CLASSIFIER_SCHEMA } from '../../../extension/model/routing/classifier-strategy.ts';
import type { Clock } from '../../../extension/ports/clock.ts';
import type { Tool } from '../../../extension/ports/tool.ts';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import { createExitPlanModeTool } from '../../../extension/tools/conversation/plan-mode.ts';
import { createWriteFileTool } from '../../../extension/tools/files/write-file.ts';
import { idOf, useAgent } from '../../support/agent.ts';
import { all, answer, message, testTool, until } from '../../support/conversation.ts';
import { badRequest, serverError } from '../../support/gemini/faults.ts';
import { gate } from '../../support/gemini/gate.ts';
import { rated } from '../../support/gemini/playbook.ts';
import { call, hold } from '../../support/gemini/script.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';
import type { TestHostOptions } from '../../support/test-host.ts';
import { forEvents, prints, settingsWith } from '../hooks/hook-builders.ts';

const { pro, flash, lite } = CURRENT;
const look = testTool('look', 'read', () => Promise.resolve({ content: 'seen' }));

const planned = [
  call('write_file', { file_path: 'plan.md', content: '# Plan\n\n1. Look.\n' }),
  call('exit_plan_mode', { plan_filename: 'plan.md' }),
  'done',
];

function agreeing(session: AgentSession): void {
  session.subscribe((event) => {
    if (event.type === 'elicitation_request') void session.send(answer(event.requestId, 'accept'));
  });
}

/** A rating is waited for, however slow the machine is. */
const UNHURRIED: Clock = { now: () => Date.now(), pause: () => new Promise(() => undefined) };

describe('The model of a conversation', () => {
  const agent = useAgent();
  const asked = (): string[] => agent.endpoint.requests.map(({ model }) => model);
  const ratings = (): number => agent.endpoint.routeRequests.length;
  const open = (tools: readonly Tool[] = [look], options: TestHostOptions = {}) =>
    agent.open(tools, options, { clock: UNHURRIED });
  const begin = (options?: TestHostOptions): Promise<AgentSession> => open([look], options).createSession();
  const told = ({ events }: AgentSession): string[] =>
    events.flatMap((event) => (event.type === 'session_update' && event.model !== undefined ? [event.model] : []));

  it('follows from how hard the message is, which a small model says', async () => {
    agent.endpoint.replyRoute(rated(97));
    agent.endpoint.reply('done');
    const session = await begin();
    await all(session, message('Split the monolith'));
    assert.deepEqual(asked(), [pro]);
    assert.deepEqual(told(session), [pro]);
    const [request] = agent.endpoint.routeRequests;
    assert.equal(request?.model, lite);
    assert.deepEqual(request?.body.generationConfig?.['responseJsonSchema'], CLASSIFIER_SCHEMA);
    assert.deepEqual(request?.body.generationConfig?.['thinkingConfig'], { thinkingLevel: 'MINIMAL' });
    assert.deepEqual(JSON.parse(request?.lastUserText ?? ''), [{ from: 'user', text: 'Split the monolith' }]);
    assert.deepEqual(request?.toolNames, []);
  });

  it('stays for all that follows from a message, and is chosen anew for the next one', async () => {
    agent.endpoint.replyRoute(rated(97));
    agent.endpoint.replyRoute(rated(3));
    for (const reply of [call('look'), call('look'), 'done', call('look'), 'ok']) agent.endpoint.reply(reply);
    const session = await begin();
    await all(session, message('Hard'));
    await all(session, message('Easy'));
    assert.deepEqual(asked(), [pro, pro, pro, flash, flash]);
    assert.equal(ratings(), 2);
    assert.deepEqual(told(session), [pro, flash], 'told when it is another one, and only then');
  });

  it('stays for a message that steers the run', async () => {
    const held = gate();
    agent.endpoint.replyRoute(rated(97));
    agent.endpoint.reply(hold(held), call('look'));
    agent.endpoint.reply('done');
    const session = await begin();
    const running = all(session, message('Hard'));
    await held.reached;
    await session.send({ message: { content: [{ type: 'text', text: 'Be quick' }], delivery: 'steer' } });
    held.open();
    await running;
    assert.deepEqual([asked(), ratings()], [[pro, pro], 1]);
  });

  it('is chosen anew when the user chooses another one meanwhile', async () => {
    const held = gate();
    agent.endpoint.reply(hold(held), call('look'));
    agent.endpoint.reply('done');
    const session = await begin();
    const running = all(session, message('Hi'));
    await held.reached;
    await session.send({ update: { model: 'gemini-mine' } });
    held.open();
    await running;
    assert.deepEqual(asked(), [flash, 'gemini-mine']);
  });

  it('continues after a failure with the one it was begun with', async () => {
    agent.endpoint.replyRoute(rated(97));
    agent.endpoint.reply(call('look'));
    // Never retried by itself.
    agent.endpoint.reply(badRequest('No.'));
    agent.endpoint.reply('done');
    const session = await begin();
    await all(session, message('Hard'));
    await all(session, { action: { type: 'retry', data: {} } });
    assert.deepEqual([asked(), ratings()], [[pro, pro, pro], 1]);
  });

  it('that was named is asked, and no other', async () => {
    agent.endpoint.reply('done');
    const session = await begin({ modelName: 'models/gemini-mine' });
    await all(session, message('Split the monolith'));
    assert.deepEqual([asked(), ratings()], [['gemini-mine'], 0]);
  });

  it('is looked up in the aliases of the user', async () => {
    agent.endpoint.reply('done');
    const modelConfigs = { aliases: { mine: { extends: 'chat-base', modelConfig: { model: 'pro' } } } };
    await all(await begin({ modelName: 'mine', modelConfigs }), message('Hi'));
    assert.deepEqual([asked(), ratings()], [[pro], 0]);
  });

  it('has a window also where the chosen name leads to no model, which is reported when it is asked', async () => {
    const service = agent.open([], { modelName: 'base' });
    const session = await service.createSession();
    const seen = await all(session, message('Hi'));
    assert.ok(seen.some((event) => event.type === 'error' && /base/.test(event.message)));
    assert.ok((service.session(idOf(session)).contextUse?.window ?? 0) > 0);
  });

  it('has its own window, before it was ever asked and as soon as it is chosen', async () => {
    const modelConfigs = { aliases: { mine: { modelConfig: { model: 'gemma-4-31b-it' } } } };
    const service = agent.open([], { modelName: 'mine', modelConfigs });
    const session = await service.createSession();
    const window = (): number | undefined => service.session(idOf(session)).contextUse?.window;
    await session.send({ update: { title: 'Mine' } });
    assert.equal(window(), 256_000);
    await session.send({ update: { model: 'auto' } });
    assert.equal(window(), 1_048_576);
    agent.endpoint.reply('done');
    await all(session, message('Hi'));
    await session.send({ update: { model: 'mine' } });
    assert.equal(window(), 256_000);
  });

  it('is not chosen for the offline guide', async () => {
    const session = await begin({ environment: {} });
    await all(session, message('Hi'));
    assert.deepEqual([asked(), ratings(), told(session)], [[], 0, ['offline guide']]);
  });

  it('is the usual one when rating fails, and nobody hears of it', async () => {
    agent.endpoint.replyRoute(serverError());
    agent.endpoint.reply('done');
    const session = await begin();
    await all(session, message('Hi'));
    assert.deepEqual([asked(), ratings()], [[flash], 1]);
    assert.ok(!session.events.some(({ type }) => type === 'error'));
  });

  it('is not waited for after Stop', async () => {
    const held = gate();
    agent.endpoint.replyRoute(hold(held), rated(97));
    const session = await begin();
    const running = all(session, message('Hi'));
    await held.reached;
    await session.abort();
    const events = await running;
    assert.equal(events.at(-1)?.type, 'agent_end');
    assert.deepEqual(asked(), []);
    assert.equal(await agent.endpoint.routeRequests[0]?.closed, 'disconnected');
  });

  it('is pro for a plan and flash for carrying it out, in one run and without a question', async () => {
    const tools = [createExitPlanModeTool(), createWriteFileTool()];
    for (const reply of planned) agent.endpoint.reply(reply);
    const service = open(tools, { approvalMode: 'plan' });
    const session = await service.createSession();
    agreeing(session);
    await all(session, message('Plan it'));
    assert.deepEqual([asked(), ratings()], [[pro, pro, flash], 0]);
    agent.endpoint.reply('ok');
    const again = await agent.reopen(service, session, tools);
    await all(again, message('Go on'));
    assert.deepEqual([asked().at(-1), ratings()], [flash, 0], 'also after a restart');
  });

  it('of a session for another one is the one that was named for it', async () => {
    agent.endpoint.reply('done');
    const service = open();
    const session = await service.createSession({ model: 'flash-lite', parent: { sessionId: 's', callId: 'c' } });
    await all(session, message('Hi'));
    assert.deepEqual([asked(), ratings()], [[lite], 0]);
  });

  it('is chosen for the message again when the plan was taken back', async () => {
    const service = open([createExitPlanModeTool(), createWriteFileTool()], { approvalMode: 'plan' });
    const session = await service.createSession();
    agreeing(session);
    for (const reply of planned) agent.endpoint.reply(reply);
    await all(session, message('Plan it'));
    const sent = session.events.find((event) => event.type === 'message' && event.role === 'user');
    await service
      .session(idOf(session))
      .rewind.rewind({ messageId: String(sent?._meta?.['messageId']), what: 'conversation' });
    agent.endpoint.replyRoute(rated(97));
    agent.endpoint.reply('ok');
    await all(session, message('Do it otherwise'));
    assert.deepEqual([asked(), ratings()], [[pro, pro, flash, pro], 1]);
  });

  it('tells once what is wrong in the configuration, and answers with the rest of it', async () => {
    agent.endpoint.reply('one');
    agent.endpoint.reply('two');
    const session = await begin({ modelConfigs: { overrides: 'all' }, generation: { temperature: 9, topK: 4 } });
    const problems: string[] = [];
    session.subscribe((event) => void (event.type === 'error' && problems.push(event.message)));
    await all(session, message('Hi'));
    await all(session, message('Hi again'));
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? '', /overrides was ignored.*temperature was ignored.*The rest applies/s);
    const { topK, temperature } = agent.endpoint.requests[0]?.body.generationConfig ?? {};
    assert.deepEqual([topK, temperature], [4, undefined]);
  });
});

describe('Generation settings', () => {
  const agent = useAgent();
  let home: TempWorkspace;
  beforeEach(async () => {
    home = await createTempWorkspace();
  });
  afterEach(() => home.dispose());

  it('go with every request of the conversation, beside what the model thinks', async () => {
    agent.endpoint.reply(call('look'));
    agent.endpoint.reply('done');
    const generation = { temperature: 0.3, topP: 0.8, topK: 20, maxOutputTokens: 2000 };
    const session = await agent.open([look], { generation }).createSession();
    await all(session, message('Hi'));
    for (const { body } of agent.endpoint.requests) {
      assert.deepEqual(body.generationConfig, { ...generation, thinkingConfig: { includeThoughts: true } });
    }
    await until(session, 'session_update A title');
    const [title] = agent.endpoint.titleRequests;
    assert.notEqual(title?.body.generationConfig?.['maxOutputTokens'], 2000);
  });

  it('are absent where the user set none', async () => {
    agent.endpoint.reply('done');
    await all(await agent.open([look]).createSession(), message('Hi'));
    assert.deepEqual(agent.endpoint.requests[0]?.body.generationConfig, { thinkingConfig: { includeThoughts: true } });
  });

  it('and the model give way to a hook', async () => {
    agent.endpoint.replyRoute(rated(97));
    agent.endpoint.reply('done');
    const llm_request = { model: 'gemini-other', config: { temperature: 1.5 } };
    await home.write(settingsWith(forEvents({ BeforeModel: prints({ hookSpecificOutput: { llm_request } }) })));
    const environment = {
      GOOGLE_GEMINI_BASE_URL: agent.endpoint.url,
      GEMINI_CLI_HOME: home.path,
      PATH: process.env['PATH'] ?? '',
    };
    const service = agent.open([look], { environment, generation: { temperature: 0.3 } });
    await all(await service.createSession(), message('Hi'));
    const [request] = agent.endpoint.requests;
    assert.equal(request?.model, 'gemini-other');
    assert.equal(request?.body.generationConfig?.['temperature'], 1.5);
  });
});
