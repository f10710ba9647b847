import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { idOf, openQuestions, untilAsked, untilEvent, useAgent } from '../../../support/agent.ts';
import { all, answer, drain, message, outline, testTool } from '../../../support/conversation.ts';
import { call } from '../../../support/gemini/script.ts';
import { invoke, readTool, report, responses, Subagents, threadsOf, writeTool } from '../../../support/subagents.ts';

describe('What an agent may do', () => {
  const agent = useAgent();
  const agents = new Subagents(agent);

  /** The smith wants to write, and nobody has answered yet. */
  async function smithAsks() {
    await agents.defineSmith();
    const service = agents.open();
    const session = await service.createSession();
    const run = drain(session.sendStream(message('Go')));
    return { service, session, run, question: await untilAsked(session) };
  }

  it('is never more than the session it works for may do', async () => {
    await agents.define('scout', "tools: ['*', run_shell_command, mcp_docs_find]");
    agents.script('Go', invoke('scout', 'Look'), 'Thanks.');
    agents.script('Look', [call('run_shell_command', { command: 'ls' }), call('write_file')], report('Found.'));
    const session = await agents.open([readTool]).createSession();
    await all(session, message('Go'));
    assert.deepEqual(agents.requestsOf('Look')[0]?.toolNames, ['read_file', 'invoke_agent', 'complete_task']);
    const answers = agents.resultsOf('Look');
    assert.equal(answers.length, 2);
    for (const text of answers) assert.match(text, /There is no tool named/);
  });

  it('omits what only the main agent does', async () => {
    await agents.define('scout');
    agents.script('Go', invoke('scout', 'Look'), 'Thanks.');
    agents.script('Look', report('Found.'));
    const mains = ['update_topic', 'enter_plan_mode', 'exit_plan_mode'].map((name) =>
      testTool(name, 'think', async () => ({ content: '' })),
    );
    await all(await agents.open([readTool, ...mains]).createSession(), message('Go'));
    assert.deepEqual(agents.requestsOf('Look')[0]?.toolNames, ['read_file', 'invoke_agent', 'complete_task']);
  });

  it('follows rules that name it, and no other agent', async () => {
    await agents.define('scout', 'tools: [read_file]');
    await agents.define('guard', 'tools: [read_file]');
    const policy = join(agent.workspace, 'rules.toml');
    await writeFile(
      policy,
      '[[rule]]\ntoolName = "read_file"\nsubagent = "scout"\ndecision = "deny"\npriority = 900\ndenyMessage = "Not you."\n',
    );
    agents.script('Go', [call('read_file'), invoke('scout', 'Look'), invoke('guard', 'Watch')], 'Thanks.');
    agents.script('Look', call('read_file'), report('Could not.'));
    agents.script('Watch', call('read_file'), report('Did.'));
    const session = await agents.open([readTool], { policyPaths: [policy] }).createSession();
    await all(session, message('Go'));
    assert.match(agents.resultsOf('Look').join(), /Not you\./);
    assert.match(agents.resultsOf('Watch').join(), /"output":"read"/);
    assert.equal(responses(session)[0], 'read_file ok');
  });

  it('is asked about in the session it works for, and answered there', async () => {
    const { service, session, run, question } = await smithAsks();
    assert.equal(question.threadId, threadsOf(session)[0]);
    assert.equal(question._meta?.approval?.agent, 'smith');
    assert.deepEqual(
      service.questions.items.map(({ sessionId, requestId }) => [sessionId, requestId]),
      [[idOf(session), openQuestions(session)[0]]],
    );
    assert.equal(service.activityOf(idOf(session)), 'waits');
    await session.send(answer(openQuestions(session)[0] ?? '', 'accept'));
    assert.equal(outline(await run).at(-1), 'agent_end completed');
    assert.deepEqual(service.questions.items, []);
    assert.match(agents.resultsOf('Forge').join(), /"output":"written"/);
  });

  it('is asked about from two levels below, in the same place', async () => {
    await agents.define('outer', 'tools: [invoke_agent, write_file]');
    await agents.define('smith', 'tools: [write_file]');
    agents.script('Go', invoke('outer', 'Organise'), 'Thanks.');
    agents.script('Organise', invoke('smith', 'Forge'), report('Organised.'));
    agents.script('Forge', call('write_file'), report('Forged.'));
    const service = agents.open();
    const session = await service.createSession();
    const run = drain(session.sendStream(message('Go')));
    await untilAsked(session);
    assert.deepEqual(
      service.questions.items.map(({ sessionId }) => sessionId),
      [idOf(session)],
    );
    await session.send(answer(openQuestions(session)[0] ?? '', 'decline'));
    assert.equal(outline(await run).at(-1), 'agent_end completed');
    assert.match(agents.resultsOf('Forge').join(), /user refused this call/);
  });

  it('is not asked about any more when the session it works for is stopped', async () => {
    const { service, session, run, question } = await smithAsks();
    const withdrawn = untilEvent(session, (event) => event.type === 'elicitation_response');
    await session.abort();
    assert.equal(outline(await run).at(-1), 'agent_end aborted');
    const end = await withdrawn;
    assert.ok(end.type === 'elicitation_response');
    assert.deepEqual([end.action, end.threadId], ['cancel', question.threadId]);
    assert.deepEqual([openQuestions(session), service.questions.items], [[], []]);
    assert.equal(agents.requestsOf('Forge').length, 1);
  });

  it('refuses answers as a whole when one of them is wrong', async () => {
    const { session, run } = await smithAsks();
    const [requestId = ''] = openQuestions(session);
    const yes = { requestId, action: 'accept', content: { decision: 'once' } } as const;
    await assert.rejects(session.send({ elicitations: [yes, { ...yes, requestId: 'nobody-asked' }] }));
    assert.deepEqual(openQuestions(session), [requestId]);
    await session.send({ elicitations: [yes] });
    await run;
  });

  it('changes at once with the mode of the session it works for', async () => {
    const { session, run } = await smithAsks();
    await session.send({ update: { config: { approvalMode: 'autoEdit' } } });
    await run;
    assert.match(agents.resultsOf('Forge').join(), /"output":"written"/);
  });

  it('is nothing but reading while a plan is made', async () => {
    agents.script('Go', [invoke('codebase_investigator', 'Look'), invoke('generalist', 'Do')], 'Thanks.');
    agents.script('Look', call('write_file'), report('Could not.'));
    const session = await agents.open([readTool, writeTool], { approvalMode: 'plan' }).createSession();
    await all(session, message('Go'));
    const [refused, done] = responses(session);
    assert.match(refused ?? '', /^invoke_agent invoke_agent is not allowed/);
    assert.equal(done, 'invoke_agent ok');
    assert.equal(agents.requestsOf('Do').length, 0);
    assert.match(agents.resultsOf('Look').join(), /There is no tool named/);
  });

  it('is nothing at all in a folder that is not trusted', async () => {
    agents.script('Go', invoke('codebase_investigator', 'Look'), 'Then not.');
    const session = await agents.open([readTool], { trusted: false }).createSession();
    await all(session, message('Go'));
    assert.deepEqual(threadsOf(session), []);
    assert.match(responses(session).join(), /not trusted/);
  });

  it('does not include files that only another model named', async () => {
    await agents.define('scout', 'tools: [read_file]');
    const look = testTool('read_file', 'read', async (_args, { isNamedByUser }) => ({
      content: `secret ${isNamedByUser('.env')}, public ${isNamedByUser('notes.txt')}`,
    }));
    agents.script('Go on with notes.txt', invoke('scout', 'Read .env and notes.txt'), 'Thanks.');
    agents.script('Read .env and notes.txt', call('read_file'), report('Read.'));
    await all(await agents.open([look]).createSession(), message('Go on with notes.txt'));
    assert.match(agents.resultsOf('Read .env and notes.txt').join(), /secret false, public true/);
  });

  it('leaves the permissions of the session it works for alone, for twenty at once', async () => {
    await agents.define('scout', 'tools: [read_file, web_fetch]');
    const fetching = testTool('web_fetch', 'fetch', async () => ({ content: 'a page' }));
    const tasks = Array.from({ length: 20 }, (_, n) => `Task ${n}`);
    agents.script(
      'Go',
      tasks.map((task) => invoke('scout', task)),
      call('web_fetch'),
      'Thanks.',
    );
    for (const task of tasks) agents.script(task, call('read_file'), call('web_fetch'), report(`${task} done`));
    const service = agents.open([readTool, fetching]);
    const session = await service.createSession();
    const rules = await service.policies.files();
    const byThread = new Map<string | undefined, number>();
    session.subscribe((event) => {
      if (event.type !== 'elicitation_request') return;
      byThread.set(event.threadId, (byThread.get(event.threadId) ?? 0) + 1);
      const decision = event.threadId === undefined ? 'once' : 'session';
      void session.send({ elicitations: [{ requestId: event.requestId, action: 'accept', content: { decision } }] });
    });
    assert.equal(outline(await all(session, message('Go'))).at(-1), 'agent_end completed');
    assert.equal(threadsOf(session).length, 20);
    // Each was asked itself, and so was the session, though all of them had got a yes for their session.
    assert.deepEqual(
      [...byThread.values()],
      Array.from({ length: 21 }, () => 1),
    );
    assert.equal(byThread.get(undefined), 1);
    const { records = [] } = (await service.library?.read(idOf(session))) ?? {};
    assert.deepEqual(
      records.filter(({ type }) => type === 'grant' || type === 'mode'),
      [],
    );
    assert.deepEqual(await service.policies.files(), rules);
    const told = agents.requestsOf('Go')[1];
    assert.deepEqual(
      told?.toolResults.map(({ response }) => /Task \d+ done/.exec(JSON.stringify(response))?.[0]),
      tasks.map((task) => `${task} done`),
    );
  });
});
