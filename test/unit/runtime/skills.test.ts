import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import { AgentService } from '../../../extension/runtime/agent-service.ts';
import { productTools } from '../../../extension/tools/product-tools.ts';
import { idOf, useAgent } from '../../support/agent.ts';
import { all, answer, message } from '../../support/conversation.ts';
import { call } from '../../support/gemini/script.ts';
import { type TestHostOptions, testHost } from '../../support/test-host.ts';

describe('Skills in a conversation', () => {
  const agent = useAgent();
  const home = () => join(agent.sessions, '..');
  const open = (options: TestHostOptions = {}): AgentService => {
    const environment = { GOOGLE_GEMINI_BASE_URL: agent.endpoint.url, GEMINI_CLI_HOME: home() };
    const host = testHost({ environment, sessions: agent.sessions, roots: [agent.workspace], ...options });
    return new AgentService(host, productTools);
  };
  const write = async (folder: string, name: string, text: string) => {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), text);
  };
  const skill = (name: string) => `---\nname: ${name}\ndescription: About ${name}.\n---\nFollow me.\n`;
  /** Says this to every question, and remembers what was asked. */
  const saying = (session: AgentSession, action: 'accept' | 'decline'): string[] => {
    const asked: string[] = [];
    session.subscribe((event) => {
      if (event.type !== 'elicitation_request') return;
      asked.push(event._meta?.approval?.why ?? '');
      void session.send(answer(event.requestId, action));
    });
    return asked;
  };
  const responses = ({ events }: AgentSession) =>
    events.flatMap((event) =>
      event.type === 'tool_response' ? [`${event.name} ${event.isError ? 'error' : 'ok'}`] : [],
    );
  const instruction = (at: number) => JSON.stringify(agent.endpoint.requests.at(at)?.body.systemInstruction);
  const script = (...steps: readonly ReturnType<typeof call>[]) => {
    for (const step of steps) agent.endpoint.reply(step);
    agent.endpoint.reply('done');
  };

  it('are listed, activated after approval, and their files are readable from then on, also after a restart', async () => {
    await write(home(), '.gemini/skills/release/SKILL.md', skill('release'));
    await write(home(), '.gemini/skills/release/steps.md', 'Step one.');
    const read = call('read_file', { file_path: join(home(), '.gemini/skills/release/steps.md') });
    script(read, call('activate_skill', { name: 'release' }), read);
    const first = open();
    const session = await first.createSession();
    saying(session, 'accept');
    await all(session, message('Release it'));
    assert.match(instruction(0), /- release: About release\./);
    assert.deepEqual(responses(session), ['read_file error', 'activate_skill ok', 'read_file ok']);
    await first.dispose();

    script(read);
    const second = open();
    const resumed = await second.resumeSession(idOf(session));
    await all(resumed, message('Again'));
    assert.equal(responses(resumed).at(-1), 'read_file ok');
    await second.dispose();
  });

  it('of a project require approval even where everything runs, and no second one until they change', async () => {
    await write(agent.workspace, '.gemini/skills/x/SKILL.md', skill('x'));
    const activate = call('activate_skill', { name: 'x' });
    const service = open();
    const ask = async (): Promise<readonly string[]> => {
      const session = await service.createSession({ approvalMode: 'yolo' });
      const asked = saying(session, 'accept');
      script(activate);
      await all(session, message('Do it'));
      assert.deepEqual(responses(session), ['activate_skill ok']);
      return asked;
    };
    assert.match((await ask()).join(), /You have not approved it as it is now\./);
    assert.deepEqual(await ask(), []);
    await write(agent.workspace, '.gemini/skills/x/SKILL.md', skill('x').replace('Follow', 'Obey'));
    assert.equal((await ask()).length, 1);
    await service.dispose();
  });

  it('are not followed after a no', async () => {
    await write(agent.workspace, '.agents/skills/x/SKILL.md', skill('x'));
    script(call('activate_skill', { name: 'x' }));
    const service = open();
    const session = await service.createSession();
    saying(session, 'decline');
    await all(session, message('Do it'));
    assert.deepEqual(responses(session), ['activate_skill error']);
    assert.doesNotMatch(JSON.stringify(agent.endpoint.requests.at(-1)?.body.contents), /Follow me/);
    await service.dispose();
  });

  it('can be activated while a plan is made', async () => {
    await write(home(), '.gemini/skills/x/SKILL.md', skill('x'));
    script(call('activate_skill', { name: 'x' }));
    const service = open({ approvalMode: 'plan' });
    const session = await service.createSession();
    saying(session, 'accept');
    await all(session, message('Plan it'));
    assert.deepEqual(responses(session), ['activate_skill ok']);
    await service.dispose();
  });

  it('are neither listed nor offered in Restricted Mode, or when there are none', async () => {
    const offered = () => JSON.stringify(agent.endpoint.requests.at(-1)?.body.tools);
    const hello = async (options: TestHostOptions) => {
      const service = open(options);
      script();
      await all(await service.createSession(), message('Hello'));
      await service.dispose();
    };
    await hello({});
    assert.doesNotMatch(offered(), /activate_skill/);
    await write(agent.workspace, '.gemini/skills/x/SKILL.md', skill('x'));
    await hello({ trusted: false });
    assert.doesNotMatch(offered() + instruction(-1), /activate_skill|About x/);
    await hello({});
    assert.match(offered(), /activate_skill/);
  });

  it('that are broken are told once, with file and line', async () => {
    await write(agent.workspace, '.gemini/skills/x/SKILL.md', '---\nname: x\n---\n');
    const service = open();
    const session = await service.createSession();
    const told: string[] = [];
    session.subscribe((event) => {
      if (event.type === 'error') told.push(event._meta?.problem?.detail ?? '');
    });
    script();
    await all(session, message('Hello'));
    script();
    await all(session, message('Hello again'));
    assert.equal(told.filter((text) => text.includes('SKILL.md:2: ')).length, 1);
    await service.dispose();
  });
});
