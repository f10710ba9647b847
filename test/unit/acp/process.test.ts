import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { AcpEditor, type AcpEditorOptions, choose } from '../../support/acp-editor.ts';
import { call } from '../../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../support/gemini/server.ts';
import { runHeadless } from '../../support/headless.ts';
import { stdio } from '../../support/mcp/stdio.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';

describe('gantry acp', () => {
  let endpoint: GeminiEndpoint;
  let workspace: TempWorkspace;
  let home: TempFolder;
  const editors: AcpEditor[] = [];

  beforeEach(async () => {
    endpoint = await startGeminiEndpoint();
    workspace = await createTempWorkspace({ 'note.txt': 'The answer is 42.\n' });
    home = await tempFolder('home');
  });

  afterEach(async () => {
    for (const editor of editors.splice(0)) await editor.quit();
    for (const part of [workspace, endpoint, home]) await part.dispose();
  });

  const start = async (options: AcpEditorOptions = {}): Promise<AcpEditor> => {
    const environment = { GEMINI_API_KEY: 'test-key', GOOGLE_GEMINI_BASE_URL: endpoint.url, GANTRY_HOME: home.path };
    const editor = await AcpEditor.start({ environment, ...options });
    editors.push(editor);
    return editor;
  };

  it('asks again about a call if the client died before it answered, and the log is whole', async () => {
    const first = await start();
    const id = await first.newSession(workspace.path);
    first.onPermission = () => new Promise(() => undefined);
    endpoint.reply(call('write_file', { file_path: 'new.txt', content: 'New.\n' }));
    const answer = first.prompt(id, 'Write it.');
    answer.catch(() => undefined);
    await first.until(() => first.permissions.length > 0);
    assert.equal(await first.quit(), 0, 'a client that leaves is no failure');
    assert.deepEqual((await logOf(id)).slice(-1), ['asked'], 'nobody has decided, and nothing was stopped');

    const second = await start();
    const { sessions } = await second.agent.request('session/list', { cwd: workspace.path });
    assert.deepEqual(
      sessions.map(({ sessionId }) => sessionId),
      [id],
    );
    await second.agent.request('session/load', { sessionId: id, cwd: workspace.path, mcpServers: [] });
    assert.equal(second.of(id, 'tool_call').length, 1);
    assert.equal(second.permissions.length, 0, 'questions belong to a turn');
    endpoint.reply('Written.');
    await second.prompt(id, 'Go on.');
    assert.equal(second.permissions.length, 1);
    assert.equal(await readFile(join(workspace.path, 'new.txt'), 'utf8'), 'New.\n');
  });

  const logOf = async (id: string): Promise<string[]> => {
    const [file = ''] = (await readdir(home.path, { recursive: true })).filter(
      (name) => name.includes(id) && name.endsWith('log.jsonl'),
    );
    const lines = (await readFile(join(home.path, file), 'utf8')).trimEnd().split('\n');
    return lines.map((line) => (JSON.parse(line) as { type: string }).type);
  };

  it('loses nothing when it is killed in the middle of an answer', async () => {
    const first = await start();
    const id = await first.newSession(workspace.path);
    endpoint.reply('One', { kind: 'wait', headersFirst: true, pass: () => new Promise(() => undefined) });
    first.prompt(id, 'Count.').catch(() => undefined);
    await first.until(() => first.said(id) === 'One');
    first.child.kill('SIGKILL');
    await first.ended;
    const second = await start();
    await second.agent.request('session/load', { sessionId: id, cwd: workspace.path, mcpServers: [] });
    assert.equal(second.said(id), 'One');
    endpoint.reply('Two');
    assert.equal((await second.prompt(id, 'Go on.')).stopReason, 'end_turn');
  });

  it('names the program that has a session open, and leaves it alone', async () => {
    const first = await start();
    const id = await first.newSession(workspace.path);
    endpoint.reply('Hi.');
    await first.prompt(id, 'Hi');
    const second = await start();
    const load = second.agent.request('session/load', { sessionId: id, cwd: workspace.path, mcpServers: [] });
    await assert.rejects(load, ({ code, message }: { code: number; message: string }) => {
      assert.equal(code, -32602);
      assert.match(message, /Test Editor/);
      return true;
    });
    endpoint.reply('Still here.');
    assert.equal((await first.prompt(id, 'And now?')).stopReason, 'end_turn');
  });

  it('shares its sessions with the command line', async () => {
    const editor = await start();
    const id = await editor.newSession(workspace.path);
    endpoint.reply('It is 42.');
    await editor.prompt(id, 'What is it?');
    await editor.agent.request('session/close', { sessionId: id });
    endpoint.reply('Still 42.');
    const environment = { GEMINI_API_KEY: 'test-key', GOOGLE_GEMINI_BASE_URL: endpoint.url, GANTRY_HOME: home.path };
    const args = ['--workspace', workspace.path, '--resume', id, '-p', 'And now?'];
    assert.equal((await runHeadless(args, { environment })).stdout, 'Still 42.\n');
    await editor.agent.request('session/load', { sessionId: id, cwd: workspace.path, mcpServers: [] });
    assert.equal(editor.said(id).slice(-9), 'Still 42.');
  });

  it('only reads in a folder that is not trusted, and starts no servers for it', async () => {
    const editor = await start({ flags: [] });
    const server = { name: 'sample', ...(stdio('good') as { command: string; args: string[] }), env: [] };
    const id = await editor.newSession(workspace.path, { mcpServers: [server] });
    endpoint.reply(call('write_file', { file_path: 'new.txt', content: 'x' }));
    endpoint.reply('No.');
    await editor.prompt(id, 'Write it.');
    assert.equal(editor.permissions.length, 0);
    assert.equal(editor.of(id, 'tool_call_update').at(-1)?.status, 'failed');
    assert.ok(!endpoint.requests[0]?.toolNames.some((name) => name.startsWith('mcp_')));
    await assert.rejects(readFile(join(workspace.path, 'new.txt')));
  });

  it('requires a model, and says how to set one up', async () => {
    const editor = await start({ environment: { GANTRY_HOME: home.path } });
    const isRequired = ({ code, message }: { code: number; message: string }): true => {
      assert.equal(code, -32000);
      assert.match(message, /GEMINI_API_KEY/);
      return true;
    };
    await assert.rejects(editor.newSession(workspace.path), isRequired);
    await assert.rejects(editor.agent.request('authenticate', { methodId: 'environment' }), isRequired);
    await assert.rejects(editor.agent.request('authenticate', { methodId: 'magic' }), { code: -32602 });
    assert.deepEqual(await editor.agent.request('session/list', {}), { sessions: [] });
  });

  it('reports a server of the client that does not start, and answers without it', async () => {
    const editor = await start();
    const server = { name: 'broken', command: join(workspace.path, 'missing'), args: [], env: [] };
    const id = await editor.newSession(workspace.path, { mcpServers: [server] });
    endpoint.reply('Hi.');
    assert.equal((await editor.prompt(id, 'Hi')).stopReason, 'end_turn');
    await editor.until(() => /broken/.test(editor.stderr));
  });

  it('passes warnings to a client that shows them', async () => {
    const editor = await start({ capabilities: { session: { notices: {} } } });
    const server = { name: 'broken', command: join(workspace.path, 'missing'), args: [], env: [] };
    const id = await editor.newSession(workspace.path, { mcpServers: [server] });
    endpoint.reply('Hi.');
    await editor.prompt(id, 'Hi');
    await editor.until(() => editor.of(id, 'notice').length > 0);
    assert.match(editor.of(id, 'notice')[0]?.title ?? '', /broken/);
  });

  it('ends with 130 when it is interrupted, and keeps the question', async () => {
    const editor = await start();
    const id = await editor.newSession(workspace.path);
    editor.onPermission = () => new Promise(() => choose('once'));
    endpoint.reply(call('write_file', { file_path: 'new.txt', content: 'x' }));
    editor.prompt(id, 'Write it.').catch(() => undefined);
    await editor.until(() => editor.permissions.length > 0);
    editor.child.kill('SIGTERM');
    assert.equal(await editor.ended, 130);
    assert.deepEqual((await logOf(id)).slice(-1), ['asked']);
  });
});
