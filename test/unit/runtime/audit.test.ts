import assert from 'node:assert/strict';
import { appendFile, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { AuditLog } from '../../../extension/policy/audit/audit-log.ts';
import type { Logger } from '../../../extension/ports/logger.ts';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import { AgentService } from '../../../extension/runtime/agent-service.ts';
import type { SessionOptions } from '../../../extension/runtime/session-parts.ts';
import { publicApi } from '../../../extension/vscode/public-api.ts';
import { idOf, openQuestions, untilEvent } from '../../support/agent.ts';
import { all, message } from '../../support/conversation.ts';
import { call } from '../../support/gemini/script.ts';
import { useGemini } from '../../support/gemini/suite.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';
import { type TestHostOptions, testHost } from '../../support/test-host.ts';

const KEY = 'my-own-api-key-1234';
const TOKEN = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;

interface Line {
  readonly [field: string]: unknown;
}

describe('The audit log', () => {
  const endpoint = useGemini();
  let home: TempWorkspace;
  let workspace: TempWorkspace;
  let services: AgentService[];
  let logged: string[];

  beforeEach(async () => {
    home = await createTempWorkspace();
    workspace = await createTempWorkspace();
    services = [];
    logged = [];
  });
  afterEach(async () => {
    for (const service of services) await service.dispose();
    await workspace.dispose();
    await home.dispose();
  });

  const file = (): string => join(home.path, 'audit.jsonl');
  const linesOf = (text: string): Line[] => text.split('\n').flatMap((line) => (line ? [JSON.parse(line)] : []));
  const lines = async (): Promise<Line[]> => linesOf(await readFile(file(), 'utf8'));

  function open(options: TestHostOptions = {}): AgentService {
    const host = testHost({
      environment: { GOOGLE_GEMINI_BASE_URL: endpoint().url, GEMINI_API_KEY: KEY, PATH: process.env['PATH'] ?? '' },
      sessions: join(home.path, 'sessions'),
      roots: [workspace.path],
      ...options,
    });
    const log: Logger = { ...host.log, info: (line) => logged.push(line), error: (line) => logged.push(line) };
    const service = new AgentService({ ...host, log });
    services.push(service);
    return service;
  }

  async function converse(
    calls: readonly ReturnType<typeof call>[],
    { answer, ...options }: TestHostOptions & { readonly answer?: (session: AgentSession) => Promise<unknown> } = {},
    about?: SessionOptions,
  ): Promise<AgentSession> {
    endpoint().reply(...calls);
    endpoint().reply('Done.');
    const service = open(options);
    const session = await service.createSession(about);
    const answered =
      answer && untilEvent(session, ({ type }) => type === 'elicitation_request').then(() => answer(session));
    await all(session, message('Do it'));
    await answered;
    await service.dispose();
    return session;
  }

  const yes = (session: AgentSession): Promise<unknown> =>
    session.send({
      elicitations: openQuestions(session).map((requestId) => ({
        requestId,
        action: 'accept',
        content: { decision: 'session' },
      })),
      _meta: { source: 'panel' },
    });

  it('has a line for the decision, the answer and the end of a call: who, what, why, by whom and how long', async () => {
    const session = await converse([call('run_shell_command', { command: 'touch made; exit 3' })], { answer: yes });
    const [decided, answered, finished, ...more] = await lines();
    assert.deepEqual(more, []);
    const { at, callId, ...who } = decided ?? {};
    const about = { session: idOf(session), tool: 'run_shell_command', args: { command: 'touch made; exit 3' } };
    assert.ok(Math.abs(Date.parse(String(at)) - Date.now()) < 60_000);
    const { why, rule, ruleHash, ...rest } = who as Line;
    assert.deepEqual(rest, { ...about, what: 'decided', decision: 'ask_user' });
    assert.match(String(ruleHash), /^[0-9a-f]{16}$/);
    assert.match(String(rule), /policies\/write\.toml:\d+$/);
    assert.match(String(why), /\S/);
    assert.deepEqual(
      { ...answered, at },
      { at, ...about, callId, what: 'answered', action: 'accept', decision: 'session', by: 'panel' },
    );
    const { durationMs, ...end } = finished ?? {};
    assert.deepEqual({ ...end, at }, { at, ...about, callId, what: 'finished', state: 'success', exitCode: 3 });
    assert.ok(Number(durationMs) >= 0);
  });

  it('says of a question that nobody answered in time who gave it up', async () => {
    await converse([call('run_shell_command', { command: 'touch made' })], { answerMinutes: 0.001 });
    const [, answered, finished] = await lines();
    assert.deepEqual([answered?.['action'], answered?.['by']], ['decline', 'timeout']);
    assert.deepEqual([finished?.['state'], finished?.['error']], ['cancelled', 'rejected']);
  });

  it('tells an answer of another extension from one in the panel, whatever that says of itself', async () => {
    endpoint().reply(call('run_shell_command', { command: 'touch made' }));
    endpoint().reply('Done.');
    const service = open();
    const api = publicApi(
      '0',
      { load: async () => service },
      async () => false,
      () => undefined,
    );
    const session = await api.createSession();
    const answered = untilEvent(session, ({ type }) => type === 'elicitation_request').then(() => yes(session));
    await all(session, message('Do it'));
    await answered;
    await service.dispose();
    assert.equal((await lines()).find(({ what }) => what === 'answered')?.['by'], 'api');
  });

  it('says what stood in the way where no rule was asked', async () => {
    await converse([call('write_file', { file_path: 'a.txt', content: 'x' })], { trusted: false });
    const [finished, ...more] = await lines();
    assert.deepEqual(more, []);
    assert.deepEqual([finished?.['what'], finished?.['error']], ['finished', 'policy_violation']);
    assert.match(String(finished?.['why']), /not trusted/);
  });

  it('names the call that a session works for', async () => {
    const parent = { sessionId: 'the-parent', callId: 'its-call' };
    await converse([call('list_directory', { dir_path: '.' })], {}, { parent });
    assert.deepEqual(
      (await lines()).map((line) => [line['what'], line['parent']]),
      [
        ['decided', parent],
        ['finished', parent],
      ],
    );
  });

  it('has no secrets in it, and is for its owner alone', async () => {
    const command = `curl -H "Authorization: Bearer ${TOKEN}" https://me:hunter22@example.com/?key=${KEY}`;
    await converse([call('run_shell_command', { command })], { interactive: false });
    const text = await readFile(file(), 'utf8');
    for (const secret of [KEY, TOKEN, 'hunter22']) assert.ok(!text.includes(secret), secret);
    assert.ok(!logged.join().includes(KEY));
    assert.match(text, /example\.com/);
    if (process.platform !== 'win32') assert.equal((await stat(file())).mode & 0o777, 0o600);
  });

  it('is in the log too, line by line', async () => {
    await converse([call('list_directory', { dir_path: '.' })]);
    const shown = logged.flatMap((line) => (line.startsWith('audit ') ? [line.slice('audit '.length)] : []));
    assert.deepEqual(linesOf(shown.join('\n')), await lines());
  });

  it('never fails a run when it cannot be written', async () => {
    await home.write({ 'audit.jsonl/': '' });
    const session = await converse([call('list_directory', { dir_path: '.' })]);
    assert.equal(session.events.findLast(({ type }) => type === 'agent_end')?.type, 'agent_end');
    assert.ok(session.events.some((event) => event.type === 'tool_response' && !event.isError));
    assert.ok(logged.some((line) => line.startsWith('The audit log was not written')));
  });

  describe('as a file', () => {
    const callOf = (args: unknown) => ({ session: 's', callId: 'c', tool: 't', args });
    const end = { what: 'finished', state: 'success' } as const;
    const argsIn = async (path: string): Promise<unknown[]> =>
      linesOf(await readFile(path, 'utf8')).map((line) => line['args']);
    const audit = (longestFile?: number, now = () => Date.now()): AuditLog => {
      const { log, clock } = testHost({ now });
      const limit = longestFile === undefined ? {} : { longestFile };
      return new AuditLog({ file: file(), log, clock, secrets: () => Promise.resolve([KEY]), ...limit });
    };

    it('begins anew when it has become long, and keeps the one before', async () => {
      await writeFile(file(), `${'x'.repeat(2000)}\n`);
      const log = audit(1000);
      log.add(callOf({}), end);
      log.add(callOf({}), end);
      await log.written();
      assert.match(await readFile(`${file()}.1`, 'utf8'), /^x+\n$/);
      assert.equal((await lines()).length, 2);
      await appendFile(file(), 'y'.repeat(2000));
      log.add(callOf({}), end);
      await log.close();
      assert.match(await readFile(`${file()}.1`, 'utf8'), /y+$/);
    });

    const turnings: Readonly<Record<string, () => Promise<void>>> = {
      renamed: () => rename(file(), join(home.path, 'yesterday.jsonl')),
      removed: () => rm(file()),
      'removed with its folder': () => rm(home.path, { recursive: true }),
    };
    for (const [turned, turn] of Object.entries(turnings)) {
      it(`begins anew when it was ${turned}: at once after a call that could do that, soon after one that reads`, async () => {
        let now = 0;
        const series = [
          { onlyReads: false, later: 0 },
          { onlyReads: true, later: 1000 },
        ];
        for (const { onlyReads, later } of series) {
          const log = audit(undefined, () => now);
          log.add(callOf('before'), end, onlyReads);
          await log.written();
          await turn();
          now += later;
          log.add(callOf('after'), end, onlyReads);
          await log.close();
          assert.deepEqual(await argsIn(file()), ['after']);
          await rm(file());
        }
      });
    }

    it('stays open while calls read, so that a renamed file still gets its lines, and closes with the service', async () => {
      const log = audit(undefined, () => 0);
      log.add(callOf('first'), end, true);
      await log.written();
      await rename(file(), `${file()}.1`);
      log.add(callOf('second'), end, true);
      await log.close();
      assert.deepEqual(await argsIn(`${file()}.1`), ['first', 'second']);
      log.add(callOf('late'), end);
      await log.written();
      assert.deepEqual(await argsIn(file()), ['late']);
    });

    it('has every line of several windows that write at the same time', async () => {
      const logs = [audit(), audit(), audit()];
      const wanted = Array.from({ length: 60 }, (_, at) => `${at}`);
      for (const [at, args] of wanted.entries()) {
        logs[at % logs.length]?.add(callOf(args), end);
        if (at % 7 === 0) await logs[0]?.written();
      }
      for (const log of logs) await log.close();
      assert.deepEqual((await argsIn(file())).sort(), wanted.sort());
    });

    it('keeps the beginning of long arguments, and no half of a secret', async () => {
      const log = audit();
      log.add(callOf({ content: `${'x '.repeat(995)}${KEY} ${'z'.repeat(100_000)}` }), end);
      await log.close();
      const text = await readFile(file(), 'utf8');
      assert.ok(text.length < 3000);
      assert.ok(!text.includes(KEY.slice(0, 8)), text.slice(-200));
    });
  });
});
