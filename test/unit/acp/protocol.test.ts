import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AGENT_METHODS } from '@agentclientprotocol/sdk';
import fc from 'fast-check';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { AcpEditor } from '../../support/acp-editor.ts';
import { isOfAcp } from '../../support/acp-schema.ts';
import { gate } from '../../support/gemini/gate.ts';
import { call } from '../../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../support/gemini/server.ts';
import { stdio } from '../../support/mcp/stdio.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';
import { runs } from '../../support/test-size.ts';

let endpoint: GeminiEndpoint;
let editor: Awaited<ReturnType<typeof AcpEditor.start>>;
let workspace: TempWorkspace;

/**
 * What the specification of ACP 1 says that an agent MUST or MUST NOT do, by page and in its words:
 * https://agentclientprotocol.com/protocol/v1. What only clients must do is left out, and so are authentication by URL and terminals,
 * which Gantry does not use.
 */
const MUSTS: readonly (readonly [page: string, must: string, check: () => Promise<void>])[] = [
  [
    'initialization',
    'respond with the chosen protocol version and the capabilities it supports',
    async () => {
      const { protocolVersion, agentCapabilities, agentInfo } = editor.introduction;
      assert.equal(protocolVersion, 1);
      assert.equal(agentInfo?.name, 'gantry');
      assert.equal(agentCapabilities?.loadSession, true);
    },
  ],
  [
    'initialization',
    'otherwise respond with the latest version it supports',
    async () => {
      const response = await editor.agent.request('initialize', { protocolVersion: 999, clientCapabilities: {} });
      assert.equal(response.protocolVersion, 1);
    },
  ],
  [
    'initialization',
    'treat all capabilities omitted in the request as unsupported',
    async () => {
      const id = await editor.newSession(workspace.path);
      editor.open.set(join(workspace.path, 'note.txt'), 'unsaved');
      endpoint.reply(call('read_file', { file_path: 'note.txt' }), call('ask_user', { questions: QUESTIONS }));
      endpoint.reply('All right.');
      await editor.prompt(id, 'Look, and ask me.');
      assert.equal(editor.forms.length, 0);
      const results = JSON.stringify(endpoint.requests.at(-1)?.toolResults);
      assert.match(results, /The answer is 42/);
      assert.match(results, /cannot show questions/);
    },
  ],
  [
    'initialization',
    'support text and resource links in prompts',
    async () => {
      const sessionId = await editor.newSession(workspace.path);
      endpoint.reply('Hi.');
      const { stopReason } = await editor.agent.request('session/prompt', {
        sessionId,
        prompt: [
          { type: 'text', text: 'See ' },
          { type: 'resource_link', uri: 'https://example.com/a', name: 'a' },
        ],
      });
      assert.equal(stopReason, 'end_turn');
      assert.equal(endpoint.requests.at(-1)?.lastUserText, 'See https://example.com/a');
    },
  ],
  [
    'session-setup',
    'respond to session/new with a unique session id',
    async () => {
      const ids = [await editor.newSession(workspace.path), await editor.newSession(workspace.path)];
      assert.equal(new Set(ids).size, 2);
    },
  ],
  [
    'session-setup',
    'replay the entire conversation before it responds to session/load',
    async () => {
      const id = await editor.newSession(workspace.path);
      endpoint.reply('I look. ', call('read_file', { file_path: 'note.txt' }));
      endpoint.reply('It is 42.');
      await editor.prompt(id, 'What is it?');
      await editor.agent.request('session/close', { sessionId: id });
      editor.updates.clear();
      await editor.agent.request('session/load', { sessionId: id, cwd: workspace.path, mcpServers: [] });
      const kinds = (editor.updates.get(id) ?? []).map(({ sessionUpdate }) => sessionUpdate);
      const replayed = kinds.filter((kind) => kind !== 'session_info_update');
      assert.deepEqual(replayed, [
        'user_message_chunk',
        'agent_message_chunk',
        'tool_call',
        'tool_call_update',
        'agent_message_chunk',
      ]);
      assert.deepEqual(editor.of(id, 'user_message_chunk')[0]?.content, { type: 'text', text: 'What is it?' });
    },
  ],
  [
    'session-setup',
    'not replay the conversation on session/resume',
    async () => {
      const id = await editor.newSession(workspace.path);
      endpoint.reply('It is 42.');
      await editor.prompt(id, 'What is it?');
      await editor.agent.request('session/close', { sessionId: id });
      editor.updates.clear();
      await editor.agent.request('session/resume', { sessionId: id, cwd: workspace.path, mcpServers: [] });
      assert.deepEqual(editor.updates.get(id) ?? [], []);
      endpoint.reply('Still 42.');
      await editor.prompt(id, 'And now?');
      assert.match(JSON.stringify(endpoint.requests.at(-1)?.body), /What is it\?/);
    },
  ],
  [
    'session-setup',
    'cancel ongoing work on session/close',
    async () => {
      const id = await editor.newSession(workspace.path);
      const held = gate();
      endpoint.reply({ kind: 'wait', headersFirst: true, pass: (signal) => held.pass(signal) }, 'One');
      const answer = editor.prompt(id, 'Count.');
      await held.reached;
      await editor.agent.request('session/close', { sessionId: id });
      held.open();
      assert.equal((await answer).stopReason, 'cancelled');
      await assert.rejects(editor.prompt(id, 'More.'), { code: -32002 });
    },
  ],
  [
    'session-setup',
    'use an absolute path as the working directory, wherever it was started',
    async () => {
      await assert.rejects(editor.newSession('somewhere'), { code: -32602 });
      await assert.rejects(editor.newSession(join(workspace.path, 'missing')), { code: -32602 });
      await assert.rejects(editor.newSession(join(workspace.path, 'note.txt')), { code: -32602 });
      const id = await editor.newSession(workspace.path);
      endpoint.reply(call('run_shell_command', { command: 'pwd' }));
      endpoint.reply('There.');
      await editor.prompt(id, 'Where are you?');
      assert.ok(JSON.stringify(endpoint.requests.at(-1)?.toolResults).includes(workspace.path));
    },
  ],
  [
    'session-setup',
    'make additional directories part of the root set',
    async () => {
      const other = await createTempWorkspace({ 'other.txt': 'Other text.' });
      const id = await editor.newSession(workspace.path, { additionalDirectories: [other.path] });
      endpoint.reply(call('read_file', { file_path: join(other.path, 'other.txt') }));
      endpoint.reply('Read.');
      await editor.prompt(id, 'Read it.');
      assert.match(JSON.stringify(endpoint.requests.at(-1)?.toolResults), /Other text/);
      await other.dispose();
    },
  ],
  [
    'session-setup',
    'support connecting to MCP servers via stdio',
    async () => {
      const server = { name: 'sample', ...commandOf(stdio('good')), env: [{ name: 'A', value: '$HOME' }] };
      const id = await editor.newSession(workspace.path, { mcpServers: [server] });
      endpoint.reply('Hi.');
      await editor.prompt(id, 'Hi');
      assert.ok(endpoint.requests.at(-1)?.toolNames.some((name) => name.startsWith('mcp_sample_')));
      const without = await editor.newSession(workspace.path);
      endpoint.reply('Hi.');
      await editor.prompt(without, 'Hi');
      assert.ok(!endpoint.requests.at(-1)?.toolNames.some((name) => name.startsWith('mcp_sample_')));
    },
  ],
  [
    'session-list',
    'respond with a list of sessions, and with an empty one if none match',
    async () => {
      assert.deepEqual(await editor.agent.request('session/list', { cwd: workspace.path }), { sessions: [] });
      const id = await editor.newSession(workspace.path);
      endpoint.reply('Hi.');
      await editor.prompt(id, 'A first question');
      const { sessions, nextCursor } = await editor.agent.request('session/list', { cwd: workspace.path });
      assert.deepEqual(
        sessions.map(({ sessionId, cwd }) => ({ sessionId, cwd })),
        [{ sessionId: id, cwd: workspace.path }],
      );
      assert.equal(nextCursor, undefined);
      await assert.rejects(editor.agent.request('session/list', { cursor: 'mine' }), { code: -32602 });
    },
  ],
  [
    'session-delete',
    'no longer list deleted sessions, and delete missing ones silently (SHOULD)',
    async () => {
      const id = await editor.newSession(workspace.path);
      endpoint.reply('Hi.');
      await editor.prompt(id, 'A first question');
      await editor.agent.request('session/delete', { sessionId: id });
      await editor.agent.request('session/delete', { sessionId: id });
      assert.deepEqual(await editor.agent.request('session/list', { cwd: workspace.path }), { sessions: [] });
    },
  ],
  [
    'session-config-options',
    'provide a default for every option, respond with all of them, and include no boolean ones unless the client takes them',
    async () => {
      const { sessionId, configOptions = [] } = await editor.agent.request('session/new', {
        cwd: workspace.path,
        mcpServers: [],
      });
      const ids = (configOptions ?? []).map(({ id }) => id);
      assert.deepEqual(ids, ['mode', 'model']);
      assert.ok(configOptions?.every(({ currentValue }) => currentValue !== ''));
      assert.ok(
        configOptions?.every(({ type }) => type === 'select'),
        'the client takes no others',
      );
      const changed = await editor.agent.request('session/set_config_option', {
        sessionId,
        configId: 'mode',
        value: 'plan',
      });
      assert.deepEqual(
        changed.configOptions.map(({ id }) => id),
        ids,
      );
    },
  ],
  [
    'prompt-turn',
    'respond with a stop reason at the end of a turn, and report every update before',
    async () => {
      const id = await editor.newSession(workspace.path);
      endpoint.reply('One, ', 'two.');
      const { stopReason } = await editor.prompt(id, 'Count.');
      assert.equal(stopReason, 'end_turn');
      assert.equal(editor.said(id), 'One, two.');
    },
  ],
  [
    'prompt-turn',
    'respond to a cancelled prompt with the stop reason cancelled, and not with an error',
    async () => {
      const id = await editor.newSession(workspace.path);
      const held = gate();
      endpoint.reply({ kind: 'wait', headersFirst: true, pass: (signal) => held.pass(signal) }, 'One');
      const answer = editor.prompt(id, 'Count.');
      await held.reached;
      await editor.agent.notify('session/cancel', { sessionId: id });
      assert.equal((await answer).stopReason, 'cancelled');
      held.open();
    },
  ],
  [
    'cancellation',
    'answer a request that was cancelled, with data or with -32800',
    async () => {
      const sessionId = await editor.newSession(workspace.path);
      const held = gate();
      endpoint.reply({ kind: 'wait', headersFirst: true, pass: (signal) => held.pass(signal) }, 'One');
      const params = { sessionId, prompt: [{ type: 'text', text: 'Count.' }] };
      const request = { jsonrpc: '2.0', id: 'raw', method: 'session/prompt', params };
      const answer = editor.raw(JSON.stringify(request));
      await held.reached;
      await editor.agent.notify('$/cancel_request', { requestId: 'raw' });
      const { result, error } = (await answer) as { result?: { stopReason: string }; error?: { code: number } };
      assert.ok(result?.stopReason === 'cancelled' || error?.code === -32800);
      held.open();
    },
  ],
  [
    'elicitation',
    'bind each elicitation to its session, and handle decline, cancellation and failure',
    async () => {
      const other = await AcpEditor.start({ environment: environment(), capabilities: { elicitation: { form: {} } } });
      const id = await other.newSession(workspace.path);
      const answers = [
        () => ({ action: 'decline' }),
        () => ({ action: 'cancel' }),
        () => assert.fail('no form'),
      ] as const;
      for (const answer of answers) {
        other.onForm = answer;
        endpoint.reply(call('ask_user', { questions: QUESTIONS }));
        endpoint.reply('All right.');
        assert.equal((await other.prompt(id, 'Ask me.')).stopReason, 'end_turn');
        assert.equal(endpoint.requests.at(-1)?.toolResults.length, 1);
      }
      assert.deepEqual(
        other.forms.map((form) => 'sessionId' in form && form.sessionId),
        [id, id, id],
      );
      await other.quit();
    },
  ],
  [
    'file-system',
    'not write files through a client that does not support it',
    async () => {
      const id = await editor.newSession(workspace.path);
      endpoint.reply(call('write_file', { file_path: 'new.txt', content: 'New.' }));
      endpoint.reply('Written.');
      await editor.prompt(id, 'Write it.');
      assert.deepEqual(editor.written, []);
      assert.equal(await readFile(join(workspace.path, 'new.txt'), 'utf8'), 'New.');
    },
  ],
  [
    'agent-plan',
    'send all entries with every update',
    async () => {
      const id = await editor.newSession(workspace.path);
      for (const status of ['pending', 'completed']) {
        endpoint.reply(
          call('write_todos', {
            todos: [
              { description: 'A', status },
              { description: 'B', status: 'pending' },
            ],
          }),
        );
      }
      endpoint.reply('Noted.');
      await editor.prompt(id, 'Plan.');
      assert.deepEqual(
        editor.of(id, 'plan').map(({ entries }) => entries.map(({ content, status }) => `${content} ${status}`)),
        [
          ['A pending', 'B pending'],
          ['A completed', 'B pending'],
        ],
      );
    },
  ],
  [
    'overview',
    'use absolute paths',
    async () => {
      const id = await editor.newSession(workspace.path);
      endpoint.reply(call('read_file', { file_path: './note.txt' }));
      endpoint.reply('Read.');
      await editor.prompt(id, 'Read.');
      assert.deepEqual(editor.of(id, 'tool_call')[0]?.locations, [{ path: join(workspace.path, 'note.txt') }]);
    },
  ],
  [
    'extensibility',
    'answer a custom request with its id, and ignore unknown notifications (SHOULD)',
    async () => {
      await assert.rejects(editor.agent.request('_example.com/what', {}), { code: -32601 });
      await editor.agent.notify('_example.com/news', {});
      await editor.newSession(workspace.path);
    },
  ],
  [
    'extensibility, transports',
    'have written nothing but messages of the protocol in all of this, one in a line, without fields of its own',
    async () => {
      const lines = editor.stdout.trimEnd().split('\n');
      assert.ok(lines.length > 100);
      assert.deepEqual(
        lines.filter((line) => !isOfAcp(JSON.parse(line))),
        [],
      );
    },
  ],
];

