import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { HookEvent } from '../../../extension/hooks/hook-types.ts';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import { Transcript } from '../../../extension/protocol/transcript/transcript.ts';
import { idOf, useAgent } from '../../support/agent.ts';
import { all, message, outline, testTool, until } from '../../support/conversation.ts';
import { call, thought } from '../../support/gemini/script.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';
import { forEvents, prints, settingsWith } from '../hooks/hook-builders.ts';

describe('Hooks in a conversation', () => {
  const agent = useAgent();
  let home: TempWorkspace;
  beforeEach(async () => {
    home = await createTempWorkspace();
  });
  afterEach(() => home.dispose());

  const environment = () => ({
    GOOGLE_GEMINI_BASE_URL: agent.endpoint.url,
    GEMINI_CLI_HOME: home.path,
    PATH: process.env['PATH'] ?? '',
  });
  const service = (tools = [testTool('look', 'read', () => Promise.resolve({ content: 'seen' }))], trusted = true) =>
    agent.open(tools, { environment: environment(), trusted });
  const open = async (commands: Partial<Record<HookEvent, string>>): Promise<AgentSession> => {
    await home.write(settingsWith(forEvents(commands)));
    return service().createSession();
  };
  const texts = (request = 0): (string | undefined)[] =>
    agent.endpoint.requests
      .filter((each) => !each.asksForTitle)
      [request]?.contents.flatMap(({ parts = [] }) => parts.map(({ text }) => text)) ?? [];
  const answered = () => agent.endpoint.requests.filter((each) => !each.asksForTitle).length;
  /** With the requests that rate a message or ask for a title. */
  const sentAtAll = () => {
    const { requests, titleRequests, routeRequests } = agent.endpoint;
    return [...requests, ...titleRequests, ...routeRequests].map(({ lastUserText }) => lastUserText);
  };
  const ended = ({ events }: AgentSession) => events.findLast((event) => event.type === 'agent_end');
  const adds = (additionalContext: string): string => prints({ hookSpecificOutput: { additionalContext } });

  it('add to a message what the model and the reader both see, live and later', async () => {
    agent.endpoint.reply('ok');
    const session = await open({ BeforeAgent: adds('It <rains>.') });
    await all(session, message('Hi'));
    assert.deepEqual(texts(), ['Hi', '<hook_context>It &lt;rains&gt;.</hook_context>']);
    assert.ok(outline(session.events).includes('developer: It <rains>.'));
    const transcript = new Transcript();
    for (const event of session.events) transcript.apply(event);
    assert.ok(transcript.entries.some((entry) => entry.kind === 'note' && /added: It <rains>\./.test(entry.text)));
    await until(session, 'session_update A title');
    const live = session.events.slice();
    const id = idOf(session);
    const later = service();
    const again = await later.forkSession(id);
    assert.deepEqual(outline(again.events), outline(live));
  });

  it('stop before the model is asked', async () => {
    const session = await open({ BeforeAgent: prints({ continue: false, stopReason: 'Not today' }) });
    await all(session, message('Hi'));
    assert.equal(answered(), 0);
    assert.deepEqual(ended(session), {
      ...ended(session),
      reason: 'completed',
      data: { code: 'AGENT_EXECUTION_STOPPED', message: 'Not today' },
    });
  });

  it('keep a message from the model for good', async () => {
    const guard = 'grep -q hunter2 && { echo "No secrets" >&2; exit 2; }; exit 0';
    const session = await open({ BeforeAgent: guard });
    await all(session, message('my password is hunter2'));
    assert.equal(answered(), 0);
    const blocked = session.events.find((event) => event.type === 'error');
    assert.deepEqual(
      [blocked?.status, blocked?.fatal, blocked?._meta?.['code']],
      ['PERMISSION_DENIED', false, 'AGENT_EXECUTION_BLOCKED'],
    );
    await assert.rejects(session.send({ action: { type: 'retry', data: undefined } }), /blocked your message/);
    agent.endpoint.reply('ok');
    await all(session, message('hello'));
    assert.deepEqual(texts(), ['hello']);
    assert.ok(!JSON.stringify(agent.endpoint.requests.map(({ body }) => body)).includes('hunter2'));
  });

  it('have the agent continue until they are content', async () => {
    agent.endpoint.reply('first');
    agent.endpoint.reply('second');
    const command = `cat > turn-$(date +%s%N).json; [ -e again ] && exit 0; touch again; echo 'Run the tests' >&2; exit 2`;
    const session = await open({ AfterAgent: `tee seen.json | (${command})` });
    await all(session, message('Do it'));
    assert.deepEqual(texts(1), ['Do it', 'first', 'Run the tests']);
    assert.equal(ended(session)?.reason, 'completed');
    const seen = JSON.parse(await readFile(join(agent.workspace, 'seen.json'), 'utf8'));
    assert.deepEqual([seen.prompt, seen.prompt_response, seen.stop_hook_active], ['Do it', 'first\nsecond', true]);
  });

  it('end the agent and forget what was said', async () => {
    agent.endpoint.reply('first');
    agent.endpoint.reply('second');
    const clears = { continue: false, stopReason: 'Done', hookSpecificOutput: { clearContext: true } };
    const session = await open({ AfterAgent: prints(clears) });
    await all(session, message('one'));
    assert.deepEqual(ended(session)?.data, { code: 'AGENT_EXECUTION_STOPPED', message: 'Done' });
    await all(session, message('two'));
    assert.deepEqual(texts(1), ['two']);
  });

  it('change the request', async () => {
    agent.endpoint.reply('ok');
    const llm_request = { model: 'gemini-other', messages: [{ role: 'user', content: 'Bye' }], config: { topK: 7 } };
    const session = await open({ BeforeModel: prints({ hookSpecificOutput: { llm_request } }) });
    await all(session, message('Hi'));
    assert.deepEqual(texts(), ['Bye']);
    assert.equal(agent.endpoint.requests[0]?.model, 'gemini-other');
    assert.ok(agent.endpoint.requests[0]?.systemText, 'the rest of the request stays');
    assert.ok(outline(session.events).includes('user: Hi'));
  });

  it('change what is rated to choose a model, too', async () => {
    agent.endpoint.reply('ok');
    const llm_request = { messages: [{ role: 'user', content: 'Bye' }] };
    await all(await open({ BeforeModel: prints({ hookSpecificOutput: { llm_request } }) }), message('Hi'));
    assert.deepEqual(JSON.parse(agent.endpoint.routeRequests[0]?.lastUserText ?? ''), [{ from: 'user', text: 'Bye' }]);
  });

  it('answer instead of the model', async () => {
    const llm_response = { candidates: [{ content: { role: 'model', parts: ['Canned'] } }] };
    const refusal = prints({ decision: 'deny', reason: 'Offline', hookSpecificOutput: { llm_response } });
    const session = await open({ BeforeModel: `[ -e once ] && exit 0; touch once; ${refusal}` });
    await all(session, message('Hi'));
    assert.deepEqual(sentAtAll(), []);
    assert.deepEqual(outline(session.events).slice(3), ['error', 'agent: Canned', 'agent_end completed']);
    agent.endpoint.reply('ok');
    await all(session, message('And?'));
    // Asked for after the first exchange, it would be here by now.
    assert.equal(agent.endpoint.titleRequests.length, 0, 'no title is asked for what a hook kept from the model');
  });

  it('refuse a request', async () => {
    const session = await open({ BeforeModel: prints({ decision: 'deny', reason: 'Too costly' }) });
    await all(session, message('Hi'));
    assert.deepEqual(sentAtAll(), []);
    assert.deepEqual(outline(session.events).slice(3), ['error', 'agent_end completed']);
  });

  it('replace words for the reader and for what the model is sent later', async () => {
    agent.endpoint.reply(thought('Which key?'), 'The key is hunter2.');
    agent.endpoint.reply('ok');
    const replaces = prints({
      hookSpecificOutput: { llm_response: { candidates: [{ content: { parts: ['The key is ***.'] } }] } },
    });
    const session = await open({ AfterModel: `if grep -q hunter2; then ${replaces}; fi` });
    await all(session, message('Hi'));
    const said = outline(session.events).filter((line) => /^(agent|thought):/.test(line));
    assert.deepEqual(said, ['thought: Which key?', 'agent: The key is ***.']);
    await all(session, message('And?'));
    assert.deepEqual(texts(1), ['Hi', 'Which key?', 'The key is ***.', 'And?']);
  });

  it('stop an answer before its calls run', async () => {
    let ran = false;
    const look = testTool('look', 'read', () => {
      ran = true;
      return Promise.resolve({ content: 'seen' });
    });
    agent.endpoint.reply('Let me look.', call('look'));
    const stops = prints({ continue: false, stopReason: 'Enough' });
    await home.write(settingsWith(forEvents({ AfterModel: `if grep -q finishReason; then ${stops}; fi` })));
    const session = await service([look]).createSession();
    await all(session, message('Hi'));
    assert.equal(ran, false);
    assert.deepEqual(ended(session)?.data, { code: 'AGENT_EXECUTION_STOPPED', message: 'Enough' });
    assert.equal(answered(), 1);
  });

  it('choose the tools', async () => {
    agent.endpoint.reply('ok');
    const toolConfig = { mode: 'ANY', allowedFunctionNames: ['look'] };
    const session = await open({ BeforeToolSelection: prints({ hookSpecificOutput: { toolConfig } }) });
    await all(session, message('Hi'));
    assert.deepEqual(JSON.parse(JSON.stringify(agent.endpoint.requests[0]?.body))['toolConfig'], {
      functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['look'] },
    });
  });

  it('greet a session with its first message, and say goodbye', async () => {
    agent.endpoint.reply('ok');
    const log = `echo "$(cat)" >> ${join(home.path, 'events')}`;
    await home.write(settingsWith(forEvents({ SessionStart: `${log}; ${adds('Welcome')}`, SessionEnd: log })));
    const window = service();
    const session = await window.createSession();
    await assert.rejects(readFile(join(home.path, 'events')), 'nothing runs before a message');
    await all(session, message('Hi'));
    assert.deepEqual(texts(), ['<hook_context>Welcome</hook_context>', 'Hi']);
    await window.closeSession(idOf(session));
    const seen = (await readFile(join(home.path, 'events'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      seen.map(({ hook_event_name, source, reason }) => [hook_event_name, source ?? reason]),
      [
        ['SessionStart', 'startup'],
        ['SessionEnd', 'exit'],
      ],
    );
  });

  it('of a project require approval, and none runs in Restricted Mode', async () => {
    const marks = `touch ${join(home.path, 'ran')}`;
    const everything = forEvents({ BeforeAgent: marks, BeforeModel: marks, AfterModel: marks, SessionStart: marks });
    const project = await createTempWorkspace(settingsWith(everything));
    agent.endpoint.reply('ok');
    const options = { environment: environment(), roots: [project.path] };
    const session = await agent.open([], options).createSession();
    const warned: string[] = [];
    session.subscribe((event) => event.type === 'error' && warned.push(event._meta?.problem?.title ?? ''));
    await all(session, message('Hi'));
    await assert.rejects(readFile(join(home.path, 'ran')));
    assert.deepEqual(warned, ['4 hooks require approval']);

    await home.write(settingsWith(everything));
    agent.endpoint.reply('ok');
    await all(await agent.open([], { ...options, trusted: false }).createSession(), message('Hi'));
    await assert.rejects(readFile(join(home.path, 'ran')));

    await home.write(settingsWith({}));
    const trusting = agent.open([], options);
    await trusting.hooks.refresh();
    await trusting.hooks.accept(trusting.hooks.waiting.map(({ hash }) => hash));
    agent.endpoint.reply('ok');
    await all(await trusting.createSession(), message('Hi'));
    assert.equal(await readFile(join(home.path, 'ran'), 'utf8'), '');
    await project.dispose();
  });
});
