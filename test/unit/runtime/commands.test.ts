import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { TerminalCommand, TerminalsPort } from '../../../extension/ports/terminals.ts';
import type { AgentEvent } from '../../../extension/protocol/agent/agent-event.ts';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import { ProblemError } from '../../../extension/protocol/agent/problem.ts';
import { Transcript } from '../../../extension/protocol/transcript/transcript.ts';
import type { Entry } from '../../../extension/protocol/transcript/transcript-entry.ts';
import { AgentService } from '../../../extension/runtime/agent-service.ts';
import { idOf, untilEvent } from '../../support/agent.ts';
import { all, allowFirst, message } from '../../support/conversation.ts';
import { call } from '../../support/gemini/script.ts';
import { useGemini } from '../../support/gemini/suite.ts';
import { eventually } from '../../support/poll.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';
import { type TestHost, testHost } from '../../support/test-host.ts';

type ToolEntry = Extract<Entry, { kind: 'tool' }>;

describe('A command in a session', () => {
  const endpoint = useGemini();
  let folder: TempFolder;
  let services: AgentService[];
  let shown: TerminalCommand[];
  let host: TestHost;

  beforeEach(async () => {
    folder = await tempFolder('commands');
    services = [];
    shown = [];
  });
  afterEach(async () => {
    for (const service of services) await service.dispose();
    await folder.dispose();
  });

  /** A window over the same folder, in which everything may run. */
  const open = (): AgentService => {
    host = testHost({
      environment: { GOOGLE_GEMINI_BASE_URL: endpoint().url, PATH: process.env['PATH'] ?? '' },
      sessions: join(folder.path, 'sessions'),
      roots: [folder.path],
      approvalMode: 'yolo',
    });
    const terminals: TerminalsPort = {
      show: (command) => void shown.push(command),
      reveal: () => true,
      commands: [],
      onDidChange: () => ({ dispose: () => undefined }),
    };
    const service = new AgentService({ ...host, terminals });
    services.push(service);
    return service;
  };
  const reopen = async (service: AgentService, session: AgentSession): Promise<AgentSession> => {
    await service.dispose();
    return open().resumeSession(idOf(session));
  };
  const entries = ({ events }: Pick<AgentSession, 'events'>): Entry[] => {
    const transcript = new Transcript();
    for (const event of events) transcript.apply(event);
    return transcript.entries;
  };
  const cards = (session: Pick<AgentSession, 'events'>): ToolEntry[] =>
    entries(session).filter((entry): entry is ToolEntry => entry.kind === 'tool');
  const notes = (session: AgentSession): string[] =>
    entries(session).flatMap((entry) => (entry.kind === 'note' ? entry.text : []));
  const isResponse = (event: AgentEvent): boolean => event.type === 'tool_response';
  const sentToModel = (): string => JSON.stringify(endpoint().requests.at(-1)?.contents);
  const run = (args: Record<string, unknown>): ReturnType<typeof call> => call('run_shell_command', args);

  describe('that runs in the background', () => {
    it('can be looked at again and again while nothing comes of it, and is a loop once it has ended', async () => {
      const session = await open().createSession();
      const pid = (): number => Number(/as process (\d+)/.exec(sentToModel())?.[1]);
      const poll = (): ReturnType<typeof call> => call('read_background_output', { pid: pid() });
      endpoint().reply(run({ command: 'sleep 1000', is_background: true, delay_ms: 0 }));
      for (let times = 0; times < 12; times++) endpoint().reply(poll);
      endpoint().reply(() => call('stop_background_process', { pid: pid() }));
      for (let times = 0; times < 5; times++) endpoint().reply(poll);
      endpoint().reply('Done.');
      const seen = await all(session, message('go'));
      const loops = seen.flatMap((event, at) => (event.type === 'custom' && event.kind === 'loop' ? at : []));
      const stopped = seen.findIndex((event) => event.type === 'tool_response' && event.name.startsWith('stop'));
      assert.equal(loops.length, 1);
      assert.ok((loops[0] ?? 0) > stopped, 'only after it has ended');
      endpoint().assertDone();
    });

    it('can be waited for with a command that sleeps', async () => {
      const session = await open().createSession();
      for (let times = 0; times < 7; times++) endpoint().reply(run({ command: 'sleep 0.01; echo waiting' }));
      for (let times = 0; times < 5; times++) endpoint().reply(run({ command: 'echo the same' }));
      endpoint().reply('Done.');
      const seen = await all(session, message('go'));
      const loops = seen.flatMap((event) =>
        event.type === 'custom' && event.kind === 'loop' ? event.data.detail : [],
      );
      assert.deepEqual(loops, ['run_shell_command {"command":"echo the same"}']);
    });
  });

  describe('that the user typed', () => {
    it('runs without the model, and the model knows of it in the next turn', async () => {
      const service = open();
      const session = await service.createSession();
      await service.runUserCommand(session, 'echo hi; exit 3');
      await untilEvent(session, isResponse);
      assert.equal(endpoint().requests.length, 0);
      const [card] = cards(session);
      assert.equal(card?.subject, 'echo hi; exit 3');
      assert.equal(card?.summary, 'exit 3');
      assert.equal(card?.detail, 'hi');
      assert.equal(card?.command?.typed, 'echo hi; exit 3');
      endpoint().reply('I see.');
      await all(session, message('What was that?'));
      assert.match(sentToModel(), /The user ran a command themselves.*exit code 3.*hi.*What was that\?/s);
      endpoint().reply('Still.');
      await all(session, message('And now?'));
      assert.equal(sentToModel().match(/The user ran a command/g)?.length, 1);
    });

    it('is there again after a restart, and the model is still told', async () => {
      const service = open();
      const session = await service.createSession();
      await service.runUserCommand(session, 'echo kept');
      await untilEvent(session, isResponse);
      const again = await reopen(service, session);
      assert.deepEqual(again.events, session.events);
      endpoint().reply('I see.');
      await all(again, message('What was that?'));
      assert.match(sentToModel(), /kept/);
    });

    it('gives the model at most 10,000 characters of what it wrote', async () => {
      const service = open();
      const session = await service.createSession();
      await service.runUserCommand(session, 'seq 1 20000');
      await untilEvent(session, isResponse);
      const [card] = cards(session);
      assert.ok((card?.detail.length ?? 0) < 10_400, String(card?.detail.length));
      assert.match(card?.detail ?? '', /20000$/);
    });

    it('does not make files readable that its output names', async () => {
      const service = open();
      const session = await service.createSession();
      await service.runUserCommand(session, 'echo secret > .env; ls -a');
      await untilEvent(session, isResponse);
      endpoint().reply(call('read_file', { file_path: '.env' }));
      endpoint().reply('As you wish.');
      await all(session, message('Read what is there'));
      assert.doesNotMatch(JSON.stringify(endpoint().requests.at(-1)?.toolResults), /secret\b/);
    });

    it('is refused in Restricted Mode, and where there is nothing to run', async () => {
      const service = open();
      host.trusted = false;
      const session = await service.createSession();
      await assert.rejects(
        service.runUserCommand(session, 'echo hi'),
        (error) => ProblemError.is(error) && /Restricted Mode/.test(error.problem.detail),
      );
      host.trusted = true;
      await assert.rejects(service.runUserCommand(session, '  '), (error) => ProblemError.is(error, 'bad-input'));
      assert.deepEqual(shown, []);
      assert.deepEqual(session.events, []);
    });

    it('ends with its session, and the next window says so', async () => {
      const service = open();
      const session = await service.createSession();
      await service.runUserCommand(session, 'sleep 1000');
      const again = await reopen(service, session);
      const [card] = cards(again);
      assert.equal(card?.command?.state, 'lost');
      assert.equal(card?.summary, 'stopped with the window');
      endpoint().reply('I see.');
      await all(again, message('Well?'));
      assert.match(sentToModel(), /stopped with the window/);
    });
  });

  it('is shown in a terminal with all of it, can be typed into, and closed', async () => {
    endpoint().reply(run({ command: 'read -p "Name: " n; echo "Hello\u200b $n"; sleep 1000' }));
    endpoint().reply('It was closed.');
    const session = await open().createSession();
    const running = all(session, message('Ask me'));
    // A line with an invisible character requires approval in every mode.
    await allowFirst(session);
    await eventually('a terminal', () => shown[0] !== undefined || undefined, { intervalMs: 10 });
    const [command] = shown;
    assert.ok(command);
    assert.match(command.label, /Hello\\u\{200b\}/);
    await eventually('the question', () => command.outputSoFar(100).includes('Name:') || undefined, { intervalMs: 10 });
    command.write('Ada\r');
    await eventually('the answer', () => /Hello.? Ada/.test(command.outputSoFar(100)) || undefined, { intervalMs: 10 });
    command.close();
    await running;
    assert.match(JSON.stringify(endpoint().requests.at(-1)?.toolResults), /The user closed its terminal/);
    assert.equal(cards(session)[0]?.summary, 'stopped');
  });

  it('that has come up as a server goes to the background by itself, and the model is told where it is', async function () {
    this.timeout(30_000);
    endpoint().reply(run({ command: 'echo "Listening on http://localhost:4321/"; sleep 1000' }));
    endpoint().reply('It is up.');
    const session = await open().createSession();
    await all(session, message('Start it'));
    assert.match(JSON.stringify(endpoint().requests.at(-1)?.toolResults), /http:\/\/localhost:4321\/.*background/);
    assert.equal(cards(session)[0]?.command?.state, 'background');
    assert.equal(shown[0]?.isInBackground(), true);
  });

  it('in the background reports its end, in the conversation and to the model', async () => {
    endpoint().reply(run({ command: 'read x; echo "port taken"; exit 1', is_background: true }));
    endpoint().reply('Started.');
    const service = open();
    const session = await service.createSession();
    await all(session, message('Start it'));
    assert.equal(cards(session)[0]?.command?.state, 'background');
    shown[0]?.write('\r');
    await untilEvent(session, (event) => event.type === 'custom' && event.kind === 'command_ended');
    assert.deepEqual(notes(session), ['read x; echo "port taken"; exit 1 ended in the background with exit code 1']);
    assert.equal(cards(session)[0]?.summary, 'exit 1');
    assert.equal(shown[0]?.wasStopped(), false);
    const again = await reopen(service, session);
    assert.deepEqual(again.events, session.events);
    endpoint().reply('I see.');
    await all(again, message('Still up?'));
    assert.match(sentToModel(), /background process \d+ has ended.*exit code 1.*port taken/s);
  });

  it('that ends in the background during a run is known at its next request', async () => {
    endpoint().reply(run({ command: 'read x; exit 2', is_background: true }));
    endpoint().reply(run({ command: 'read x' }));
    endpoint().reply('So it ended.');
    const session = await open().createSession();
    const running = all(session, message('Start both'));
    await eventually('both', () => shown[1] !== undefined || undefined, { intervalMs: 10 });
    shown[0]?.write('\r');
    await untilEvent(session, (event) => event.type === 'custom' && event.kind === 'command_ended');
    shown[1]?.write('\r');
    await running;
    assert.equal(endpoint().requests.length, 3);
    assert.match(sentToModel(), /background process \d+ has ended.*exit code 2/s);
  });

  it('in the background is stopped with the window, and both are told the truth', async () => {
    endpoint().reply(run({ command: 'sleep 1000', is_background: true }));
    endpoint().reply('Started.');
    const service = open();
    const session = await service.createSession();
    await all(session, message('Start it'));
    const again = await reopen(service, session);
    assert.deepEqual(notes(again), ['sleep 1000: stopped with the window']);
    assert.equal(cards(again)[0]?.command?.state, 'lost');
    endpoint().reply('I see.');
    await all(again, message('Still up?'));
    assert.match(sentToModel(), /A background process was running when Gantry was closed.*stopped with the window/s);
  });

  it('that was waited for is answered with what became of it', async () => {
    endpoint().reply(run({ command: 'echo begun; sleep 1000' }));
    const service = open();
    const session = await service.createSession();
    await session.send(message('Run it'));
    await eventually('a terminal', () => shown[0]?.outputSoFar(100).includes('begun') || undefined, { intervalMs: 10 });
    const again = await reopen(service, session);
    const [card] = cards(again);
    assert.equal(card?.command?.state, 'lost');
    assert.equal(card?.summary, 'stopped with the window');
    endpoint().reply('I see.');
    await all(again, message('Well?'));
    assert.match(sentToModel(), /Gantry was closed while the command was running.*stopped with the window/s);
  });

  it('can be stopped or moved to the background by its call, and by no other', async () => {
    endpoint().reply(run({ command: 'sleep 1000' }));
    endpoint().reply(run({ command: 'sleep 1001' }));
    endpoint().reply('Both.');
    const service = open();
    const session = await service.createSession();
    const running = all(session, message('Run them'));
    await eventually('a terminal', () => shown[0] !== undefined || undefined, { intervalMs: 10 });
    const commands = service.session(idOf(session)).commands;
    assert.equal(await commands.stop('nothing'), 'unknown');
    assert.equal(await commands.stop(shown[0]?.callId ?? ''), 'stopped');
    await eventually('the next', () => shown[1] !== undefined || undefined, { intervalMs: 10 });
    assert.equal(commands.moveToBackground(shown[0]?.callId ?? ''), false);
    assert.equal(commands.moveToBackground(shown[1]?.callId ?? ''), true);
    await running;
    assert.deepEqual(
      cards(session).map(({ summary, command }) => `${summary}, ${command?.state}`),
      ['stopped, ended', 'in background, background'],
    );
    assert.match(sentToModel(), /The user stopped the command.*The user moved the command to the background/s);
    assert.equal(await commands.stop(shown[1]?.callId ?? ''), 'stopped');
    await untilEvent(session, (event) => event.type === 'custom' && event.kind === 'command_ended');
    assert.deepEqual(notes(session), ['You stopped sleep 1001 in the background']);
  });

  it('belongs to the session that started it, not to a copy', async () => {
    endpoint().reply(run({ command: 'sleep 1000', is_background: true }));
    endpoint().reply('Started.');
    const service = open();
    const session = await service.createSession();
    await all(session, message('Start it'));
    const copy = await service.forkSession(idOf(session));
    assert.equal(cards(copy)[0]?.command?.state, 'lost');
    await service.closeSession(idOf(copy));
    assert.equal(shown[0]?.isInBackground(), true);
    assert.equal(await service.session(idOf(session)).commands.stop(shown[0]?.callId ?? ''), 'stopped');
  });
});
