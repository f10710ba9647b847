import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'mocha';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import type { ApprovalMode } from '../../../extension/protocol/agent/approval-mode.ts';
import { productTools } from '../../../extension/tools/product-tools.ts';
import { idOf, useAgent } from '../../support/agent.ts';
import { all, message } from '../../support/conversation.ts';
import type { RecordedRequest } from '../../support/gemini/request.ts';
import { call } from '../../support/gemini/script.ts';
import { stdio } from '../../support/mcp/stdio.ts';

/** The parts of a request that the service can't read from its cache, because they differ from the request before. */
function breaks(before: RecordedRequest, after: RecordedRequest): readonly string[] {
  const [earlier, later] = [before.body.contents ?? [], after.body.contents ?? []];
  const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
  return [
    ...(isSame(before.body.systemInstruction, after.body.systemInstruction) ? [] : ['instruction']),
    ...(isSame(before.body.tools, after.body.tools) ? [] : ['tools']),
    ...(isSame(earlier, later.slice(0, earlier.length)) ? [] : ['contents']),
  ];
}

describe('The beginning of requests', () => {
  const agent = useAgent();
  const requests = () => agent.endpoint.requests.filter(({ asksForTitle }) => !asksForTitle);
  const write = async (name: string, text: string) => {
    await mkdir(dirname(join(agent.workspace, name)), { recursive: true });
    await writeFile(join(agent.workspace, name), text);
  };
  const read = (path: string) => call('read_file', { file_path: path });

  it('stays the same from step to step, except where the tools, the model or lasting instructions change', async () => {
    await write('GEMINI.md', 'Use tabs.');
    for (const folder of ['src', 'docs']) await write(`${folder}/a.ts`, 'export {};');
    await write('src/GEMINI.md', 'No classes.');
    await write('docs/AGENTS.md', 'Short sentences.');
    const PATH = process.env['PATH'] ?? '';
    const home = { GEMINI_CLI_HOME: agent.sessions, PATH };
    const options = { environment: { GOOGLE_GEMINI_BASE_URL: agent.endpoint.url, ...home } };
    const settings = (text: string) => async () => {
      await mkdir(join(agent.sessions, '.gemini'), { recursive: true });
      await writeFile(join(agent.sessions, '.gemini', 'settings.json'), text);
    };
    let service = agent.open(productTools, options);
    let session: AgentSession = await service.createSession();
    const servers = (mcpServers: unknown) => async () => {
      await settings(JSON.stringify({ mcpServers }))();
      await service.mcp.refresh();
      await Promise.all(service.mcp.servers.map(({ settled }) => settled));
    };
    const mode = (approvalMode: ApprovalMode) => () => session.send({ update: { config: { approvalMode } } });
    const reopen = async () => {
      const id = idOf(session);
      await service.dispose();
      service = agent.open(productTools, options);
      session = await service.resumeSession(id);
    };
    const steps: readonly (readonly [string, () => Promise<unknown>, string, readonly string[]])[] = [
      ['instructions of a subfolder are found', async () => undefined, 'src/a.ts', []],
      ['everything is allowed', mode('yolo'), 'src/a.ts', []],
      ['edits are allowed', mode('autoEdit'), 'docs/a.ts', []],
      ['instructions of a subfolder change', () => write('src/GEMINI.md', 'Many classes.'), 'src/a.ts', []],
      ['the session is resumed', reopen, 'docs/a.ts', []],
      [
        'a model of the same family is chosen',
        () => session.send({ update: { model: 'gemini-3.1-pro-preview' } }),
        'src/a.ts',
        [],
      ],
      // The model must not be offered what it can't use, nor keep to instructions that were changed.
      ['plan mode begins', mode('plan'), 'src/a.ts', ['instruction', 'tools']],
      ['plan mode ends', mode('default'), 'src/a.ts', ['instruction', 'tools']],
      ['a tool goes', settings('{"tools": {"exclude": ["web_fetch"]}}'), 'src/a.ts', ['tools']],
      ['a tool comes back', settings('{}'), 'src/a.ts', ['tools']],
      ['an MCP server comes', servers({ sample: stdio('good') }), 'src/a.ts', ['instruction', 'tools']],
      ['it goes', servers({}), 'src/a.ts', ['instruction', 'tools']],
      ['instructions of the folder change', () => write('GEMINI.md', 'Use spaces.'), 'src/a.ts', ['instruction']],
      [
        'a model of another family is chosen',
        () => session.send({ update: { model: 'gemini-2.5-pro' } }),
        'src/a.ts',
        ['instruction'],
      ],
      ['nothing changes', async () => undefined, 'docs/a.ts', []],
    ];
    agent.endpoint.reply('hello');
    await all(session, message('Hi'));
    for (const [name, change, path, expected] of steps) {
      const from = requests().length - 1;
      await change();
      for (const step of [read(path), read(path), 'done']) agent.endpoint.reply(step);
      await all(session, message(name));
      const sent = requests().slice(from);
      assert.equal(sent.length, 4, name);
      const found = sent.slice(1).map((request, at) => breaks(sent[at] as RecordedRequest, request));
      assert.deepEqual(found, [expected, [], []], name);
    }
    const last = JSON.stringify(requests().at(-1)?.body.contents);
    for (const told of [/No classes/, /Many classes/, /Short sentences/])
      assert.equal(last.match(new RegExp(told, 'g'))?.length, 1);
    for (const told of [/mode is now yolo/, /mode is now autoEdit/, /mode is now plan/, /mode is now default/])
      assert.equal(last.match(new RegExp(told, 'g'))?.length, 1, String(told));
  });
});
