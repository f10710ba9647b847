import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, it } from 'mocha';
import type { AgentEvent } from '../../../extension/protocol/agent/agent-event.ts';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import type { AgentService } from '../../../extension/runtime/agent-service.ts';
import { untilEvent, useAgent } from '../../support/agent.ts';
import { all, drain, message, outline } from '../../support/conversation.ts';
import { call } from '../../support/gemini/script.ts';
import { type PublishedSite, publishedStdio, startEverything } from '../../support/mcp/published.ts';
import { eventually } from '../../support/poll.ts';
import { testHost } from '../../support/test-host.ts';
import { isFullRun } from '../../support/test-size.ts';

const NEVER = new AbortController().signal;

describe('A published MCP server', () => {
  const agent = useAgent();
  let sites: PublishedSite[] = [];
  let logged: string[] = [];
  let roots: string[] = [];
  afterEach(async () => {
    for (const site of sites) await site.dispose();
    [sites, logged, roots] = [[], [], []];
  });

  /** A window in which the servers are ready. */
  const open = async (servers: unknown): Promise<AgentService> => {
    roots = [agent.workspace];
    const note = (line: string): void => void logged.push(line);
    const environment = { GOOGLE_GEMINI_BASE_URL: agent.endpoint.url, PATH: process.env['PATH'] ?? '' };
    const service = agent.open(
      [],
      { mcpServers: servers, environment },
      {
        log: { ...testHost().log, info: note, warn: note },
        workspace: { roots: () => roots, isTrusted: () => true },
      },
    );
    await service.mcp.refresh();
    await Promise.all(service.mcp.servers.map(({ settled }) => settled));
    assert.deepEqual(
      service.mcp.statuses.map(({ state }) => state),
      service.mcp.statuses.map(() => ({ kind: 'ready' })),
    );
    return service;
  };
  const say = async (session: AgentSession, ...calls: Parameters<typeof call>[]): Promise<AgentEvent[]> => {
    for (const each of calls) agent.endpoint.reply(call(...each));
    agent.endpoint.reply('Done.');
    return all(session, message('Go'));
  };
  const results = (): string =>
    JSON.stringify(agent.endpoint.requests.flatMap(({ toolResults }) => toolResults)).replaceAll('\\n', '\n');
  const responses = (session: AgentSession): string[] =>
    outline(session.events).filter((line) => line.startsWith('tool_response'));

  const site = async (way: 'streamableHttp' | 'sse'): Promise<string> => {
    const started = await startEverything(way);
    sites.push(started);
    return started.url;
  };
  const ways: Record<string, () => Promise<unknown>> = {
    'over stdio': () => Promise.resolve(publishedStdio('everything', { trust: true })),
    ...(isFullRun && {
      'over streamable HTTP': async () => ({ httpUrl: await site('streamableHttp'), trust: true }),
      'over server-sent events': async () => ({ url: await site('sse'), type: 'sse', trust: true }),
    }),
  };
  for (const [way, definition] of Object.entries(ways)) {
    describe(`with a bit of everything, ${way},`, () => {
      it('does what the model asks for, and has no tool that is called in a way we do not know', async () => {
        const service = await open({ all: await definition() });
        const names = service.mcp.tools().map(({ name }) => name);
        assert.ok(names.includes('mcp_all_echo'));
        assert.ok(!names.includes('mcp_all_simulate-research-query'), 'it wants to be called as a task');
        assert.ok(!names.some((name) => name.includes('sampling')), 'servers cannot use the model');
        const session = await service.createSession();
        await say(
          session,
          ['mcp_all_echo', { message: 'hello there' }],
          ['mcp_all_get-sum', { a: 2, b: 40 }],
          ['mcp_all_get-structured-content', { location: 'Chicago' }],
          ['mcp_all_get-resource-reference', { resourceType: 'Text', resourceId: 7 }],
          ['mcp_all_get-resource-links', { count: 2 }],
          ['mcp_all_get-annotated-message', { messageType: 'success', includeImage: true }],
          ['mcp_all_get-sum', { a: 'two' }],
        );
        assert.deepEqual(
          responses(session).map((line) => line.split(' ').at(-1)),
          ['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'error'],
        );
        const told = results();
        assert.match(told, /untrusted_context>\nEcho: hello there\n/);
        assert.match(told, /The sum of 2 and 40 is 42/);
        assert.match(told, /temperature.*36.*Light rain/);
        assert.match(
          told,
          /\[Resource demo:\/\/resource\/dynamic\/text\/7\]\nResource 7: This is a plaintext resource/,
        );
        assert.match(told, /\[Resource Blob Resource 1: demo:\/\/resource\/dynamic\/blob\/1\]/);
        assert.match(told, /Operation completed successfully\n\[image\/png, \d kB: follows\]/);
        assert.match(told, /The arguments of mcp_all_get-sum are not valid/);
        const pictures = agent.endpoint.requests.at(-1)?.contents.flatMap(({ parts = [] }) => parts) ?? [];
        assert.ok(JSON.stringify(pictures).includes('"mimeType":"image/png"'), 'the model sees the picture');
        // It asks for the open folders a while after it has started, and says what it knows by then.
        await eventually('the open folder', async () => {
          await say(session, ['mcp_all_get-roots-list', {}]);
          const told = results();
          assert.ok(told.includes(pathToFileURL(agent.workspace).href), told.slice(-1_000));
          return true;
        });
      });

      it('tells how far it is, and that is seen on the card', async () => {
        const session = await (await open({ all: await definition() })).createSession();
        const events = await say(session, ['mcp_all_trigger-long-running-operation', { duration: 0.8, steps: 4 }]);
        const seen = events.flatMap((event) => (event.type === 'tool_update' ? [event.display?.resultSummary] : []));
        // A step that arrives together with the result is not shown any more.
        assert.ok(seen.length > 0);
        assert.deepEqual(
          seen,
          ['25 %', '50 %', '75 %', '100 %'].filter((step) => seen.includes(step)),
        );
        assert.match(results(), /Long running operation completed/);
      });

      it('is left when the user stops, and there for the next call', async () => {
        const session = await (await open({ all: await definition() })).createSession();
        agent.endpoint.reply(call('mcp_all_trigger-long-running-operation', { duration: 3600, steps: 36_000 }));
        const run = drain(session.sendStream(message('Go')));
        await new Promise<void>((resolve) => {
          const stop = session.subscribe((event) => {
            if (event.type !== 'tool_update') return;
            stop();
            resolve();
          });
        });
        await session.abort();
        await run;
        assert.deepEqual(responses(session), ['tool_response mcp_all_trigger-long-running-operation error']);
        await say(session, ['mcp_all_echo', { message: 'still here' }]);
        assert.match(results(), /Echo: still here/);
      });

      it('has prompts and resources, and new ones when it says so', async () => {
        const { mcp } = await open({ all: await definition() });
        assert.deepEqual(
          mcp.prompts.map(({ name, arguments: args }) => [name, args.map((each) => each.name)]),
          [
            ['simple-prompt', []],
            ['args-prompt', ['city', 'state']],
            ['completable-prompt', ['department', 'name']],
            ['resource-prompt', ['resourceType', 'resourceId']],
          ],
        );
        const asked = await mcp.promptMessage('all', 'args-prompt', { city: 'Bonn', state: 'NRW' }, NEVER);
        assert.match(JSON.stringify(asked), /What's weather in Bonn, NRW\?/);
        const resourcePrompt = { resourceType: 'Text', resourceId: '3' };
        const quoted = await mcp.promptMessage('all', 'resource-prompt', resourcePrompt, NEVER);
        assert.match(
          JSON.stringify(quoted),
          /"reference","text":"Resource 3: This is.*"label":"demo:\/\/resource\/dynamic\/text\/3"/,
        );
        assert.ok('failed' in (await mcp.promptMessage('all', 'resource-prompt', { resourceType: 'No' }, NEVER)));

        const uri = 'demo://resource/static/document/features.md';
        assert.ok(mcp.resources.some((resource) => resource.uri === uri));
        const content = await mcp.resourceContent('all', uri, NEVER);
        assert.match(JSON.stringify(content), /Everything Server/);

        const before = mcp.resources.length;
        const gzip = mcp.tools().find(({ name }) => name === 'mcp_all_gzip-file-as-resource');
        assert.ok(gzip);
        const [server] = mcp.servers;
        const args = { name: 'a.gz', data: 'data:text/plain,hello', outputType: 'resourceLink' };
        await server?.callTool('gzip-file-as-resource', args, { signal: NEVER });
        await eventually('the new resource', () => mcp.resources.length === before + 1);
        assert.ok(mcp.resources.some((resource) => resource.uri === 'demo://resource/session/a.gz'));
      });

      it('writes to the log', async () => {
        const session = await (await open({ all: await definition() })).createSession();
        await eventually('that it knows the folders', () =>
          logged.some((line) => line.includes('[mcp all] info: Roots updated: 1 root(s)')),
        );
        await say(session, ['mcp_all_toggle-simulated-logging', {}]);
        await eventually('a line', () => logged.some((line) => /^\[mcp all\] \w+: .*[ -]message/i.test(line)));
      });

      it('asks the user on the card of the call', async () => {
        const session = await (await open({ all: await definition() })).createSession();
        agent.endpoint.reply(call('mcp_all_trigger-elicitation-request', {}));
        agent.endpoint.reply('Thanks.');
        const run = drain(session.sendStream(message('Go')));
        const asked = await untilEvent(session, (event) => event.type === 'elicitation_request');
        assert.ok(asked.type === 'elicitation_request');
        const { details } = asked._meta?.approval ?? {};
        assert.ok(details?.type === 'ask_user');
        const at = (header: string): number => details.questions.findIndex((each) => each.header === header);
        assert.equal(details.questions.length, 13);
        assert.equal(details.questions[at('String with default')]?.placeholder, 'It was a dark and stormy night.');
        const answers = {
          [at('String')]: 'Ann',
          [at('Boolean')]: 'Yes',
          [at('Integer')]: '7',
          [at('Titled Single Select Enum')]: 'Wonder Woman',
          [at('Titled Multiple Select Enum')]: 'Tuna, Trout',
        };
        await session.send({
          elicitations: [{ requestId: asked.requestId, action: 'accept', content: { decision: 'once', answers } }],
        });
        await run;
        const told = results();
        assert.match(told, /Name: Ann\n- Agreed to terms: true/);
        assert.match(told, /Favorite Integer: 7/);
        assert.match(told, /hero-3/);
        assert.match(told, /fish-1.*fish-3/s);
      });
    });
  }

  it('for files works in the open folders, and in others when they are others', async () => {
    await writeFile(join(agent.workspace, 'a.txt'), 'What is in a.');
    const other = join(agent.sessions, '..', 'other');
    await mkdir(other);
    const isChanged = (): boolean => logged.some((line) => /Updated allowed directories/.test(line));
    const service = await open({ files: publishedStdio('filesystem', { trust: true }) });
    // It asks for the open folders when it has started, and refuses everything until it has looked at them.
    await eventually('the open folder', isChanged);
    const session = await service.createSession();
    const read = ['mcp_files_read_text_file', { path: join(agent.workspace, 'a.txt') }] as const;
    const write = ['mcp_files_write_file', { path: join(other, 'b.txt'), content: 'b' }] as const;
    await say(session, [...read], [...write], ['mcp_files_list_allowed_directories', {}]);
    assert.match(results(), /What is in a\./);
    assert.match(results(), /Access denied/);
    assert.ok(results().includes(`Allowed directories:\n${agent.workspace}`));
    logged = [];
    roots = [other];
    service.mcp.rootsChanged();
    await eventually('the other folder', isChanged);
    await say(session, [...write], [...read]);
    assert.equal(await readFile(join(other, 'b.txt'), 'utf8'), 'b');
    assert.deepEqual(responses(session), [
      'tool_response mcp_files_read_text_file ok',
      'tool_response mcp_files_write_file error',
      'tool_response mcp_files_list_allowed_directories ok',
      'tool_response mcp_files_write_file ok',
      'tool_response mcp_files_read_text_file error',
    ]);
  });

  it('that remembers gets its variables, and keeps what it was told for the next window', async () => {
    const file = join(agent.workspace, 'memory.jsonl');
    const servers = { memory: publishedStdio('memory', { trust: true, env: { MEMORY_FILE_PATH: file } }) };
    const first = await open(servers);
    const entities = [{ name: 'Ann', entityType: 'person', observations: ['likes tea'] }];
    await say(await first.createSession(), ['mcp_memory_create_entities', { entities }]);
    assert.match(await readFile(file, 'utf8'), /likes tea/);
    await first.dispose();
    await say(await (await open(servers)).createSession(), ['mcp_memory_search_nodes', { query: 'tea' }]);
    const [, found] = agent.endpoint.requests.flatMap(({ toolResults }) => toolResults);
    assert.match(JSON.stringify(found), /mcp_memory_search_nodes.*Ann/);
  });
});
