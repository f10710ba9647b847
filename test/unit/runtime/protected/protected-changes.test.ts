import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstat, mkdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { SandboxSettings } from '../../../../extension/ports/settings.ts';
import type { AgentSession } from '../../../../extension/protocol/agent/agent-session.ts';
import type { ProtectedEntry } from '../../../../extension/protocol/transcript/protected-entry.ts';
import { Transcript } from '../../../../extension/protocol/transcript/transcript.ts';
import { AgentService } from '../../../../extension/runtime/agent-service.ts';
import { idOf, untilEvent } from '../../../support/agent.ts';
import { all, message } from '../../../support/conversation.ts';
import { call } from '../../../support/gemini/script.ts';
import { useGemini } from '../../../support/gemini/suite.ts';
import { eventually } from '../../../support/poll.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';
import { testHost } from '../../../support/test-host.ts';

const onPosix = process.platform === 'win32' ? describe.skip : describe;

onPosix('A command that changes protected files behind its words', () => {
  const endpoint = useGemini();
  let folder: TempFolder;
  let services: AgentService[];

  beforeEach(async () => {
    folder = await tempFolder('protected-changes');
    services = [];
    await put('.vscode/settings.json', '{"a":1}\n');
    await put('CLAUDE.md', 'Be nice.\n');
    await put('.husky/pre-commit', 'npm test\n');
  });
  afterEach(async () => {
    for (const service of services) await service.dispose();
    await folder.dispose();
  });

  const at = (name: string): string => join(folder.path, 'work', name);
  const put = async (name: string, text: string): Promise<void> => {
    await mkdir(dirname(at(name)), { recursive: true });
    await writeFile(at(name), text);
  };
  const open = (sandbox?: SandboxSettings): AgentService => {
    const host = testHost({
      environment: { GOOGLE_GEMINI_BASE_URL: endpoint().url, PATH: process.env['PATH'] ?? '' },
      sessions: join(folder.path, 'sessions'),
      roots: [join(folder.path, 'work')],
      approvalMode: 'yolo',
    });
    const service = new AgentService({
      ...host,
      settings: { ...host.settings, ...(sandbox && { sandbox: () => sandbox }) },
    });
    services.push(service);
    return service;
  };
  const entryOf = (session: AgentSession): ProtectedEntry => {
    const transcript = new Transcript();
    for (const event of session.events) transcript.apply(event);
    const entry = transcript.entries.find((other) => other.kind === 'protected');
    assert.ok(entry?.kind === 'protected');
    return entry;
  };
  /** The judge sees a script by its name alone. */
  const runs = async (service: AgentService, script: string): Promise<AgentSession> => {
    await put('tool.sh', script);
    const session = await service.createSession();
    endpoint().reply(call('run_shell_command', { command: 'sh tool.sh' }));
    endpoint().reply('Done.');
    await all(session, message('go'));
    return session;
  };
  const putBack = async (service: AgentService, session: AgentSession): Promise<readonly string[]> => {
    await service.session(idOf(session)).commands.protectedChanges.putBack(entryOf(session).change);
    return entryOf(session).files.map(({ name, state }) => `${name} ${state}`);
  };
  const content = (name: string): Promise<string> => readFile(at(name), 'utf8').catch(() => 'not there');

  it('is told to everybody at once, and the files are put back, also after a restart', async () => {
    const service = open();
    const session = await runs(
      service,
      `echo evil > .vscode/settings.json; echo new > .mcp.json; rm CLAUDE.md; chmod +x .husky/pre-commit`,
    );
    const entry = entryOf(session);
    assert.equal(entry.command, 'sh tool.sh');
    assert.deepEqual(
      entry.files.map(({ name, how, what }) => `${name}: ${what}, ${how}`),
      [
        '.husky/pre-commit: hooks of a repository, mode',
        '.mcp.json: settings of an agent, created',
        '.vscode/settings.json: settings of an editor, changed',
        'CLAUDE.md: instructions for agents, deleted',
      ],
    );
    assert.match(
      JSON.stringify(endpoint().requests.at(-1)?.toolResults),
      /Protected files: while sh tool\.sh ran, .*\.vscode\/settings\.json \(settings of an editor\).*user has been told/,
    );
    await service.dispose();
    const later = open();
    const again = await later.resumeSession(idOf(session));
    assert.deepEqual(entryOf(again), entry);
    assert.equal(
      await later.session(idOf(again)).commands.protectedChanges.earlierText(entry.change, at('CLAUDE.md')),
      'Be nice.\n',
    );
    assert.deepEqual(await putBack(later, again), [
      '.husky/pre-commit back',
      '.mcp.json back',
      '.vscode/settings.json back',
      'CLAUDE.md back',
    ]);
    assert.deepEqual(await Promise.all(['.vscode/settings.json', '.mcp.json', 'CLAUDE.md'].map(content)), [
      '{"a":1}\n',
      'not there',
      'Be nice.\n',
    ]);
    assert.equal((await lstat(at('.husky/pre-commit'))).mode & 0o111, 0);
    assert.deepEqual(later.session(idOf(again)).changes.list, [], 'there is nothing to review');
    endpoint().reply('I see.');
    await all(again, message('next'));
    assert.match(JSON.stringify(endpoint().requests.at(-1)?.contents), /The user put back protected files/);
  });

  it('gives way to what somebody wrote since', async () => {
    const service = open();
    const session = await runs(service, 'echo evil > CLAUDE.md');
    await put('CLAUDE.md', 'Mine.\n');
    assert.deepEqual(await putBack(service, session), ['CLAUDE.md again']);
    assert.equal(await content('CLAUDE.md'), 'Mine.\n');
    assert.deepEqual(service.session(idOf(session)).changes.list, []);
  });

  it('is in the audit log: what changed, and what was put back or could not be', async () => {
    const service = open();
    const session = await runs(service, 'echo evil > CLAUDE.md; rm .vscode/settings.json');
    await put('CLAUDE.md', 'Mine.\n');
    await putBack(service, session);
    await service.dispose();
    const lines = (await readFile(join(folder.path, 'audit.jsonl'), 'utf8')).trim().split('\n');
    const audited = lines.map((line) => JSON.parse(line)).filter(({ what }) => /protected|put/.test(what));
    const { callId } = JSON.parse(lines[0] ?? '');
    const about = { session: idOf(session), callId, tool: 'run_shell_command', args: { command: 'sh tool.sh' } };
    const files = (facts: Readonly<Record<string, object>>) =>
      Object.entries(facts).map(([name, fact]) => ({ path: at(name), ...fact }));
    assert.deepEqual(
      audited.map(({ at: _when, ...line }) => line),
      [
        {
          ...about,
          what: 'protected_changed',
          files: files({ '.vscode/settings.json': { change: 'deleted' }, 'CLAUDE.md': { change: 'changed' } }),
        },
        {
          ...about,
          what: 'put_back',
          files: files({ '.vscode/settings.json': { outcome: 'back' }, 'CLAUDE.md': { outcome: 'again' } }),
        },
      ],
    );
  });

  it('has its links replaced by what was there, and the other way round', async () => {
    await put('docs.md', 'Docs.\n');
    await symlink('docs.md', at('AGENTS.md'));
    const service = open();
    const session = await runs(service, 'rm CLAUDE.md AGENTS.md; ln -s /etc/hostname CLAUDE.md; echo evil > AGENTS.md');
    assert.deepEqual(await putBack(service, session), ['AGENTS.md back', 'CLAUDE.md back']);
    assert.equal(await readlink(at('AGENTS.md')), 'docs.md');
    assert.equal((await lstat(at('CLAUDE.md'))).isFile(), true);
    assert.equal(await content('CLAUDE.md'), 'Be nice.\n');
  });

  it('leaves nothing behind that a rewind would bring back', async () => {
    const service = open();
    const session = await runs(service, 'echo evil > CLAUDE.md');
    await putBack(service, session);
    const first = session.events.find((event) => event.type === 'message' && event.role === 'user');
    const messageId = first?.type === 'message' ? (first._meta?.messageId ?? '') : '';
    assert.deepEqual(await service.session(idOf(session)).rewind.preview(messageId), []);
  });

  it('is told when it ends in the background, and the model with its next request', async () => {
    const service = open();
    await put('tool.sh', 'echo evil > CLAUDE.md; cat');
    const session = await service.createSession();
    endpoint().reply(call('run_shell_command', { command: 'sh tool.sh', is_background: true, delay_ms: 0 }));
    endpoint().reply('Done.');
    await all(session, message('go'));
    const told = untilEvent(session, (event) => event.type === 'custom' && event.kind === 'protected_changed');
    const started = session.events.find((event) => event.type === 'tool_response');
    assert.ok(started?.type === 'tool_response');
    await eventually('it to be changed', async () => (await content('CLAUDE.md')) === 'evil\n');
    await service.session(idOf(session)).commands.stop(started.requestId);
    await told;
    endpoint().reply('I see.');
    await all(session, message('next'));
    assert.match(JSON.stringify(endpoint().requests.at(-1)?.contents), /while sh tool\.sh ran, CLAUDE\.md/);
  });

  it('is reported, and nothing else, where the system confines it', async () => {
    execFileSync('git', ['init'], { cwd: at('.'), stdio: 'ignore' });
    const service = open({ mode: 'auto', autoAllow: false, network: [], folders: [] });
    const session = await runs(service, 'git status; echo {} > .mcp.json');
    assert.deepEqual(
      entryOf(session).files.map(({ name, how }) => `${name} ${how}`),
      ['.mcp.json created'],
    );
  });

  it('is reported where the user starts it as well', async () => {
    const service = open();
    const session = await service.createSession();
    await put('tool.sh', 'echo evil > CLAUDE.md');
    const told = untilEvent(session, (event) => event.type === 'custom' && event.kind === 'protected_changed');
    await service.runUserCommand(session, 'sh tool.sh');
    await told;
    assert.deepEqual(await putBack(service, session), ['CLAUDE.md back']);
  });

  it('is not blamed for what the user takes part in', async () => {
    const service = open();
    const session = await service.createSession();
    await rm(at('CLAUDE.md'));
    await service.runUserCommand(session, 'echo mine > CLAUDE.md');
    await untilEvent(session, (event) => event.type === 'tool_response');
    assert.equal(await content('CLAUDE.md'), 'mine\n');
    assert.equal(
      session.events.some((event) => event.type === 'custom' && event.kind === 'protected_changed'),
      false,
    );
  });
});
