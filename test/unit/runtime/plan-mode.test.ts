import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import type { AgentSession } from '../../../extension/protocol/agent-session.ts';
import { createEnterPlanModeTool, createExitPlanModeTool } from '../../../extension/tools/conversation/plan-mode.ts';
import { createWriteFileTool } from '../../../extension/tools/files/write-file.ts';
import { idOf, useAgent } from '../../support/agent.ts';
import { all, answer, message } from '../../support/conversation.ts';
import { call } from '../../support/gemini/script.ts';
import type { TestHostOptions } from '../../support/test-host.ts';

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
    assert.equal(service.modeOf(idOf(session)), 'default');
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
    assert.equal(service.modeOf(idOf(session)), 'autoEdit');
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
});
