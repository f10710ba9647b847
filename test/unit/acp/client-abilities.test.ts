import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CreateElicitationRequest } from '@agentclientprotocol/sdk';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { AcpEditor, choose } from '../../support/acp-editor.ts';
import { call } from '../../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../support/gemini/server.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';

let endpoint: GeminiEndpoint;
let workspace: TempWorkspace;
let editor: AcpEditor;

const note = (): string => join(workspace.path, 'note.txt');
const changeNote = () =>
  call('replace', { file_path: 'note.txt', old_string: '42', new_string: '43', instruction: 'Change it.' });

async function start(capabilities: Parameters<typeof AcpEditor.start>[0]): Promise<void> {
  endpoint = await startGeminiEndpoint();
  const environment = { GEMINI_API_KEY: 'test-key', GOOGLE_GEMINI_BASE_URL: endpoint.url };
  editor = await AcpEditor.start({ environment, ...capabilities });
}

async function stop(): Promise<void> {
  await editor.quit();
  await endpoint.dispose();
}

async function begin(): Promise<void> {
  workspace = await createTempWorkspace({ 'note.txt': 'The answer is 42.\n' });
  editor.onPermission = () => choose('once');
  editor.forms.length = 0;
  editor.permissions.length = 0;
  editor.written.length = 0;
  editor.open.clear();
  editor.onWrite = (path, content) => writeFile(path, content);
}

const results = (): string => JSON.stringify(endpoint.requests.at(-1)?.toolResults);

describe('The files of another editor', () => {
  before(() => start({ capabilities: { fs: { readTextFile: true, writeTextFile: true } } }));
  after(stop);
  beforeEach(begin);
  afterEach(() => workspace.dispose());

  it('are read with their unsaved changes', async () => {
    const id = await editor.newSession(workspace.path);
    editor.open.set(note(), 'The answer is 7, unsaved.\n');
    endpoint.reply(call('read_file', { file_path: 'note.txt' }));
    endpoint.reply('It is 7.');
    await editor.prompt(id, 'What does it say?');
    assert.match(results(), /The answer is 7, unsaved/);
  });

  it('are changed through the editor, with the changes that are not saved', async () => {
    const id = await editor.newSession(workspace.path);
    editor.open.set(note(), 'The answer is 42.\nUnsaved.\n');
    editor.onWrite = async (path, content) => {
      editor.open.set(path, content);
      await writeFile(path, content);
    };
    endpoint.reply(changeNote());
    endpoint.reply('Done.');
    await editor.prompt(id, 'Change it.');
    assert.deepEqual(editor.written, [{ path: note(), content: 'The answer is 43.\nUnsaved.\n', sessionId: id }]);
    assert.equal(await readFile(note(), 'utf8'), 'The answer is 43.\nUnsaved.\n');
  });

  it('keep their line ends, although the editor shows only one kind', async () => {
    await writeFile(note(), 'The answer is 42.\r\nMore.\r\n');
    const id = await editor.newSession(workspace.path);
    editor.open.set(note(), 'The answer is 42.\nMore.\n');
    endpoint.reply(changeNote());
    endpoint.reply('Done.');
    await editor.prompt(id, 'Change it.');
    assert.equal(editor.written[0]?.content, 'The answer is 43.\r\nMore.\r\n');
  });

  it('are created by the editor', async () => {
    const id = await editor.newSession(workspace.path);
    endpoint.reply(call('write_file', { file_path: 'new.txt', content: 'New.\n' }));
    endpoint.reply('Done.');
    await editor.prompt(id, 'Write it.');
    assert.deepEqual(editor.written, [{ path: join(workspace.path, 'new.txt'), content: 'New.\n', sessionId: id }]);
    assert.equal(await readFile(join(workspace.path, 'new.txt'), 'utf8'), 'New.\n');
  });

  it('are created all the same if the editor says so and does not do it', async () => {
    const id = await editor.newSession(workspace.path);
    editor.onWrite = () => undefined;
    endpoint.reply(call('write_file', { file_path: 'new.txt', content: 'New.\n' }));
    endpoint.reply('Done.');
    await editor.prompt(id, 'Write it.');
    assert.equal(await readFile(join(workspace.path, 'new.txt'), 'utf8'), 'New.\n');
  });

  it('stay as they are if the editor cannot write them, and the model learns it', async () => {
    const id = await editor.newSession(workspace.path);
    editor.open.set(note(), 'The answer is 42.\nUnsaved.\n');
    editor.onWrite = () => {
      throw new Error('The disk is full');
    };
    endpoint.reply(changeNote());
    endpoint.reply('It failed.');
    await editor.prompt(id, 'Change it.');
    assert.match(results(), /was not written/);
    assert.equal(await readFile(note(), 'utf8'), 'The answer is 42.\n');
  });

  it('are not asked for outside of the workspace or if Gantry does not read them', async () => {
    const id = await editor.newSession(workspace.path);
    await workspace.write({ '.env': 'KEY=secret\n' });
    editor.open.set(join(workspace.path, '.env'), 'KEY=unsaved\n');
    editor.open.set('/etc/hostname', 'mine');
    const from = editor.stdout.length;
    endpoint.reply(call('read_file', { file_path: '.env' }), call('read_file', { file_path: '/etc/hostname' }));
    endpoint.reply('No.');
    await editor.prompt(id, 'Read them.');
    assert.doesNotMatch(editor.stdout.slice(from), /fs\/read_text_file/);
  });
});

