import assert from 'node:assert/strict';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import { Transcript } from '../../../extension/protocol/transcript/transcript.ts';
import type { Entry } from '../../../extension/protocol/transcript/transcript-entry.ts';
import { AgentService } from '../../../extension/runtime/agent-service.ts';
import { LOG_NAME } from '../../../extension/sessions/store/session-folder.ts';
import { idOf, untilEvent } from '../../support/agent.ts';
import { all, message } from '../../support/conversation.ts';
import { call } from '../../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../support/gemini/server.ts';
import { useGemini } from '../../support/gemini/suite.ts';
import { eventually } from '../../support/poll.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';
import { testHost } from '../../support/test-host.ts';

type ToolEntry = Extract<Entry, { kind: 'tool' }>;

describe('A command that outlived its window', () => {
  // Only Linux tells at once when a process was started, so that its log is enough to know it again.
  before(function () {
    if (process.platform !== 'linux') this.skip();
  });
  const endpoint = useGemini();
  /** The window that is killed goes on in these tests, and so does its model. */
  let itsEndpoint: GeminiEndpoint;
  let folder: TempFolder;
  let services: AgentService[];

  beforeEach(async () => {
    folder = await tempFolder('outlived');
    services = [];
    itsEndpoint = await startGeminiEndpoint();
  });
  afterEach(async () => {
    for (const service of services) await service.dispose();
    // What the window that was killed still asks for, nobody answers.
    await itsEndpoint.dispose().catch(() => undefined);
    await folder.dispose();
  });

  const sessionsOf = (window: string): string => join(folder.path, window, 'sessions');
  const open = (window: string): AgentService => {
    const host = testHost({
      environment: {
        GOOGLE_GEMINI_BASE_URL: (window === 'killed' ? itsEndpoint : endpoint()).url,
        PATH: process.env['PATH'] ?? '',
      },
      sessions: sessionsOf(window),
      roots: [folder.path],
      approvalMode: 'yolo',
    });
    const service = new AgentService(host);
    services.push(service);
    return service;
  };
  /** As it is on the disk at this moment, which is all that a window that is killed leaves. */
  const takenUp = async (
    session: AgentSession,
    from = 'killed',
    to = 'next',
  ): Promise<[AgentService, AgentSession]> => {
    const id = idOf(session);
    await eventually('the command in the log', async () =>
      /"command_started"/.test(await readFile(join(sessionsOf(from), id, LOG_NAME), 'utf8')),
    );
    await cp(join(sessionsOf(from), id, LOG_NAME), join(sessionsOf(to), id, LOG_NAME));
    const service = open(to);
    const next = await service.resumeSession(id);
    // A process that was only just started does not lead its group yet.
    await eventually('a command that has begun', () => isRunning(-pidIn(next)));
    return [service, next];
  };
  const card = ({ events }: Pick<AgentSession, 'events'>): ToolEntry => {
    const transcript = new Transcript();
    for (const event of events) transcript.apply(event);
    const found = transcript.entries.find((entry) => entry.kind === 'tool');
    assert.equal(found?.kind, 'tool');
    return found as ToolEntry;
  };
  const pidIn = ({ events }: Pick<AgentSession, 'events'>): number =>
    Number(/"pid":(\d+)/.exec(JSON.stringify(events))?.[1]);
  const isRunning = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  const ended = (session: AgentSession): Promise<unknown> =>
    untilEvent(session, (event) => event.type === 'custom' && event.kind === 'command_ended');
  const toldOnNextMessage = async (session: AgentSession): Promise<string> => {
    endpoint().reply('I see.');
    await all(session, message('Well?'));
    return JSON.stringify(endpoint().requests.at(-1)?.contents);
  };

  /** What starts it, and how the model knows of it. */
  const KINDS = {
    'that the user typed': [
      (service: AgentService, session: AgentSession) => service.runUserCommand(session, 'sleep 1000'),
      /A command that the user ran themselves has ended/,
    ],
    'that ran in the background': [
      async (_service: AgentService, session: AgentSession) => {
        itsEndpoint.reply(call('run_shell_command', { command: 'sleep 1000', is_background: true }));
        itsEndpoint.reply('Started.');
        await all(session, message('Start it'));
      },
      /A background process has ended/,
    ],
    'that was waited for': [
      async (_service: AgentService, session: AgentSession) => {
        itsEndpoint.reply(call('run_shell_command', { command: 'sleep 1000' }));
        await session.send(message('Run it'));
      },
      /A background process has ended/,
    ],
  } as const;

  for (const [kind, [start, told]] of Object.entries(KINDS)) {
    it(`${kind} can be stopped, and that is reported, also after the next reload`, async () => {
      const killed = open('killed');
      const before = await killed.createSession();
      await start(killed, before);
      const [service, session] = await takenUp(before);
      const { id, command } = card(session);
      const pid = pidIn(session);
      assert.deepEqual([command?.state, command?.outlived, isRunning(pid)], ['lost', true, true]);
      assert.equal(await service.session(idOf(session)).commands.stop(id), 'stopped');
      await ended(session);
      await eventually('the process gone', () => !isRunning(pid));
      const after = card(session);
      assert.deepEqual([after.summary, after.command?.outlived], ['stopped by you', undefined]);
      assert.doesNotMatch(after.detail, /still running/);
      await service.dispose();
      const again = await open('next').resumeSession(idOf(session));
      assert.deepEqual(card(again), after);
      assert.match(await toldOnNextMessage(again), new RegExp(`${told.source}.*The user stopped the command`, 's'));
      assert.equal(await services.at(-1)?.session(idOf(again)).commands.stop(id), 'unknown');
    });
  }

  it('and ends by itself says so, and there is nothing left to stop', async () => {
    const killed = open('killed');
    const before = await killed.createSession();
    await killed.runUserCommand(before, 'sleep 1000');
    const [service, session] = await takenUp(before);
    const { id } = card(session);
    const pid = pidIn(session);
    process.kill(-pid, 'SIGKILL');
    await eventually('the process gone', () => !isRunning(pid));
    // Somebody may have looked already.
    assert.match(await service.session(idOf(session)).commands.stop(id), /^(ended|unknown)$/);
    await ended(session);
    assert.deepEqual([card(session).summary, card(session).command?.outlived], ['has ended', undefined]);
    assert.match(await toldOnNextMessage(session), /has ended.*How it ended is not known/s);
  });

  it('and the next window, too, is said to be running once', async () => {
    const killed = open('killed');
    const before = await killed.createSession();
    await KINDS['that was waited for'][0](killed, before);
    const [, session] = await takenUp(before);
    const { summary } = card(session);
    const { length } = session.events;
    await eventually('what became of it in the log', async () =>
      /run_ended/.test(await readFile(join(sessionsOf('next'), idOf(session), LOG_NAME), 'utf8')),
    );
    const [service, again] = await takenUp(session, 'next', 'last');
    assert.equal(card(again).summary, summary);
    assert.equal(again.events.length, length);
    assert.equal(await service.session(idOf(again)).commands.stop(card(again).id), 'stopped');
  });
});
