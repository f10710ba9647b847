import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ApprovalMode } from '../../../extension/protocol/agent/approval-mode.ts';
import { plainText } from '../../../extension/protocol/agent/content-part.ts';
import { ProblemError } from '../../../extension/protocol/agent/problem.ts';
import { useAgent } from '../../support/agent.ts';
import { all, message, testTool } from '../../support/conversation.ts';
import { call } from '../../support/gemini/script.ts';
import { Subagents, toolsOf } from '../../support/subagents.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';
import type { TestHostOptions } from '../../support/test-host.ts';

const FILES = { defaults: 'system-defaults.json', user: '.gemini/settings.json', system: 'system.json' } as const;
type Layer = keyof typeof FILES | 'project';

describe('What settings of Gemini CLI forbid in a conversation', () => {
  const agent = useAgent();
  const subagents = new Subagents(agent);
  let home: TempWorkspace;
  let ran: string[];
  beforeEach(async () => {
    home = await createTempWorkspace();
    ran = [];
  });
  afterEach(() => home.dispose());

  const tool = (name: string, kind: 'read' | 'other') =>
    testTool(name, kind, () => {
      ran.push(name);
      return Promise.resolve({ content: 'done' });
    });
  const environment = () => ({
    GOOGLE_GEMINI_BASE_URL: agent.endpoint.url,
    GEMINI_CLI_HOME: home.path,
    GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(home.path, FILES.system),
  });
  const open = (options: TestHostOptions = {}) =>
    agent.open(toolsOf(tool('look', 'read'), tool('act', 'other')), { environment: environment(), ...options });
  /** The file that was written. */
  const settings = async (layer: Layer, fields: object): Promise<string> => {
    const file = layer === 'project' ? join(agent.workspace, FILES.user) : join(home.path, FILES[layer]);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify(fields));
    return file;
  };

  for (const layer of ['defaults', 'user', 'project', 'system'] as const) {
    for (const tools of [{ exclude: ['act'] }, { core: ['look', 'invoke_agent'] }]) {
      it(`${JSON.stringify(tools)} in the ${layer} file counts in every mode`, async () => {
        const file = await settings(layer, { tools });
        const service = open();
        for (const approvalMode of ['default', 'autoEdit', 'yolo'] as const) {
          const session = await service.createSession({ approvalMode });
          agent.endpoint.reply(call('act', {}), call('look', {}));
          agent.endpoint.reply('done');
          const events = await all(session, message('go'));
          const [acted] = events.filter((event) => event.type === 'tool_response');
          assert.ok(acted?.isError, approvalMode);
          assert.ok(plainText(acted.content ?? []).includes(file), plainText(acted.content ?? []));
          assert.ok(!agent.endpoint.requests.at(-1)?.toolNames.includes('act'), 'it is not even offered');
        }
        assert.deepEqual(ran, ['look', 'look', 'look']);
        assert.deepEqual(
          service.listTools().map(({ name }) => name),
          ['look', 'invoke_agent'],
        );
      });
    }
  }

  it('counts in a folder that nobody trusts', async () => {
    await settings('project', { excludeTools: ['look'] });
    const session = await open({ trusted: false }).createSession();
    agent.endpoint.reply(call('look', {}));
    agent.endpoint.reply('done');
    await all(session, message('go'));
    assert.deepEqual([ran, agent.endpoint.requests.at(-1)?.toolNames], [[], []]);
  });

  it('counts for agents too, in yolo mode', async () => {
    await subagents.define('helper');
    await writeFile(join(subagents.home, FILES.user), JSON.stringify({ tools: { exclude: ['act'] } }));
    const service = agent.open(toolsOf(tool('look', 'read'), tool('act', 'other')), {
      environment: { ...environment(), GEMINI_CLI_HOME: subagents.home },
    });
    agent.endpoint.reply(call('invoke_agent', { agent_name: 'helper', prompt: 'Do it' }));
    subagents.script('Do it', call('act', {}), call('complete_task', { result: 'Nothing.' }));
    agent.endpoint.reply('done');
    await all(await service.createSession({ approvalMode: 'yolo' }), message('go'));
    assert.deepEqual(ran, []);
    const ofAgent = agent.endpoint.requests.filter(({ toolNames }) => toolNames.includes('complete_task'));
    assert.ok(ofAgent.length > 0);
    assert.ok(ofAgent.every(({ toolNames }) => !toolNames.includes('act')));
  });

  it('takes effect with the next message when a file changes', async () => {
    const session = await open().createSession({ approvalMode: 'yolo' });
    const go = async (): Promise<void> => {
      agent.endpoint.reply(call('act', {}));
      agent.endpoint.reply('done');
      await all(session, message('go'));
    };
    await go();
    assert.deepEqual(ran, ['act']);
    await settings('user', { tools: { exclude: ['act'] } });
    await go();
    assert.deepEqual(ran, ['act']);
  });

  describe('of modes', () => {
    const isForbidden = (error: unknown): boolean =>
      ProblemError.is(error, 'bad-configuration') &&
      error.message.includes('"security.disableYoloMode" in') &&
      error.message.includes(join(home.path, FILES.user));

    it('keeps yolo from being chosen, by whoever', async () => {
      await settings('user', { security: { disableYoloMode: true } });
      const service = open();
      await assert.rejects(service.createSession({ approvalMode: 'yolo' }), isForbidden);
      const session = await service.createSession();
      await assert.rejects(session.send({ update: { config: { approvalMode: 'yolo' } } }), isForbidden);
      const alone = open({ interactive: false, approvalMode: 'yolo' });
      await assert.rejects(alone.createSession(), isForbidden);
    });

    it('takes yolo away from a session that has it', async () => {
      const service = open();
      const session = await service.createSession({ approvalMode: 'yolo' });
      const modes = (): ApprovalMode => service.session(session.id).approvalMode;
      assert.equal(modes(), 'yolo');
      await settings('system', { admin: { secureModeEnabled: true } });
      agent.endpoint.reply('done');
      await all(session, message('go'));
      assert.equal(modes(), 'default');
    });
  });

  it('of answers leaves "once" alone, and what was saved before does not count', async () => {
    const rule = '[[rule]]\ntoolName = "act"\ndecision = "allow"\npriority = 950\n';
    await home.write({ '.gemini/policies/auto-saved.toml': rule });
    const asks = async (): Promise<readonly string[] | undefined> => {
      const session = await open().createSession();
      agent.endpoint.reply(call('act', {}));
      agent.endpoint.reply('done');
      let offered: readonly string[] | undefined;
      session.subscribe((event) => {
        if (event.type !== 'elicitation_request') return;
        offered = (event._meta?.approval?.grants ?? []).map(({ id }) => id);
        void session.send({ elicitations: [{ requestId: event.requestId, action: 'decline', content: {} }] });
      });
      await all(session, message('go'));
      return offered;
    };
    assert.equal(await asks(), undefined, 'it runs without a question');
    await settings('user', { security: { disableAlwaysAllow: true } });
    assert.deepEqual(await asks(), []);
  });
});
