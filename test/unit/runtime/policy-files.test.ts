import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Tool } from '../../../extension/ports/tool.ts';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import type { AgentService } from '../../../extension/runtime/agent-service.ts';
import { useAgent } from '../../support/agent.ts';
import { all, message, testTool } from '../../support/conversation.ts';
import { call } from '../../support/gemini/script.ts';
import { eventually } from '../../support/poll.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';
import { type TestHost, testHost } from '../../support/test-host.ts';

const rule = (toolName: string, decision: string, more = ''): string =>
  `[[rule]]\ntoolName = "${toolName}"\ndecision = "${decision}"\npriority = 10\n${more}\n`;

describe('Policy files in a running session', () => {
  const agent = useAgent();
  let home: TempFolder;
  let host: TestHost;
  let paths: string[];
  let roots: string[];
  beforeEach(async () => {
    home = await tempFolder('policy-home');
    [paths, roots] = [[], [agent.workspace]];
  });
  afterEach(() => home.dispose());

  const runs = (name: string, more: Partial<Tool> = {}): Tool => ({
    ...testTool(name, 'other', () => Promise.resolve({ content: 'ran' })),
    ...more,
  });
  const open = (tools: readonly Tool[] = [runs('act'), runs('look')]): AgentService => {
    host = testHost({
      environment: { GOOGLE_GEMINI_BASE_URL: agent.endpoint.url, GEMINI_CLI_HOME: home.path },
      sessions: agent.sessions,
    });
    const { settings, workspace } = host;
    return agent.open(
      tools,
      {},
      {
        ...host,
        settings: { ...settings, policyPaths: () => paths },
        workspace: { ...workspace, roots: () => roots },
      },
    );
  };
  const write = async (folder: string, name: string, text: string): Promise<string> => {
    const policies = join(folder, '.gemini', 'policies');
    await mkdir(policies, { recursive: true });
    await writeFile(join(policies, name), text);
    return join(policies, name);
  };
  /** How the call of a tool ends: it runs, is refused, or asks, which is declined. */
  const outcome = async (session: AgentSession, name: string): Promise<string> => {
    agent.endpoint.reply(call(name, {}));
    agent.endpoint.reply('done');
    let asked = false;
    const stop = session.subscribe((event) => {
      if (event.type !== 'elicitation_request') return;
      asked = true;
      void session.send({ elicitations: [{ requestId: event.requestId, action: 'decline', content: {} }] });
    });
    const events = await all(session, message('go'));
    stop();
    const response = events.find((event) => event.type === 'tool_response');
    return asked ? 'asked' : response?.isError ? 'refused' : 'ran';
  };
  const warnings = (session: AgentSession): string[] => {
    const told: string[] = [];
    session.subscribe((event) => {
      if (event.type === 'error' && !event.fatal) told.push(event.message);
    });
    return told;
  };

  it('count for the next call when they are made, changed and deleted', async () => {
    const service = open();
    const session = await service.createSession();
    const told = warnings(session);
    assert.equal(await outcome(session, 'act'), 'asked');
    const file = await write(home.path, 'mine.toml', '');
    const holds = (text: string | undefined): Promise<unknown> =>
      eventually('the rules to be read', async () => {
        const files = await service.policies.files();
        return files.find(({ path }) => path === file)?.text === text;
      });
    for (const [decision, wanted] of [
      ['allow', 'ran'],
      ['deny', 'refused'],
    ] as const) {
      await writeFile(file, rule('act', decision));
      await holds(rule('act', decision));
      assert.equal(await outcome(session, 'act'), wanted);
    }
    await rm(file);
    await holds(undefined);
    assert.equal(await outcome(session, 'act'), 'asked');
    assert.deepEqual(told, []);
  }).timeout(15_000);

  it('answer a call that waits, as soon as they allow it', async () => {
    const service = open();
    const session = await service.createSession();
    agent.endpoint.reply(call('act', {}));
    agent.endpoint.reply('done');
    const ended = all(session, message('go'));
    await eventually('the question', () => service.questions.items.length === 1);
    await write(home.path, 'mine.toml', rule('act', 'ask_user'));
    await service.policies.reload();
    assert.equal(service.questions.items.length, 1);
    await write(home.path, 'mine.toml', rule('act', 'allow'));
    await service.policies.reload();
    const response = (await ended).find((event) => event.type === 'tool_response');
    assert.equal(response?.isError, false);
  });

  it('are told about once, in every session and in the log, while their sound rules hold', async () => {
    const file = await write(
      home.path,
      'bad.toml',
      `${rule('look', 'deny')}\n${rule('act', 'allow', 'modes = ["auto"]')}`,
    );
    const service = open();
    const [first, second] = [await service.createSession(), await service.createSession()];
    const both = [warnings(first), warnings(second)];
    assert.deepEqual([await outcome(first, 'look'), await outcome(first, 'act')], ['refused', 'asked']);
    assert.equal(await outcome(second, 'look'), 'refused');
    for (const [notice, ...more] of both) {
      assert.ok(notice?.includes(`${file}:11: `), notice);
      assert.match(notice ?? '', /ignored/);
      assert.deepEqual(more, []);
    }
    assert.equal(host.complaints.filter((line) => line.includes(`${file}:11`)).length, 1);
  });

  it('are only logged when nothing is decided differently', async () => {
    await write(home.path, 'typo.toml', rule('red_file', 'deny'));
    const session = await open().createSession();
    const told = warnings(session);
    await outcome(session, 'act');
    assert.deepEqual(told, []);
    assert.equal(host.complaints.filter((line) => line.includes('red_file')).length, 1);
  });

  it('of the workspace that require approval are told about, with what to do', async () => {
    const file = await write(agent.workspace, 'theirs.toml', rule('act', 'allow'));
    const service = open();
    const session = await service.createSession();
    const told = warnings(session);
    const actions: string[] = [];
    session.subscribe((event) => {
      if (event.type === 'error') actions.push(...(event._meta?.problem?.actions ?? []));
    });
    assert.equal(await outcome(session, 'act'), 'asked');
    assert.equal(await outcome(session, 'act'), 'asked');
    assert.equal(told.length, 1);
    assert.match(told[0] ?? '', /theirs\.toml:1: 1 rule allows calls. It counts only after you approve the file\./);
    assert.deepEqual(actions, ['open-policies']);
    await service.policies.accept(file);
    assert.equal(await outcome(session, 'act'), 'ran');
  });

  it('follow trust, folders and settings', async () => {
    await write(agent.workspace, 'theirs.toml', rule('look', 'deny'));
    const session = await open([runs('act'), runs('look', { kind: 'read' })]).createSession();
    assert.equal(await outcome(session, 'look'), 'refused');
    host.trusted = false;
    assert.equal(await outcome(session, 'look'), 'ran');
    host.trusted = true;
    assert.equal(await outcome(session, 'look'), 'refused');
    roots = [];
    assert.equal(await outcome(session, 'look'), 'ran');
    const more = join(home.path, 'more.toml');
    await writeFile(more, rule('look', 'deny'));
    paths = [more];
    assert.equal(await outcome(session, 'look'), 'refused');
  });

  it('do not take the word of a server for what its tools are', async () => {
    const tools = [runs('mcp_srv_get', { kind: 'read', server: 'srv', annotations: { kind: 'read' } })];
    const session = await open(tools).createSession();
    assert.equal(await outcome(session, 'mcp_srv_get'), 'asked');
  });
});
