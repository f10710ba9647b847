import assert from 'node:assert/strict';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import type { AgentSession } from '../../../../extension/protocol/agent/agent-session.ts';
import { ProblemError } from '../../../../extension/protocol/agent/problem.ts';
import { Transcript } from '../../../../extension/protocol/transcript/transcript.ts';
import type { Entry } from '../../../../extension/protocol/transcript/transcript-entry.ts';
import { AgentService } from '../../../../extension/runtime/agent-service.ts';
import { NO_SANDBOX } from '../../../../extension/sandbox/sandbox.ts';
import { findSandbox } from '../../../../extension/sandbox/sandbox-support.ts';
import { idOf } from '../../../support/agent.ts';
import { all, message } from '../../../support/conversation.ts';
import { call } from '../../../support/gemini/script.ts';
import { useGemini } from '../../../support/gemini/suite.ts';
import { eventually } from '../../../support/poll.ts';
import { type TempFolder, tempFolder, tempFolderInSight } from '../../../support/temp-folder.ts';
import { testHost } from '../../../support/test-host.ts';

describe('A command that the sandbox blocked', () => {
  const endpoint = useGemini();
  let folder: TempFolder;
  let outside: TempFolder;
  let service: AgentService;
  let session: AgentSession;

  before(async function () {
    // Where there is none, nothing is blocked: see sandbox-support.test.ts for what is said then.
    if ('missing' in (await findSandbox())) this.skip();
    folder = await tempFolder('blocked');
    outside = await tempFolderInSight('outside');
  });
  after(() => Promise.all([folder?.dispose(), outside?.dispose()]));

  const open = (): AgentService => {
    const host = testHost({
      environment: { GOOGLE_GEMINI_BASE_URL: endpoint().url, PATH: process.env['PATH'] ?? '' },
      sessions: join(folder.path, 'sessions'),
      roots: [folder.path],
      approvalMode: 'yolo',
    });
    const settings = { ...host.settings, sandbox: () => ({ ...NO_SANDBOX, mode: 'auto' as const }) };
    return new AgentService({ ...host, settings });
  };
  const card = (): Extract<Entry, { kind: 'tool' }> | undefined => {
    const transcript = new Transcript();
    for (const event of session.events) transcript.apply(event);
    return transcript.entries.find((entry) => entry.kind === 'tool');
  };
  const commands = () => service.session(idOf(session)).commands;
  const target = (): string => join(outside.path, 'x');
  const isThere = (): Promise<boolean> =>
    stat(target()).then(
      () => true,
      () => false,
    );
  const touch = (): ReturnType<typeof call> => call('run_shell_command', { command: `touch ${target()}` });
  const sentToModel = (): string => JSON.stringify(endpoint().requests.at(-1)?.contents);

  beforeEach(async () => {
    service = open();
    session = await service.createSession();
    endpoint().reply(touch());
    endpoint().reply('It failed.');
    await all(session, message('go'));
  });
  afterEach(async () => {
    await service.dispose();
    await rm(target(), { force: true });
  });

  it('says what it was, also after a reload, and works once the user has opened that', async () => {
    const blocked = { paths: [target()], hosts: [], folders: [outside.path] };
    assert.deepEqual(card()?.command?.blocked, blocked);
    assert.equal(card()?.command?.confinedBy, 'bubblewrap');
    const opened = { kind: 'folder', what: outside.path } as const;
    const callId = card()?.id ?? '';
    assert.equal(await commands().allow({ callId, kind: 'folder', what: '/etc' }), false);
    assert.equal(await commands().allow({ callId, ...opened }), true);
    await service.dispose();

    service = open();
    session = await service.resumeSession(idOf(session));
    assert.deepEqual(card()?.command?.blocked, blocked);
    assert.deepEqual(card()?.command?.allowed, [{ what: outside.path, always: false }]);
    endpoint().reply(touch());
    endpoint().reply('Done.');
    await all(session, message('again'));
    assert.ok(sentToModel().includes(`lets commands in the sandbox change files in ${outside.path}`));
    assert.equal(await isThere(), true);

    const copy = await service.forkSession(idOf(session));
    assert.deepEqual(service.session(idOf(copy)).commands.sandbox.opened('folder'), []);
  });

  it('runs outside when the user says yes to all of it, and the model is told how that ended', async () => {
    const callId = card()?.id ?? '';
    const asked: string[] = [];
    const answer = (yes: boolean) => async (about: { readonly command: string }) => {
      asked.push(about.command);
      return yes;
    };
    await commands().runOutside(callId, answer(false));
    assert.equal(await isThere(), false);
    await commands().runOutside(callId, answer(true));
    await eventually('the file', isThere);
    assert.deepEqual(asked, [`touch ${target()}`, `touch ${target()}`]);
    await eventually('its end', () =>
      session.events.some(({ _meta, type }) => type === 'tool_response' && _meta?.['by'] === 'user'),
    );
    endpoint().reply('Good.');
    await all(session, message('and now?'));
    assert.match(sentToModel(), /ran a command outside the sandbox that had failed in it/);

    await assert.rejects(commands().runOutside('other', answer(true)), ProblemError);
    await session.send({ update: { config: { approvalMode: 'plan' } } });
    await assert.rejects(commands().runOutside(callId, answer(true)), /plan/);
  });
});
