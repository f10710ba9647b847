import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { AcpEditor, choose } from '../../support/acp-editor.ts';
import { invalidKey } from '../../support/gemini/faults.ts';
import { gate } from '../../support/gemini/gate.ts';
import { call, thought, usage } from '../../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../support/gemini/server.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';

/** One process for all: a client has many sessions in many folders with one agent. */
describe('A session of another editor', () => {
  let endpoint: GeminiEndpoint;
  let editor: AcpEditor;
  let workspace: TempWorkspace;

  before(async () => {
    endpoint = await startGeminiEndpoint();
    const environment = { GEMINI_API_KEY: 'test-key', GOOGLE_GEMINI_BASE_URL: endpoint.url };
    editor = await AcpEditor.start({ environment });
  });

  after(async () => {
    await editor.quit();
    await endpoint.dispose();
  });

  beforeEach(async () => {
    workspace = await createTempWorkspace({ 'note.txt': 'The answer is 42.\n' });
    editor.permissions.length = 0;
    editor.onPermission = () => choose('once');
  });

  afterEach(() => workspace.dispose());

  it('shows thoughts, text, and calls with their kind, files and results', async () => {
    const id = await editor.newSession(workspace.path);
    endpoint.reply(thought('Let me look.'), 'I will look. ', call('read_file', { file_path: 'note.txt' }));
    endpoint.reply('It is 42.');
    assert.equal((await editor.prompt(id, 'What does note.txt say?')).stopReason, 'end_turn');
    assert.equal(editor.said(id), 'I will look. It is 42.');
    const [thinking] = editor.of(id, 'agent_thought_chunk');
    assert.deepEqual(thinking?.content, { type: 'text', text: 'Let me look.' });
    const [request] = editor.of(id, 'tool_call');
    const path = join(workspace.path, 'note.txt');
    assert.deepEqual(
      { kind: request?.kind, status: request?.status, locations: request?.locations, title: request?.title },
      { kind: 'read', status: 'pending', locations: [{ path }], title: 'ReadFile: note.txt' },
    );
    const last = editor.of(id, 'tool_call_update').at(-1);
    assert.equal(last?.status, 'completed');
    assert.equal(last?.toolCallId, request?.toolCallId);
    const ids = new Set(editor.of(id, 'agent_message_chunk').map(({ messageId }) => messageId));
    assert.equal(ids.size, 2, 'one message before the call, and one after it');
  });

  it('asks before an edit, with the complete texts, and writes it once it is allowed', async () => {
    const id = await editor.newSession(workspace.path);
    endpoint.reply(call('replace', { file_path: 'note.txt', old_string: '42', new_string: '43', instruction: 'x' }));
    endpoint.reply('Done.');
    await editor.prompt(id, 'Change it.');
    const path = join(workspace.path, 'note.txt');
    const [asked] = editor.permissions;
    assert.deepEqual(
      asked?.toolCall.content?.find(({ type }) => type === 'diff'),
      { type: 'diff', path, oldText: 'The answer is 42.\n', newText: 'The answer is 43.\n' },
    );
    assert.equal(await readFile(path, 'utf8'), 'The answer is 43.\n');
  });

  it('tells the model when the user rejects a call, and changes nothing', async () => {
    const id = await editor.newSession(workspace.path);
    editor.onPermission = () => choose('reject');
    endpoint.reply(call('write_file', { file_path: 'new.txt', content: 'x' }));
    endpoint.reply('All right.');
    assert.equal((await editor.prompt(id, 'Write it.')).stopReason, 'end_turn');
    assert.equal(editor.of(id, 'tool_call_update').at(-1)?.status, 'failed');
    assert.match(JSON.stringify(endpoint.requests.at(-1)?.toolResults), /The user refused this call/);
    await assert.rejects(readFile(join(workspace.path, 'new.txt')));
  });

  it('treats an option that was not offered as a rejection', async () => {
    const id = await editor.newSession(workspace.path);
    editor.onPermission = () => choose('everything');
    endpoint.reply(call('write_file', { file_path: 'new.txt', content: 'x' }));
    endpoint.reply('All right.');
    await editor.prompt(id, 'Write it.');
    await assert.rejects(readFile(join(workspace.path, 'new.txt')));
  });

  for (const [option, isKept] of [
    ['session:0', false],
    ['always:0', true],
  ] as const) {
    const where = isKept ? 'in later sessions of the folder too' : 'in this session only';
    it(`does not ask again after "${option}", ${where}`, async () => {
      const id = await editor.newSession(workspace.path);
      editor.onPermission = ({ options }) => {
        assert.ok(options.some(({ optionId }) => optionId === option));
        return choose(option);
      };
      const command = `mkdir made-by-${option.replace(':', '-')}`;
      for (const session of [id, id, await editor.newSession(workspace.path)]) {
        endpoint.reply(call('run_shell_command', { command: `${command} -p` }));
        endpoint.reply('Done.');
        await editor.prompt(session, 'Run it.');
      }
      assert.equal(editor.permissions.length, isKept ? 1 : 2);
    });
  }

  it('stops a command in the middle when the client cancels, and says so', async () => {
    const id = await editor.newSession(workspace.path);
    endpoint.reply(call('run_shell_command', { command: 'sleep 100' }));
    const answer = editor.prompt(id, 'Wait.');
    await editor.until(() => editor.of(id, 'tool_call_update').some(({ status }) => status === 'in_progress'));
    await editor.agent.notify('session/cancel', { sessionId: id });
    assert.equal((await answer).stopReason, 'cancelled');
    assert.equal(editor.of(id, 'tool_call_update').at(-1)?.status, 'failed');
    endpoint.reply('Here again.');
    assert.equal((await editor.prompt(id, 'And now?')).stopReason, 'end_turn');
  });

  it('withdraws the question of a cancelled turn', async () => {
    const id = await editor.newSession(workspace.path);
    editor.onPermission = () => new Promise(() => undefined);
    endpoint.reply(call('write_file', { file_path: 'new.txt', content: 'x' }));
    const answer = editor.prompt(id, 'Write it.');
    await editor.until(() => editor.permissions.length > 0);
    await editor.agent.notify('session/cancel', { sessionId: id });
    assert.equal((await answer).stopReason, 'cancelled');
    await assert.rejects(readFile(join(workspace.path, 'new.txt')));
  });

  it('stops a model that is answering, also by cancelling the request', async () => {
    const id = await editor.newSession(workspace.path);
    const held = gate();
    endpoint.reply('One', { kind: 'wait', headersFirst: true, pass: (signal) => held.pass(signal) }, 'Two');
    const stop = new AbortController();
    const answer = editor.agent.request(
      'session/prompt',
      { sessionId: id, prompt: [{ type: 'text', text: 'Count.' }] },
      { cancellationSignal: stop.signal },
    );
    await held.reached;
    stop.abort();
    assert.equal((await answer).stopReason, 'cancelled');
    held.open();
  });

  it('takes one prompt at a time', async () => {
    const id = await editor.newSession(workspace.path);
    const held = gate();
    endpoint.reply({ kind: 'wait', headersFirst: true, pass: (signal) => held.pass(signal) }, 'One');
    const answer = editor.prompt(id, 'Count.');
    await held.reached;
    await assert.rejects(editor.prompt(id, 'Again.'), { code: -32600 });
    held.open();
    assert.equal((await answer).stopReason, 'end_turn');
    assert.equal(editor.said(id), 'One');
  });

  it('shows a todo list as the plan', async () => {
    const id = await editor.newSession(workspace.path);
    const todos = [
      { description: 'Look', status: 'completed' },
      { description: 'Change', status: 'in_progress' },
      { description: 'Skip', status: 'cancelled' },
    ];
    endpoint.reply(call('write_todos', { todos }));
    endpoint.reply('Noted.');
    await editor.prompt(id, 'Plan.');
    assert.deepEqual(editor.of(id, 'plan').at(-1)?.entries, [
      { content: 'Look', priority: 'medium', status: 'completed' },
      { content: 'Change', priority: 'medium', status: 'in_progress' },
    ]);
  });

  it('changes the approval mode and the model, by both ways of the protocol', async () => {
    const setup = await editor.agent.request('session/new', { cwd: workspace.path, mcpServers: [] });
    const { sessionId } = setup;
    assert.equal(setup.modes?.currentModeId, 'default');
    await editor.agent.request('session/set_mode', { sessionId, modeId: 'autoEdit' });
    assert.equal(editor.of(sessionId, 'current_mode_update').at(-1)?.currentModeId, 'autoEdit');
    const set = (configId: string, value: string) =>
      editor.agent.request('session/set_config_option', { sessionId, configId, value });
    const { configOptions } = await set('model', 'gemini-3.5-flash-lite');
    assert.deepEqual(
      configOptions.map(({ id, currentValue }) => [id, currentValue]),
      [
        ['mode', 'autoEdit'],
        ['model', 'gemini-3.5-flash-lite'],
      ],
    );
    endpoint.reply(call('write_file', { file_path: 'new.txt', content: 'x' }));
    endpoint.reply('Done.');
    await editor.prompt(sessionId, 'Write it.');
    assert.equal(endpoint.requests.at(-1)?.model, 'gemini-3.5-flash-lite');
    assert.equal(editor.permissions.length, 0, 'this mode edits without asking');
    await assert.rejects(set('model', 'gpt'), { code: -32602 });
    await assert.rejects(set('colour', 'red'), { code: -32602 });
    await assert.rejects(editor.agent.request('session/set_mode', { sessionId, modeId: 'wild' }), { code: -32602 });
  });

  it('offers the custom commands of the folder, and runs them', async () => {
    await workspace.write({ '.gemini/commands/greet.toml': 'description = "Greets"\nprompt = "Greet {{args}}"\n' });
    const id = await editor.newSession(workspace.path);
    await editor.until(() => editor.of(id, 'available_commands_update').length > 0);
    const commands = editor.of(id, 'available_commands_update').at(-1)?.availableCommands ?? [];
    assert.deepEqual(commands.map(({ name }) => name).sort(), ['compress', 'greet', 'init']);
    endpoint.reply('Hello Ada.');
    await editor.prompt(id, '/greet Ada');
    assert.match(endpoint.requests.at(-1)?.lastUserText ?? '', /Greet Ada/);
  });

  it('sends the files that a prompt links to or contains', async () => {
    const sessionId = await editor.newSession(workspace.path);
    endpoint.reply('Thanks.');
    await editor.agent.request('session/prompt', {
      sessionId,
      prompt: [
        { type: 'text', text: 'Compare ' },
        { type: 'resource_link', name: 'note.txt', uri: pathToFileURL(join(workspace.path, 'note.txt')).href },
        { type: 'text', text: ' with ' },
        { type: 'resource', resource: { uri: 'untitled:draft', text: 'The answer is 7.' } },
      ],
    });
    const sent = JSON.stringify(endpoint.requests.at(-1)?.body);
    assert.match(sent, /The answer is 42\./);
    assert.match(sent, /The answer is 7\./);
  });

  it('reports the error of a run that fails as the error of the prompt', async () => {
    const id = await editor.newSession(workspace.path);
    endpoint.reply(invalidKey);
    await assert.rejects(editor.prompt(id, 'Hi'), ({ code, message }: { code: number; message: string }) => {
      assert.equal(code, -32000);
      assert.match(message, /key/i);
      return true;
    });
  });

  it('has a title once the first answer is there', async () => {
    const id = await editor.newSession(workspace.path);
    endpoint.replyTitle('A greeting');
    endpoint.reply('Hello. How are you today? I can help you with the files here.');
    await editor.prompt(id, 'Hello there, who are you and what can you do for me?');
    await editor.until(() => editor.of(id, 'session_info_update').length > 0);
    assert.equal(editor.of(id, 'session_info_update').at(-1)?.title, 'A greeting');
  });

  it('reports how full the context is', async () => {
    const id = await editor.newSession(workspace.path);
    endpoint.reply('Hello.', usage({ promptTokenCount: 1000, candidatesTokenCount: 5 }));
    await editor.prompt(id, 'Hi');
    const use = editor.of(id, 'usage_update').at(-1);
    assert.ok(use && use.used >= 1000 && use.size > 100_000, JSON.stringify(use));
  });

  it('writes nothing but messages of the protocol to stdout', () => {
    for (const line of editor.stdout.trimEnd().split('\n')) {
      const message: unknown = JSON.parse(line);
      assert.ok(typeof message === 'object' && message !== null && 'jsonrpc' in message, line);
    }
  });
});