const environment = () => ({ GEMINI_API_KEY: 'test-key', GOOGLE_GEMINI_BASE_URL: endpoint.url });

const QUESTIONS = [{ question: 'Which?', header: 'Which', type: 'text' }];

function commandOf(definition: unknown): { command: string; args: string[] } {
  const { command, args } = definition as { command: string; args: string[] };
  return { command, args };
}

describe('An agent of ACP 1 must', () => {
  before(async () => {
    endpoint = await startGeminiEndpoint();
    editor = await AcpEditor.start({ environment: environment() });
  });

  after(async () => {
    assert.equal(await editor.quit(), 0);
    await endpoint.dispose();
  });

  beforeEach(async () => {
    workspace = await createTempWorkspace({ 'note.txt': 'The answer is 42.\n' });
  });

  afterEach(() => workspace.dispose());

  for (const [page, must, check] of MUSTS) it(`${must} (${page})`, check);

  for (const [what, line, code] of [
    ['text that is not JSON', 'hello', -32700],
    ['half a message', '{"jsonrpc":"2.0","id":1,', -32700],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"session/list"}]', -32600],
    ['an unknown method', '{"jsonrpc":"2.0","id":"raw","method":"session/fly","params":{}}', -32601],
    ['invalid params', '{"jsonrpc":"2.0","id":"raw","method":"session/new","params":{"cwd":7}}', -32602],
    [
      'an unknown session',
      '{"jsonrpc":"2.0","id":"raw","method":"session/prompt","params":{"sessionId":"none","prompt":[]}}',
      -32002,
    ],
    [
      'a session to load that does not exist',
      '{"jsonrpc":"2.0","id":"raw","method":"session/load","params":{"sessionId":"none","cwd":"/","mcpServers":[]}}',
      -32002,
    ],
  ] as const) {
    it(`answer ${what} with ${code}, and go on`, async () => {
      const { error } = (await editor.raw(line)) as { error?: { code: number } };
      assert.equal(error?.code, code);
      await editor.newSession(workspace.path);
    });
  }

  it('refuse everything before initialize', async () => {
    const other = await AcpEditor.start({ initializes: false });
    await assert.rejects(other.newSession(workspace.path), { code: -32600 });
    await other.quit();
  });

  it('refuse a session that belongs to another folder', async () => {
    const id = await editor.newSession(workspace.path);
    endpoint.reply('Hi.');
    await editor.prompt(id, 'Hi');
    const other = await createTempWorkspace();
    const load = editor.agent.request('session/load', { sessionId: id, cwd: other.path, mcpServers: [] });
    await assert.rejects(load, { code: -32602 });
    await other.dispose();
  });

  it('ignore a cancel for a session that is not open', async () => {
    await editor.agent.notify('session/cancel', { sessionId: 'none' });
    await editor.newSession(workspace.path);
  });

  it('refuse content that it did not offer to take', async () => {
    const sessionId = await editor.newSession(workspace.path);
    const audio = { type: 'audio', data: '', mimeType: 'audio/wav' } as const;
    const prompt = editor.agent.request('session/prompt', { sessionId, prompt: [audio] });
    await assert.rejects(prompt, { code: -32602 });
    await assert.rejects(editor.prompt(sessionId, ' '), { code: -32602 });
  });

  it('survive whatever a client writes', async () => {
    const method = fc.constantFrom(...Object.values(AGENT_METHODS).filter((name) => name !== 'initialize'), 'x', '');
    const params = fc.oneof(fc.jsonValue(), fc.record({ sessionId: fc.string(), prompt: fc.jsonValue() }));
    const request = fc.record({ jsonrpc: fc.constant('2.0'), id: fc.constant('raw'), method, params });
    const lines = fc.oneof(
      fc.string(),
      fc.json(),
      request.map((value) => JSON.stringify(value)),
      request.map((value) => JSON.stringify(value).slice(0, -3)),
    );
    for (const line of fc.sample(lines, { numRuns: runs(200, 2000), seed: 7 })) {
      // `Writable.toWeb`, to which the SDK's client writes, drops what it gets while the pipe is full.
      if (!editor.child.stdin.write(`${line.replaceAll('\n', ' ')}\n`)) await once(editor.child.stdin, 'drain');
    }
    await editor.newSession(workspace.path);
  });
});