describe('An editor that shows forms and only reads files', () => {
  before(() => start({ capabilities: { fs: { readTextFile: true }, elicitation: { form: {} } } }));
  after(stop);
  beforeEach(begin);
  afterEach(() => workspace.dispose());

  const questions = [
    {
      question: 'Which database?',
      header: 'Database',
      type: 'choice',
      options: [
        { label: 'SQLite', description: 'One file' },
        { label: 'Postgres', description: 'A server' },
      ],
    },
    { question: 'Which name?', header: 'Name', type: 'text' },
  ];

  it('answers the questions of the agent', async () => {
    const id = await editor.newSession(workspace.path);
    editor.onForm = () => ({ action: 'accept', content: { answer1: 'SQLite', other1: 'in memory', answer2: 'main' } });
    endpoint.reply(call('ask_user', { questions }));
    endpoint.reply('Thanks.');
    await editor.prompt(id, 'Ask me.');
    const [form] = editor.forms;
    assert.ok(form && CreateElicitationRequest.isForm(form));
    assert.deepEqual(Object.keys(form.requestedSchema.properties ?? {}), ['answer1', 'other1', 'answer2']);
    assert.match(results(), /SQLite, in memory/);
    assert.match(results(), /main/);
  });

  for (const action of ['decline', 'cancel'] as const) {
    it(`can ${action} a question`, async () => {
      const id = await editor.newSession(workspace.path);
      editor.onForm = () => ({ action });
      endpoint.reply(call('ask_user', { questions }));
      endpoint.reply('All right.');
      assert.equal((await editor.prompt(id, 'Ask me.')).stopReason, 'end_turn');
      assert.equal(editor.of(id, 'tool_call_update').at(-1)?.status, 'failed');
    });
  }

  for (const [decision, mode] of [
    ['autoEdit', 'autoEdit'],
    ['reject', 'plan'],
  ] as const) {
    it(`decides about a plan: ${decision}`, async () => {
      const id = await editor.newSession(workspace.path);
      await editor.agent.request('session/set_mode', { sessionId: id, modeId: 'plan' });
      editor.onForm = () => ({ action: 'accept', content: { decision, feedback: 'Be quick.' } });
      endpoint.reply(call('write_file', { file_path: 'plan.md', content: '# The plan\n' }));
      endpoint.reply(call('exit_plan_mode', { plan_filename: 'plan.md' }));
      endpoint.reply('Noted.');
      await editor.prompt(id, 'Plan it.');
      assert.match(editor.forms[0]?.message ?? '', /# The plan/);
      assert.match(results(), /Be quick/);
      assert.equal(editor.of(id, 'current_mode_update').at(-1)?.currentModeId, mode);
    });
  }

  it('loses no unsaved changes in a file that it cannot write', async () => {
    const id = await editor.newSession(workspace.path);
    editor.open.set(note(), 'The answer is 42.\nUnsaved.\n');
    endpoint.reply(changeNote());
    endpoint.reply('It failed.');
    await editor.prompt(id, 'Change it.');
    assert.match(results(), /was not written/);
    assert.equal(await readFile(note(), 'utf8'), 'The answer is 42.\n');
    assert.deepEqual(editor.written, []);
  });

  it('gets saved files changed on disk', async () => {
    const id = await editor.newSession(workspace.path);
    editor.open.set(note(), 'The answer is 42.\n');
    endpoint.reply(changeNote());
    endpoint.reply('Done.');
    await editor.prompt(id, 'Change it.');
    assert.equal(await readFile(note(), 'utf8'), 'The answer is 43.\n');
  });
});
