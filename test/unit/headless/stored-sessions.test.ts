import assert from 'node:assert/strict';
import { appendFile, mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { unauthorized } from '../../support/gemini/faults.ts';
import { gate } from '../../support/gemini/gate.ts';
import { pause, usage } from '../../support/gemini/script.ts';
import { snapshotModel } from '../../support/gemini/snapshot-model.ts';
import { useGemini } from '../../support/gemini/suite.ts';
import { eventsOf, HeadlessProcess, type HeadlessResult } from '../../support/headless.ts';
import { commandInProcess } from '../../support/in-process.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';

describe('The command line with stored sessions', () => {
  const endpoint = useGemini();
  let folder: TempFolder;
  let workspace: string;
  let environment: Record<string, string>;

  beforeEach(async () => {
    folder = await tempFolder('stored');
    workspace = join(folder.path, 'work');
    await mkdir(workspace);
    environment = {
      GEMINI_API_KEY: 'test-key',
      GOOGLE_GEMINI_BASE_URL: endpoint().url,
      GANTRY_HOME: join(folder.path, 'home'),
    };
  });
  afterEach(() => folder.dispose());

  const run = (...args: readonly string[]): Promise<HeadlessResult> =>
    commandInProcess(args, { cwd: workspace, environment });

  /** One exchange; the id of its session. */
  async function talk(prompt: string, answer: string): Promise<string> {
    endpoint().reply(answer);
    const { code, stdout } = await run('-p', prompt, '--output', 'json');
    assert.equal(code, 0);
    const { sessionId }: { sessionId: string } = JSON.parse(stdout);
    return sessionId;
  }

  function texts(): readonly string[] {
    const contents = endpoint().requests.at(-1)?.contents ?? [];
    return contents.map(({ parts = [] }) => parts.map((part) => part.text ?? '').join(''));
  }

  describe('--resume', () => {
    it('continues with the latest and prints only the new answer', async () => {
      await talk('Older', 'Old.');
      await talk('My name is Ada', 'Hello Ada.');
      endpoint().reply('You are Ada.');
      const result = await run('--resume', 'latest', '-p', 'Who am I?');
      assert.deepEqual(result, { code: 0, stdout: 'You are Ada.\n', stderr: '' });
      assert.deepEqual(texts(), ['My name is Ada', 'Hello Ada.', 'Who am I?']);
    });

    it('compresses with /compress, which is nothing that is said', async () => {
      const { requests } = snapshotModel(endpoint());
      const long = Array.from({ length: 400 }, (_, at) => `Point ${at} was made of it. `).join('');
      await talk(`Build a bridge. ${long}`, `Fine. ${long}`);
      const result = await run('--resume', 'latest', '-p', '/compress');
      assert.deepEqual([result.code, result.stdout], [0, '']);
      assert.match(result.stderr, /The conversation was compacted, from \d+ to \d+ tokens\./);
      assert.equal(requests().length, 2);
      endpoint().reply('A bridge.');
      await run('--resume', 'latest', '-p', 'What?');
      assert.match(texts()[0] ?? '', /number 1, checked/);
      const nothing = await run('-p', '/compress');
      assert.equal(nothing.code, 42);
      assert.match(nothing.stderr, /There are no messages yet/);
    });

    it('continues with the session of an id, and sums up the new run alone', async () => {
      const id = await talk('One', 'First.');
      await talk('Other', 'Other.');
      endpoint().reply('Second.', usage({ promptTokenCount: 20, candidatesTokenCount: 3 }));
      const { code, stdout } = await run('--resume', id, '-p', 'Two', '--output', 'json', '--model', 'gemini-x');
      assert.equal(code, 0);
      assert.deepEqual(JSON.parse(stdout), {
        sessionId: id,
        response: 'Second.',
        model: 'gemini-x',
        usage: { inputTokens: 20, outputTokens: 3, cachedTokens: 0 },
        toolCalls: [],
        exitReason: 'completed',
      });
      assert.deepEqual(texts(), ['One', 'First.', 'Two']);
    });

    it('streams who the session is and then what is new', async () => {
      const id = await talk('One', 'First.');
      endpoint().reply('Second.');
      const { stdout } = await run('--resume', id, '-p', 'Two', '--output', 'stream-json');
      const events = eventsOf(stdout);
      assert.deepEqual(
        events.map(({ type, role }) => role ?? type),
        ['initialize', 'user', 'agent_start', 'session_update', 'agent', 'usage', 'agent_end'],
      );
      assert.match(stdout.split('\n')[0] ?? '', new RegExp(id));
    });

    it('without a prompt continues where Ctrl+C stopped it', async () => {
      const open = gate();
      endpoint().reply('Once upon', pause(open), ' never');
      const running = new HeadlessProcess(['-p', 'Tell', '--output', 'stream-json'], { cwd: workspace, environment });
      await running.untilPrinted('Once upon');
      running.interrupt();
      assert.equal((await running.ended).code, 130);
      endpoint().reply(' a time.');
      const result = await run('--resume', 'latest');
      assert.deepEqual(result, { code: 0, stdout: ' a time.\n', stderr: '' });
      assert.deepEqual(texts().slice(0, 2), ['Tell', 'Once upon']);
    });

    it('is what the note after a failure says, and sends the message again', async () => {
      endpoint().reply(unauthorized());
      const failed = await run('-p', 'Hi');
      const id = /run again with --resume (\S+) instead of the prompt/.exec(failed.stderr)?.[1];
      assert.ok(id, failed.stderr);
      assert.doesNotMatch(failed.stderr, /above/);
      endpoint().reply('Hello.');
      assert.deepEqual(await run('--resume', id), { code: 0, stdout: 'Hello.\n', stderr: '' });
      assert.equal(texts()[0], 'Hi');
    });

    it('names the model that answered before and answers again', async () => {
      endpoint().reply('One.');
      await run('-p', 'Hi', '--model', 'gemini-x');
      endpoint().reply(unauthorized());
      const { stdout } = await run('--resume', 'latest', '-p', 'Again', '--model', 'gemini-x', '--output', 'json');
      assert.equal(JSON.parse(stdout).model, 'gemini-x');
    });

    it('tells on stderr when a part of the session is lost, and continues', async () => {
      const id = await talk('One', 'First.');
      await appendFile(join(folder.path, 'home', 'sessions', id, 'log.jsonl'), '{"type":"broken\n');
      endpoint().reply('Second.');
      const { code, stdout, stderr } = await run('--resume', id, '-p', 'Two');
      assert.deepEqual([code, stdout], [0, 'Second.\n']);
      assert.match(stderr, /^One line of this session could not be read/);
    });

    describe('is refused with 42', () => {
      const nobody = '00000000-0000-4000-8000-000000000000';
      for (const { name, args, says } of [
        { name: 'when there is no session yet', args: ['latest'], says: /^There is no session to resume/ },
        { name: 'for an unknown id', args: [nobody], says: /^There is no session 0000.*--list-sessions/ },
        { name: 'for what is no id', args: ['../../etc'], says: /^There is no session/ },
      ]) {
        it(name, async () => {
          const { code, stdout, stderr } = await run('--resume', ...args, '-p', 'Hi');
          assert.deepEqual([code, stdout], [42, '']);
          assert.match(stderr, says);
        });
      }

      it('for a session of another folder, which it names', async () => {
        const id = await talk('One', 'First.');
        const other = await realpath(folder.path);
        const { code, stderr } = await run('--resume', id, '--workspace', other, '-p', 'Hi');
        assert.equal(code, 42);
        assert.match(stderr, /another folder.*work, not to/);
        assert.equal((await run('--resume', 'latest', '--workspace', other, '-p', 'Hi')).code, 42);
      });

      it('for a session that another process has open', async () => {
        const open = gate();
        endpoint().reply('Once upon', pause(open), ' a time');
        const running = new HeadlessProcess(['-p', 'Tell', '--output', 'stream-json'], { cwd: workspace, environment });
        await running.untilPrinted('Once upon');
        const { code, stdout, stderr } = await run('--resume', 'latest', '-p', 'Me too', '--output', 'json');
        assert.equal(code, 42);
        assert.equal(JSON.parse(stdout).error.kind, 'session-locked');
        assert.match(stderr, /^This session is open in the command line\. Nothing was sent\./);
        open.open();
        assert.equal((await running.ended).code, 0);
      });
    });
  });

  describe('--list-sessions', () => {
    it('prints the sessions of this folder, newest first', async () => {
      const first = await talk('The first', 'Yes.');
      const second = await talk('The second', 'Yes.');
      const { code, stdout, stderr } = await run('--list-sessions');
      assert.deepEqual([code, stderr], [0, '']);
      const lines = stdout.trimEnd().split('\n');
      const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d`;
      assert.match(lines[0] ?? '', new RegExp(`^${second}  ${time}  1 message`));
      assert.match(lines[1] ?? '', new RegExp(`^${first}  ${time}  1 message`));
      assert.equal(lines.length, 2);
    });

    it('prints an array as json', async () => {
      const id = await talk('Hello', 'Yes.');
      const [session] = JSON.parse((await run('--list-sessions', '--output', 'json')).stdout);
      const { createdAt, updatedAt, firstWords, ...rest } = session;
      assert.deepEqual(rest, { id, title: '', messages: 1 });
      assert.equal(typeof firstWords, 'string');
      assert.ok(Date.parse(createdAt) <= Date.parse(updatedAt));
    });

    it('is done when there are none, also of other folders', async () => {
      await talk('Hello', 'Yes.');
      const other = folder.path;
      const none = { code: 0, stdout: '', stderr: 'No sessions in this folder yet.\n' };
      assert.deepEqual(await run('--list-sessions', '--workspace', other), none);
      const asJson = await run('--list-sessions', '--workspace', other, '--output', 'json');
      assert.deepEqual(asJson, { ...none, stdout: '[]\n' });
    });

    it('does not go with a prompt', async () => {
      assert.equal((await run('--list-sessions', '-p', 'Hi')).code, 42);
    });
  });

  it('answers although nothing can be stored, and says so', async () => {
    await writeFile(join(folder.path, 'home'), 'a file where the folder should be');
    endpoint().reply('Hello.');
    const { code, stdout, stderr } = await run('-p', 'Hi');
    assert.deepEqual([code, stdout], [0, 'Hello.\n']);
    assert.match(stderr, /^This conversation is not being saved/);
  });
});
