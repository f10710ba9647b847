import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { call, stream } from '../../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../support/gemini/server.ts';
import { type HeadlessResult, runHeadless } from '../../support/headless.ts';
import { commandInProcess } from '../../support/in-process.ts';
import { OAuthServer } from '../../support/oauth-server.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';

describe('The command line, signing in and recording', () => {
  let endpoint: GeminiEndpoint;
  let oauth: OAuthServer;
  let folder: TempWorkspace;

  beforeEach(async () => {
    endpoint = await startGeminiEndpoint();
    oauth = await OAuthServer.start();
    folder = await createTempWorkspace({ 'a.txt': 'alpha' });
  });
  afterEach(async () => {
    await endpoint.dispose();
    await oauth.dispose();
    await folder.dispose();
  });

  const run = (args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<HeadlessResult> =>
    commandInProcess(['--workspace', folder.path, ...args], { cwd: folder.path, environment });

  it('records a run with a tool, and replays it without a model, a key or a network', async () => {
    endpoint.reply(call('read_file', { file_path: 'a.txt' }));
    endpoint.reply(stream('It says ', 'alpha.'));
    const key = { GEMINI_API_KEY: 'AIzaSySecretSecretSecret', GOOGLE_GEMINI_BASE_URL: endpoint.url };
    const recorded = await run(['-p', 'Read a.txt', '--record', 'answers.jsonl'], key);
    assert.deepEqual([recorded.code, recorded.stdout], [0, 'It says alpha.\n']);
    assert.doesNotMatch(await readFile(join(folder.path, 'answers.jsonl'), 'utf8'), /AIzaSy/);
    const replayed = await run(['-p', 'Whatever', '--replay', 'answers.jsonl', '--output', 'json']);
    assert.equal(replayed.code, 0, replayed.stderr);
    assert.match(replayed.stdout, /It says alpha\./);
    assert.equal(endpoint.requests.length, 2);
  });

  it('ends with 42 where the recorded answers do, with file and line', async () => {
    endpoint.reply(call('read_file', { file_path: 'a.txt' }));
    endpoint.reply('Done.');
    await run(['-p', 'Hi', '--record', 'answers.jsonl'], { GOOGLE_GEMINI_BASE_URL: endpoint.url });
    const [first = ''] = (await readFile(join(folder.path, 'answers.jsonl'), 'utf8')).split('\n');
    await folder.write({ 'short.jsonl': first, 'broken.jsonl': `${first}\n{` });
    const short = await run(['-p', 'Hi', '--replay', 'short.jsonl']);
    assert.equal(short.code, 42);
    assert.match(short.stderr, /short\.jsonl ends after line 1, and generateContentStream was asked for/);
    const broken = await run(['-p', 'Hi', '--replay', 'broken.jsonl']);
    assert.equal(broken.code, 42);
    assert.match(broken.stderr, /broken\.jsonl, line 2, is not JSON/);
  });

  it('ends with 42 where answers cannot be recorded', async () => {
    endpoint.reply('Done.');
    const result = await run(['-p', 'Hi', '--record', 'no/such/folder.jsonl'], {
      GOOGLE_GEMINI_BASE_URL: endpoint.url,
    });
    assert.equal(result.code, 42);
    assert.match(result.stderr, /no\/such\/folder\.jsonl: there is no folder \S+no\/such\. Nothing was sent/);
    assert.equal(endpoint.requests.length, 0);
  });

  /** What Google's own library does depends on variables of the process, and what it prints goes to that of the process. */
  const runProcess: typeof run = (args, environment = {}) =>
    runHeadless(['--workspace', folder.path, ...args], { cwd: folder.path, environment });

  const VERTEX = { GOOGLE_GENAI_USE_VERTEXAI: 'true', GOOGLE_CLOUD_PROJECT: 'tools', GOOGLE_CLOUD_LOCATION: 'us' };

  it('asks Vertex AI with the account of the machine', async () => {
    endpoint.reply('Hello');
    const environment = { ...VERTEX, GOOGLE_GEMINI_BASE_URL: endpoint.url, GCE_METADATA_HOST: oauth.host };
    const result = await runProcess(['-p', 'Hi', '--output', 'stream-json'], environment);
    assert.equal(result.code, 0, result.stderr);
    assert.match(endpoint.requests[0]?.path ?? '', /\/projects\/tools\/locations\/us\/publishers\/google\/models\//);
    assert.equal(endpoint.requests[0]?.headers.authorization, 'Bearer access-1');
    for (const line of result.stdout.trimEnd().split('\n')) assert.doesNotThrow(() => JSON.parse(line), line);
  });

  it('asks Vertex AI with an express key, and prints nothing but events', async () => {
    endpoint.reply('Hello');
    const environment = {
      GOOGLE_GENAI_USE_VERTEXAI: 'true',
      GOOGLE_CLOUD_LOCATION: 'us-central1',
      GOOGLE_API_KEY: 'express',
      GOOGLE_GEMINI_BASE_URL: endpoint.url,
    };
    const result = await runProcess(['-p', 'Hi', '--output', 'stream-json'], environment);
    assert.equal(result.code, 0, result.stderr);
    assert.equal(endpoint.requests[0]?.apiKey, 'express');
    for (const line of result.stdout.trimEnd().split('\n')) assert.doesNotThrow(() => JSON.parse(line), line);
  });

  it('exits with 41 without credentials, and with 52 without a project', async () => {
    const nowhere = { GCE_METADATA_HOST: '127.0.0.1:9', GOOGLE_GEMINI_BASE_URL: endpoint.url };
    const none = await runProcess(['-p', 'Hi'], { ...VERTEX, ...nowhere });
    assert.equal(none.code, 41);
    assert.match(none.stderr, /no application default credentials/);
    const project = await runProcess(['-p', 'Hi'], { GOOGLE_GENAI_USE_VERTEXAI: 'true', ...nowhere });
    assert.equal(project.code, 52);
    assert.match(project.stderr, /There is no project/);
  });
});
