import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { forbidden, invalidKey, unauthorized } from '../../support/gemini/faults.ts';
import { gate } from '../../support/gemini/gate.ts';
import { call, huge, pause, stream, thought, usage } from '../../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../support/gemini/server.ts';
import { eventsOf, HeadlessProcess, type HeadlessResult, runHeadless } from '../../support/headless.ts';
import { commandInProcess } from '../../support/in-process.ts';
import { runs } from '../../support/test-size.ts';

/** One process for each form of output, exit code and way to end; everything else is the same without one. */
describe('node dist/headless.js', () => {
  let endpoint: GeminiEndpoint;
  let workspace: string;
  let environment: Record<string, string>;

  beforeEach(async () => {
    endpoint = await startGeminiEndpoint();
    workspace = await mkdtemp(join(tmpdir(), 'gantry-headless-'));
    environment = { GEMINI_API_KEY: 'test-key', GOOGLE_GEMINI_BASE_URL: endpoint.url };
  });

  afterEach(async () => {
    await rm(workspace, { recursive: true, force: true });
    await endpoint.dispose();
  });

  const ask = (...args: readonly string[]): Promise<HeadlessResult> =>
    runHeadless(['--workspace', workspace, ...args], { environment });
  const askInProcess = (...args: readonly string[]): Promise<HeadlessResult> =>
    commandInProcess(['--workspace', workspace, ...args], { environment });

  describe('prints', () => {
    it('the answer and nothing else as text, also when the variables of two keys are set', async () => {
      environment = { ...environment, GOOGLE_API_KEY: 'another-key' };
      endpoint.reply(thought('Let me think.'), stream('Hello', ' there'));
      assert.deepEqual(await ask('-p', 'Hi'), { code: 0, stdout: 'Hello there\n', stderr: '' });
      assert.equal(endpoint.requests[0]?.lastUserText, 'Hi');
      assert.equal(endpoint.requests[0]?.apiKey, 'test-key');
    });

    it('what is said before and after a tool call on lines of their own', async () => {
      await writeFile(join(workspace, 'note.txt'), 'The answer is 42.\n');
      endpoint.reply('I will look.', call('read_file', { file_path: 'note.txt' }));
      endpoint.reply('It is 42.');
      assert.deepEqual(await askInProcess('-p', 'What does note.txt say?'), {
        code: 0,
        stdout: 'I will look.\nIt is 42.\n',
        stderr: '',
      });
      assert.match(JSON.stringify(endpoint.requests[1]?.toolResults), /The answer is 42\./);
    });

    it('one object as json', async () => {
      await writeFile(join(workspace, 'note.txt'), 'The answer is 42.\n');
      endpoint.reply(
        'I will look.',
        call('read_file', { file_path: 'note.txt' }),
        usage({ promptTokenCount: 10, candidatesTokenCount: 5 }),
      );
      endpoint.reply('It is 42.', usage({ promptTokenCount: 20, candidatesTokenCount: 7, cachedContentTokenCount: 8 }));
      const args = ['-p', 'What does note.txt say?', '--output', 'json', '--model', 'gemini-x'];
      const { code, stdout } = await askInProcess(...args);
      const { sessionId, ...rest } = JSON.parse(stdout);
      assert.equal(code, 0);
      assert.match(sessionId, /\S/);
      assert.deepEqual(rest, {
        response: 'It is 42.',
        model: 'gemini-x',
        usage: { inputTokens: 30, outputTokens: 12, cachedTokens: 8 },
        toolCalls: [{ name: 'read_file', isError: false }],
        exitReason: 'completed',
      });
      assert.equal(endpoint.requests[0]?.model, 'gemini-x');
    });

    it('every event on a line of its own as stream-json', async () => {
      endpoint.reply(thought('Hm.'), 'Hello');
      const { code, stdout } = await askInProcess('-p', 'Hi', '--output', 'stream-json');
      const events = eventsOf(stdout);
      assert.equal(code, 0);
      assert.deepEqual(
        events.slice(0, 3).map(({ type, role }) => role ?? type),
        ['initialize', 'user', 'agent_start'],
      );
      assert.equal(events.filter(({ role }) => role === 'agent').length, 2);
      assert.deepEqual([events.at(-1)?.type, events.at(-1)?.reason], ['agent_end', 'completed']);
    });

    it('a long answer to a prompt from stdin completely before it ends', async () => {
      const chunks = huge(runs(300_000, 4_000_000));
      const answer = chunks.flatMap(({ parts = [] }) => parts.map(({ text = '' }) => text)).join('');
      endpoint.reply(chunks);
      const { code, stdout } = await runHeadless(['--workspace', workspace], { environment, stdin: 'Write a lot\n' });
      assert.deepEqual([code, stdout.length], [0, answer.length + (answer.endsWith('\n') ? 0 : 1)]);
      assert.equal(endpoint.requests[0]?.lastUserText, 'Write a lot');
    });
  });

  it('takes the prompt from -p alone when stdin stays open and silent', async () => {
    endpoint.reply('Hello');
    const result = await runHeadless(['--workspace', workspace, '-p', 'Hi'], { environment, stdin: 'open' });
    assert.deepEqual([result.code, result.stdout], [0, 'Hello\n']);
    assert.match(result.stderr, /No input arrived on stdin/);
  });

  describe('says what went wrong', () => {
    const refused = [
      { name: 'an unauthorized request', reply: unauthorized() },
      { name: 'a wrong key', reply: invalidKey() },
      { name: 'a forbidden request', reply: forbidden() },
    ];
    for (const { name, reply } of refused) {
      it(`and exits with 41 after ${name}`, async () => {
        endpoint.reply(reply);
        const { code, stdout, stderr } = await askInProcess('-p', 'Hi');
        assert.deepEqual([code, stdout], [41, '']);
        assert.match(stderr, /\S\. \S/);
      });
    }

    it('in the json object too', async () => {
      endpoint.reply(unauthorized());
      const { code, stdout } = await ask('-p', 'Hi', '--output', 'json');
      const { error, exitReason, response } = JSON.parse(stdout);
      assert.equal(code, 41);
      assert.deepEqual(
        [error.kind, error.status, exitReason, response],
        ['bad-credential', 'UNAUTHENTICATED', 'failed', ''],
      );
    });

    for (const { url, code, says, run } of [
      { url: 'http://127.0.0.1:9', code: 1, says: /127\.0\.0\.1:9/, run: ask },
      { url: 'nonsense', code: 52, says: /GOOGLE_GEMINI_BASE_URL/, run: askInProcess },
    ]) {
      it(`and exits with ${code} when the endpoint is ${url}`, async () => {
        environment['GOOGLE_GEMINI_BASE_URL'] = url;
        environment['GANTRY_MAX_ATTEMPTS'] = '1';
        const result = await run('-p', 'Hi');
        assert.deepEqual([result.code, result.stdout], [code, '']);
        assert.match(result.stderr, says);
      });
    }

    it('and exits with 1 when the model goes in circles, saying how to continue', async () => {
      endpoint.always(call('read_file', { file_path: 'nothing.txt' }));
      const { code, stderr } = await askInProcess('-p', 'Look');
      assert.equal(code, 1);
      assert.match(stderr, /repeating itself[\s\S]*read_file[\s\S]*--resume/);
      assert.equal(endpoint.requests.length, 10);
    });

    it('and exits with 53 at the turn limit, keeping the text so far', async () => {
      endpoint.reply('I will look.', call('read_file', { file_path: 'note.txt' }));
      const { code, stdout, stderr } = await ask('-p', 'Look', '--max-turns', '1');
      assert.deepEqual([code, stdout], [53, 'I will look.\n']);
      assert.match(stderr, /turn limit of 1 .*--max-turns/);
    });

    it('and exits with 42 for a prompt of 5 MB, in every format', async () => {
      const stdin = 'x'.repeat(5 * 1024 * 1024);
      const asText = await commandInProcess([], { cwd: workspace, environment, stdin });
      const asJson = await commandInProcess(['--output', 'json'], { cwd: workspace, environment, stdin });
      const asStream = await commandInProcess(['--output', 'stream-json'], { cwd: workspace, environment, stdin });
      assert.deepEqual([asText.code, asJson.code, asStream.code], [42, 42, 42]);
      assert.match(asText.stderr, /too l(ong|arge)/);
      assert.equal(JSON.parse(asJson.stdout).error.kind, 'message-too-large');
      assert.equal(eventsOf(asStream.stdout).at(-1)?.type, 'error');
      assert.equal(endpoint.requests.length, 0);
    });
  });

  describe('refuses bad input with 42', () => {
    const cases = [
      {
        name: 'recorded answers that are not there',
        args: ['--replay', '/no/such.jsonl', '-p', 'Hi'],
        says: /\/no\/such\.jsonl: there is no such file/,
      },
      {
        name: 'answers that are both recorded and replayed',
        args: ['--replay', 'a', '--record', 'b', '-p', 'Hi'],
        says: /nothing to --record/,
      },
      { name: 'no prompt', args: [], says: /no prompt.*-p/, run: runHeadless },
      {
        name: 'a folder that is not there',
        args: ['-p', 'Hi', '--workspace', '/no/such/folder'],
        says: /\/no\/such\/folder/,
      },
    ];
    for (const { name, args, says, run = commandInProcess } of cases) {
      it(name, async () => {
        const { code, stdout, stderr } = await run(args, { environment });
        assert.deepEqual([code, stdout], [42, '']);
        assert.match(stderr, says);
      });
    }
  });

  it('starts nothing without a home folder, where the settings of the project would be the user’s', async () => {
    const { code, stdout, stderr } = await runHeadless(['-p', 'Hi'], {
      cwd: workspace,
      environment: { ...environment, HOME: '' },
    });
    assert.deepEqual([code, stdout, endpoint.requests.length], [52, '', 0]);
    assert.match(stderr, /^HOME is empty\. .* Set HOME to an absolute path and start again\.$/m);
  });

  describe('ends early', () => {
    for (const signal of ['SIGINT', 'SIGHUP'] as const) {
      it(`on ${signal} with 130, keeping the text so far`, async () => {
        const open = gate();
        endpoint.reply('Once upon', pause(open), ' a time');
        const args = ['--workspace', workspace, '-p', 'Tell', '--output', 'stream-json'];
        const running = new HeadlessProcess(args, { environment });
        await running.untilPrinted('Once upon');
        running.child.kill(signal);
        const { code, stdout, stderr } = await running.ended;
        assert.deepEqual([code, stderr], [130, 'Interrupted.\n']);
        assert.equal(eventsOf(stdout).at(-1)?.reason, 'aborted');
        assert.equal(await endpoint.requests[0]?.closed, 'disconnected');
      });
    }

    it('quietly when the reader of its output goes away', async () => {
      const open = gate();
      endpoint.reply('Once upon\n', pause(open), ' a time', huge(runs(300_000, 1_000_000)));
      const args = ['--workspace', workspace, '-p', 'Tell', '--output', 'stream-json'];
      const running = new HeadlessProcess(args, { environment });
      await running.untilPrinted('Once upon');
      running.child.stdout.destroy();
      open.open();
      const { code, stderr } = await running.ended;
      assert.deepEqual([code, stderr], [0, '']);
    });
  });

  it('shows help and version without a workspace, a key or a prompt', async () => {
    const help = await commandInProcess(['--help']);
    const version = await runHeadless(['--version']);
    assert.deepEqual([help.code, help.stderr, version.code], [0, '', 0]);
    assert.match(help.stdout, /--output FORMAT/);
    assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
  });
});
