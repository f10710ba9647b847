import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import type { AgentSession } from '../../../../extension/protocol/agent/agent-session.ts';
import type { AgentService } from '../../../../extension/runtime/agent-service.ts';
import { openQuestions, untilAsked, useAgent } from '../../../support/agent.ts';
import { all, allowFirst, drain, message, outline } from '../../../support/conversation.ts';
import { call } from '../../../support/gemini/script.ts';
import { installExtension } from '../../../support/gemini-extensions.ts';
import { stdio } from '../../../support/mcp/stdio.ts';
import { eventually } from '../../../support/poll.ts';
import { isRunning, untilEnded } from '../../../support/running.ts';
import { invoke, readTool, report, responses, Subagents } from '../../../support/subagents.ts';
import type { TestHostOptions } from '../../../support/test-host.ts';

describe('MCP servers of an agent', () => {
  const agent = useAgent();
  const agents = new Subagents(agent);

  const starts = async (): Promise<number[]> =>
    (await readFile(join(agent.workspace, 'starts'), 'utf8').catch(() => '')).split('\n').filter(Boolean).map(Number);
  const counted = (more: Readonly<Record<string, unknown>> = {}, manner = 'good'): unknown =>
    stdio(manner, more, join(agent.workspace, 'starts'));
  /** A line of front matter: what is JSON is YAML too. */
  const servers = (named: Readonly<Record<string, unknown>>): string => `mcp_servers: ${JSON.stringify(named)}`;
  const open = (options: TestHostOptions = {}): AgentService => agents.open([readTool], options);
  const ofServers = (first: string, turn = 0): string[] =>
    (agents.requestsOf(first)[turn]?.toolNames ?? []).filter((name) => name.includes('mcp'));
  const told = (first: string): string =>
    JSON.stringify(agents.requestsOf(first).flatMap(({ toolResults }) => toolResults));
  const ofProject = async (name: string, line: string): Promise<void> => {
    const folder = join(agent.workspace, '.gemini', 'agents');
    await mkdir(folder, { recursive: true });
    await writeFile(
      join(folder, `${name}.md`),
      `---\nname: ${name}\ndescription: The ${name}\n${line}\n---\nYou work.\n`,
    );
  };
  /** The agent counts with its server and reports. */
  const counts = (name: string, server = 'own'): void => {
    agents.script('Go', invoke(name, 'Count'), 'Thanks.');
    agents.script('Count', call(`mcp_${server}_count`), report('Counted.'));
  };
  const notices = (session: AgentSession): string[] => {
    const seen: string[] = [];
    session.subscribe((event) => {
      if (event.type === 'error') seen.push(JSON.stringify(event));
    });
    return seen;
  };

  it('are started when it begins to work, for it alone, and end with it', async () => {
    await agents.define('scout', 'tools: [read_file]', servers({ own: counted({ exclude_tools: ['die'] }) }));
    counts('scout');
    const service = open();
    const session = await service.createSession();
    assert.deepEqual(await starts(), []);
    const run = drain(session.sendStream(message('Go')));
    const asked = await untilAsked(session);
    const [pid = 0, ...others] = await starts();
    assert.ok(isRunning(pid) && others.length === 0);
    assert.deepEqual(asked._meta?.approval?.details, {
      type: 'mcp',
      server: 'own',
      tool: 'count',
      args: '{}',
    });
    await allowFirst(session);
    await run;
    assert.match(told('Count'), /untrusted_context>\\n1\\n/);
    assert.ok(ofServers('Count').includes('mcp_own_echo') && !ofServers('Count').includes('mcp_own_die'));
    assert.deepEqual([ofServers('Go'), ofServers('Go', 1)], [[], []]);
    assert.deepEqual([service.mcp.statuses, service.mcp.tools()], [[], []]);
    await untilEnded(pid);
  });

  it('are its own each time it works, and gone when it is stopped', async () => {
    await agents.define('scout', servers({ own: counted({ trust: true }) }));
    agents.script('Go', [invoke('scout', 'Wait'), invoke('scout', 'Wait too')]);
    for (const task of ['Wait', 'Wait too']) agents.script(task, call('mcp_own_slow', { steps: 10_000 }));
    const session = await open().createSession();
    const run = drain(session.sendStream(message('Go')));
    await new Promise<void>((resolve) => {
      const stop = session.subscribe((event) => {
        if (event.type !== 'tool_update' || event.display?.resultSummary === undefined) return;
        stop();
        resolve();
      });
    });
    const first = await starts();
    assert.ok(first.length > 0 && first.every(isRunning));
    await session.abort();
    await run;
    await eventually('the end of all', async () => !(await starts()).some(isRunning));
  });

  it('go with the window', async () => {
    await agents.define('scout', servers({ own: counted() }));
    counts('scout');
    const service = open();
    const session = await service.createSession();
    void drain(session.sendStream(message('Go'))).catch(() => undefined);
    await untilAsked(session);
    const pids = await starts();
    assert.ok(pids.length === 1 && pids.every(isRunning));
    await service.dispose();
    await Promise.all(pids.map(untilEnded));
  });

  it('run unasked where the user trusts them in a file of their own', async () => {
    await agents.define('scout', servers({ own: counted({ trust: true }) }));
    counts('scout');
    const session = await open().createSession();
    await all(session, message('Go'));
    assert.deepEqual(openQuestions(session), []);
    assert.match(told('Count'), /untrusted_context>\\n1\\n/);
  });

  it('of a project start after approval of the file, which cannot say that they are trusted', async () => {
    await ofProject('theirs', servers({ own: counted({ trust: true }) }));
    counts('theirs');
    const service = open();
    const session = await service.createSession();
    await all(session, message('Go'));
    assert.match(responses(session).join(), /theirs/);
    assert.deepEqual(await starts(), []);

    const [waiting] = service.agents.waiting;
    assert.match(waiting?.text ?? '', /stdio-server/);
    if (waiting) await service.agents.accept(waiting);
    const again = await service.createSession();
    const run = drain(again.sendStream(message('Go')));
    await allowFirst(again);
    await run;
    assert.match(told('Count'), /untrusted_context>\\n1\\n/);
    assert.equal((await starts()).length, 1);
  });

  it('of an extension find its folder, and say whose they are where they are asked about', async () => {
    const line = servers({ own: counted({ trust: true, env: { WHERE: `\${extensionPath}` } }) });
    const text = `---\nname: theirs\ndescription: Theirs\n${line}\n---\nYou work.\n`;
    const folder = await installExtension(agents.home, 'issues', { 'agents/theirs.md': text });
    agents.script('Go', invoke('theirs', 'Tell'), 'Thanks.');
    agents.script('Tell', call('mcp_own_environment', { name: 'WHERE' }), report('Told.'));
    const service = open();
    const session = await service.createSession();
    for (const waiting of service.agents.waiting) await service.agents.accept(waiting);
    const run = drain(session.sendStream(message('Go')));
    const asked = await untilAsked(session);
    assert.match(JSON.stringify(asked), /\(own, extension issues\)/);
    await allowFirst(session);
    await run;
    assert.ok(told('Tell').includes(folder));
  });

  it('do not start in Restricted Mode, in which no agent works', async () => {
    await agents.define('scout', servers({ own: counted({ trust: true }) }));
    await ofProject('theirs', servers({ own: counted() }));
    agents.script('Go', [invoke('scout', 'Count'), invoke('theirs', 'Count')], 'Thanks.');
    agents.script('Count', call('mcp_own_count'), report('Could not.'));
    const session = await open({ trusted: false }).createSession();
    await all(session, message('Go'));
    assert.match(responses(session).join(), /off because this folder is not trusted/);
    assert.deepEqual([agents.requestsOf('Count'), await starts()], [[], []]);
  });

  it('are not there for an agent that works for it', async () => {
    await agents.define('chief', servers({ own: counted({ trust: true }) }));
    await agents.define('helper');
    agents.script('Go', invoke('chief', 'Lead'), 'Thanks.');
    agents.script('Lead', call('mcp_own_count'), invoke('helper', 'Help'), report('Led.'));
    agents.script('Help', call('mcp_own_count'), report('Helped.'));
    const session = await open({ mcpServers: { all: stdio('good') } }).createSession();
    await all(session, message('Go'));
    assert.ok(ofServers('Lead').includes('mcp_own_count') && ofServers('Lead').includes('mcp_all_count'));
    assert.deepEqual(
      [ofServers('Help').some((name) => name.startsWith('mcp_own')), ofServers('Help').includes('mcp_all_count')],
      [false, true],
    );
    assert.match(told('Help'), /There is no tool named/);
  });

  it('take no name that is taken, and obey the lists of the settings', async () => {
    const file = join(agents.home, '.gemini', 'settings.json');
    const named = { 'taken!': counted(), banned: counted(), own: counted({ trust: true }) };
    await agents.define('scout', servers(named));
    await writeFile(file, JSON.stringify({ mcp: { excluded: ['banned'] } }));
    counts('scout');
    const session = await open({ mcpServers: { taken_: stdio('good') } }).createSession();
    const seen = notices(session);
    await all(session, message('Go'));
    assert.equal((await starts()).length, 1);
    assert.ok(ofServers('Count').includes('mcp_own_count') && !ofServers('Count').includes('mcp_banned_count'));
    assert.match(seen.join(), /taken!.*is ignored: .* has a server with the same name/);
    assert.match(seen.join(), /banned.*is ignored: the settings do not allow/);
  });

  it('that do not work leave it the rest of its tools', async () => {
    const alarm = (ms: number, ring: () => void): (() => void) => {
      const timer = setTimeout(ring, ms).unref();
      // They have been waited for when both have begun.
      if (ms === 30_000) void eventually('both', async () => (await starts()).length >= 2).then(ring);
      return () => clearTimeout(timer);
    };
    await agents.define('scout', servers({ hangs: counted({}, 'hangs'), exits: counted({}, 'exits') }));
    agents.script('Go', invoke('scout', 'Look'), 'Thanks.');
    agents.script('Look', call('read_file'), report('Looked.'));
    const session = await open({ alarm }).createSession();
    await all(session, message('Go'));
    assert.deepEqual(responses(session), ['invoke_agent ok']);
    assert.ok(outline(session.events).includes('tool_response read_file ok'));
    const pids = await starts();
    assert.ok(pids.length >= 2);
    await Promise.all(pids.map(untilEnded));
  });
});
