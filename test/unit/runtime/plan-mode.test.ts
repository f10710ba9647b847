import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import { AgentService } from '../../../extension/runtime/agent-service.ts';
import { createEnterPlanModeTool, createExitPlanModeTool } from '../../../extension/tools/conversation/plan-mode.ts';
import { createWriteFileTool } from '../../../extension/tools/files/write-file.ts';
import { idOf, openQuestions, untilEvent, useAgent } from '../../support/agent.ts';
import { all, answer, message } from '../../support/conversation.ts';
import { call } from '../../support/gemini/script.ts';
import { type TestHostOptions, testHost } from '../../support/test-host.ts';

describe('Plan mode in a conversation', () => {
  const agent = useAgent();
  /** As in a home: a place where nothing else can be written unasked. */
  const sessions = () => join(agent.sessions, '.gantry', 'sessions');
  const open = (options: TestHostOptions = {}) =>
    agent.open([createEnterPlanModeTool(), createExitPlanModeTool(), createWriteFileTool()], {
      sessions: sessions(),
      ...options,
    });
  /** Says yes to everything, and remembers what was asked. */
  const agreeing = (session: AgentSession): string[] => {
    const asked: string[] = [];
    session.subscribe((event) => {
      if (event.type !== 'elicitation_request') return;
      asked.push(event.title ?? '');
      void session.send(answer(event.requestId, 'accept'));
    });
    return asked;
  };
  const responses = ({ events }: AgentSession) =>
    events.flatMap((event) =>
      event.type === 'tool_response' ? [`${event.name} ${event.isError ? 'error' : 'ok'}`] : [],
    );
  const write = (file_path: string) => call('write_file', { file_path, content: '# Plan\n\n1. Look.\n' });
  const planOf = (session: AgentSession) => join(sessions(), idOf(session), 'plans', 'plan.md');

  it('writes the plan without a question and leaves with it', async () => {
    for (const step of [
      call('enter_plan_mode', {}),
      write('plan.md'),
      call('exit_plan_mode', { plan_filename: 'plan.md' }),
    ]) {
      agent.endpoint.reply(step);
    }
    agent.endpoint.reply('done');
    const service = open();
    const session = await service.createSession();
    const asked = agreeing(session);
    await all(session, message('Plan it'));
    assert.deepEqual(responses(session), ['enter_plan_mode ok', 'write_file ok', 'exit_plan_mode ok']);
    assert.equal(asked.length, 2);
    assert.equal(await readFile(planOf(session), 'utf8'), '# Plan\n\n1. Look.\n');
    assert.equal(service.session(idOf(session)).approvalMode, 'default');
    assert.ok(JSON.stringify(agent.endpoint.requests.at(-1)?.body).includes('1. Look.'));
  });

  it('keeps the plan where it is when the session begins in it', async () => {
    agent.endpoint.reply(write('plan.md'));
    agent.endpoint.reply('done');
    const session = await open({ approvalMode: 'plan' }).createSession();
    const asked = agreeing(session);
    await all(session, message('Plan it'));
    assert.deepEqual([responses(session), asked], [['write_file ok'], []]);
    assert.match(await readFile(planOf(session), 'utf8'), /Look/);
  });

  it('lets nothing else be written, Markdown or not', async () => {
    const paths = ['src/a.ts', join(agent.workspace, 'notes.md'), '../log.jsonl', '../x.md', 'plan.sh'];
    for (const path of paths) agent.endpoint.reply(write(path));
    agent.endpoint.reply('done');
    const session = await open({ approvalMode: 'plan' }).createSession();
    const asked = agreeing(session);
    await all(session, message('Plan it'));
    assert.deepEqual([responses(session), asked], [paths.map(() => 'write_file error'), []]);
  });

  it('writes no plan in a folder that is not trusted', async () => {
    agent.endpoint.reply(write('plan.md'));
    agent.endpoint.reply('done');
    const session = await open({ approvalMode: 'plan', trusted: false }).createSession();
    const asked = agreeing(session);
    await all(session, message('Plan it'));
    assert.deepEqual([responses(session), asked], [['write_file error'], []]);
    await assert.rejects(readFile(planOf(session)));
  });

  it('names the approved plan from then on, and in plan mode again', async () => {
    const instruction = () => JSON.stringify(agent.endpoint.requests.at(-1)?.body.systemInstruction);
    agent.endpoint.reply(write('plan.md'));
    agent.endpoint.reply(call('exit_plan_mode', { plan_filename: 'plan.md' }));
    agent.endpoint.reply('done');
    const session = await open({ approvalMode: 'plan' }).createSession();
    agreeing(session);
    await all(session, message('Plan it'));
    assert.match(instruction(), /The user approved the plan in [^ ]*plan\.md/);
    await session.send({ update: { config: { approvalMode: 'plan' } } });
    agent.endpoint.reply('done');
    await all(session, message('Plan more'));
    assert.match(instruction(), /You are in plan mode.*An earlier plan was approved: [^ ]*plan\.md/s);
  });

  it('can be left by the user at any time, also while they are asked about the plan', async () => {
    agent.endpoint.reply(write('plan.md'));
    agent.endpoint.reply(call('exit_plan_mode', { plan_filename: 'plan.md' }));
    agent.endpoint.reply('done');
    const service = open({ approvalMode: 'plan' });
    const session = await service.createSession();
    session.subscribe((event) => {
      if (event.type !== 'elicitation_request') return;
      void session
        .send({ update: { config: { approvalMode: 'autoEdit' } } })
        .then(() => session.send(answer(event.requestId, 'accept')));
    });
    await all(session, message('Plan it'));
    assert.deepEqual(responses(session), ['write_file ok', 'exit_plan_mode ok']);
    assert.equal(service.session(idOf(session)).approvalMode, 'autoEdit');
  });

  it('refuses the same file once plan mode is off', async () => {
    agent.endpoint.reply(write('plan.md'));
    agent.endpoint.reply('done');
    const service = open({ approvalMode: 'plan' });
    const session = await service.createSession();
    await all(session, message('Plan it'));
    agent.endpoint.reply(write(planOf(session)));
    agent.endpoint.reply('done');
    await session.send({ update: { config: { approvalMode: 'autoEdit' } } });
    await all(session, message('Again'));
    assert.deepEqual(responses(session), ['write_file ok', 'write_file error']);
  });

  const planned = (): void => {
    agent.endpoint.reply(write('plan.md'));
    agent.endpoint.reply(call('exit_plan_mode', { plan_filename: 'plan.md' }));
  };
  const yes = (requestId: string, content: Readonly<Record<string, unknown>>) => ({
    elicitations: [{ requestId, action: 'accept' as const, content: { decision: 'once', ...content } }],
  });
  const told = () => JSON.stringify(agent.endpoint.requests.at(-1)?.toolResults);

  it('hands the plan over as the user changed it, in the mode that they chose', async () => {
    planned();
    agent.endpoint.reply('done');
    const service = open({ approvalMode: 'plan' });
    const session = await service.createSession();
    session.subscribe((event) => {
      if (event.type !== 'elicitation_request') return;
      void session.send(yes(event.requestId, { plan: '1. Ask first.', approvalMode: 'autoEdit' }));
    });
    await all(session, message('Plan it'));
    assert.match(told(), /as the user changed it.*1\. Ask first\./);
    assert.doesNotMatch(told(), /1\. Look/);
    assert.equal(service.session(idOf(session)).approvalMode, 'autoEdit');
    assert.equal(await readFile(planOf(session), 'utf8'), '1. Ask first.');
  });

  it('offers from one step to the next what the mode has', async () => {
    agent.endpoint.reply(call('enter_plan_mode', {}));
    planned();
    agent.endpoint.reply('done');
    const session = await open().createSession();
    agreeing(session);
    await all(session, message('Plan it'));
    assert.deepEqual(
      agent.endpoint.requests.map(({ toolNames }) => toolNames.filter((name) => name.endsWith('plan_mode'))),
      [['enter_plan_mode'], ['exit_plan_mode'], ['exit_plan_mode'], ['enter_plan_mode']],
    );
  });

  it('waits with its plan over a reload, and ends with the yes', async () => {
    planned();
    agent.endpoint.reply('done');
    const service = open({ approvalMode: 'plan' });
    const before = await service.createSession();
    void before.send(message('Plan it'));
    await untilEvent(before, ({ type }) => type === 'elicitation_request');
    await service.dispose();
    const later = open({ approvalMode: 'plan' });
    const session = await later.resumeSession(idOf(before));
    assert.equal(later.session(idOf(session)).approvalMode, 'plan');
    const over = untilEvent(session, ({ type }) => type === 'agent_end');
    await session.send(yes(openQuestions(session)[0] ?? '', { plan: '1. Ask first.' }));
    await over;
    assert.match(told(), /1\. Ask first\./);
    assert.equal(later.session(idOf(session)).approvalMode, 'default');
  });

  it('continues after a no, with the reason, and can be left with or without another plan', async () => {
    planned();
    agent.endpoint.reply('I will think again.');
    const service = open({ approvalMode: 'plan' });
    const session = await service.createSession();
    session.subscribe((event) => {
      if (event.type !== 'elicitation_request') return;
      const no = { requestId: event.requestId, action: 'decline' as const, content: { reason: 'Too vague' } };
      void session.send({ elicitations: [no] });
    });
    await all(session, message('Plan it'));
    assert.match(told(), /Too vague/);
    assert.equal(service.session(idOf(session)).approvalMode, 'plan');
    await session.send({ update: { config: { approvalMode: 'default' } } });
    agent.endpoint.reply('done');
    await all(session, message('Do it'));
    assert.equal(service.session(idOf(session)).approvalMode, 'default');
    assert.ok(agent.endpoint.requests.at(-1)?.toolNames.includes('enter_plan_mode'));
  });

  it('is left by the user also where nothing is kept and no plan can be written', async () => {
    planned();
    agent.endpoint.reply('I cannot.');
    const tools = [createEnterPlanModeTool(), createExitPlanModeTool(), createWriteFileTool()];
    const { sessions: kept, ...host } = testHost({ roots: [agent.workspace], approvalMode: 'plan' });
    const environment = { GOOGLE_GEMINI_BASE_URL: agent.endpoint.url };
    const service = new AgentService({ ...host, environment, sessions: { ...kept, folder: undefined } }, () => tools);
    const session = await service.createSession();
    await all(session, message('Plan it'));
    assert.deepEqual(responses(session), ['write_file error', 'exit_plan_mode error']);
    await session.send({ update: { config: { approvalMode: 'default' } } });
    assert.equal(service.session(idOf(session)).approvalMode, 'default');
    await service.dispose();
  });
});
