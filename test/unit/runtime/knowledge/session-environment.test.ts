import assert from 'node:assert/strict';
import { ChildProcess } from 'node:child_process';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { AgentSession } from '../../../../extension/protocol/agent/agent-session.ts';
import type { AgentService } from '../../../../extension/runtime/agent-service.ts';
import { idOf, useAgent } from '../../../support/agent.ts';
import { all, message, testTool } from '../../../support/conversation.ts';
import type { RecordedRequest } from '../../../support/gemini/request.ts';
import { call, type Piece } from '../../../support/gemini/script.ts';
import { snapshotModel } from '../../../support/gemini/snapshot-model.ts';
import { createTempRepository, type TempRepository } from '../../../support/git-repository.ts';
import { eventually } from '../../../support/poll.ts';
import { invoke, report, Subagents } from '../../../support/subagents.ts';
import { createTempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';
import type { TestHostOptions } from '../../../support/test-host.ts';

const FILES = {
  'package.json': JSON.stringify({ scripts: { test: 'x', build: 'y' } }),
  '.gitignore': 'dist/\n',
  '.env': 'API_KEY=1',
  'src/app.ts': '',
  'dist/app.js': '',
};

const lookTool = testTool('look', 'read', async () => ({ content: 'seen' }));

describe('The machine and the workspace', () => {
  const agent = useAgent();
  let repository: TempRepository;
  /** Programs that stand for those of the user. */
  let programs: TempWorkspace;
  let now: number;
  beforeEach(async () => {
    repository = await createTempRepository(FILES, ['Begin', 'Go on']);
    programs = await createTempWorkspace();
    await program('node', 'echo v22.1.0');
    now = new Date(2026, 2, 2, 9, 30).getTime();
  });
  afterEach(async () => {
    await repository.dispose();
    await programs.dispose();
  });

  async function program(name: string, script: string): Promise<void> {
    await programs.write({ [name]: `#!/bin/sh\n${script}\n` });
    await chmod(join(programs.path, name), 0o755);
  }

  function open(options: TestHostOptions = {}): AgentService {
    const PATH = `${programs.path}:${process.env['PATH']}`;
    const environment = { GOOGLE_GEMINI_BASE_URL: agent.endpoint.url, PATH };
    const roots = [repository.path];
    // Everything is known before the first request, however slow the machine is.
    const alarm = (): (() => void) => () => undefined;
    return agent.open([lookTool], { roots, environment, sendsEnvironment: true, now: () => now, alarm, ...options });
  }

  async function ask(session: AgentSession, text: string, ...before: readonly Piece[]): Promise<RecordedRequest> {
    for (const reply of [...before, 'Yes.']) agent.endpoint.reply(reply);
    await all(session, message(text));
    return last();
  }

  const last = (): RecordedRequest =>
    agent.endpoint.requests.filter((request) => request.streamed).at(-1) as RecordedRequest;

  it('are described before the first message, as data and not as words of the user', async () => {
    const request = await ask(await open().createSession(), 'Hello');
    const [text = '', ...more] = request.environment;
    assert.deepEqual(more, []);
    const texts = (request.body.contents ?? []).map(({ parts }) => parts?.[0]?.text);
    assert.deepEqual(texts, [text, 'Hello']);
    const [, own = '', data = ''] = /^(.*)<untrusted_context>(.*)<\/untrusted_context>$/s.exec(text) ?? [];
    assert.match(own, /^Facts about the machine and the workspace, [^\n]* The user did not write them/);
    assert.match(own, /\nDate: Monday, 2026-03-02, 09:30 \(time zone [^)]+\)\n/);
    assert.match(own, /\nOperating system: [^\n]+, \w+\nShell for commands: \/[^\n]*\n/);
    assert.match(own, /\nVersions: (?:bash \d[^\n]*, )?Node 22\.1\.0\n/);
    assert.match(data, /\npackage\.json: package manager npm; scripts for npm run: test, build\n/);
    assert.match(
      data,
      /\nGit: branch main; nothing is uncommitted; last commits:\n- [0-9a-f]{7,} Go on\n- [0-9a-f]{7,} Begin\n/,
    );
    assert.match(data, /\n\(top\): src\/, package\.json, \.gitignore\nsrc: app\.ts\n/);
    assert.doesNotMatch(text, /dist|\.env/);
  });

  it('are not described again, but what changes is, and a resumed session knows what was said', async () => {
    const service = open();
    const session = await service.createSession();
    const first = await ask(session, 'Hello');
    const second = await ask(session, 'And now?');
    assert.deepEqual(second.environment, first.environment);

    repository.git('checkout', '--quiet', '-b', 'feature/x');
    await repository.write({ Makefile: 'deploy:\n', 'src/new.ts': '' });
    now += 24 * 3600_000;
    // The change is looked up beside the conversation, so it goes with one of the next requests.
    let third = await ask(session, 'Look', call('look', {}));
    while (third.environment.length < 2) third = await ask(session, 'Again');
    const [, told = '', ...more] = third.environment;
    assert.deepEqual(more, []);
    assert.match(told, /^More or changed facts /);
    assert.match(told, /\nDate: Tuesday, 2026-03-03/);
    assert.match(told, /\nGit: branch feature\/x; uncommitted files: 2 untracked; last commits:/);
    assert.match(told, /\nMakefile: make: deploy\n/);
    assert.doesNotMatch(told, /Operating system|\(top\)/);

    await service.dispose();
    const resumed = await open().resumeSession(idOf(session));
    const fourth = await ask(resumed, 'Back');
    assert.deepEqual(fourth.environment, third.environment);
    const before = JSON.stringify(third.body.contents);
    assert.equal(JSON.stringify(fourth.body.contents?.slice(0, third.body.contents?.length)), before);
  });

  it('start no program in a folder that is not trusted', async () => {
    const started: string[] = [];
    const prototype = ChildProcess.prototype as unknown as { spawn: (options: { file: string }) => number };
    const { spawn } = prototype;
    prototype.spawn = function (options) {
      started.push(options.file);
      return spawn.call(this, options);
    };
    try {
      const [text = ''] = (await ask(await open({ trusted: false }).createSession(), 'Hello')).environment;
      assert.equal(started.join(), '');
      assert.match(text, /\nGit: branch main\n/);
      assert.match(text, /scripts for npm run: test, build/);
      assert.doesNotMatch(text, /Versions|commits/);
      await ask(await open().createSession(), 'Hello');
      assert.ok(started.includes(join(programs.path, 'node')), 'the test sees programs');
    } finally {
      prototype.spawn = spawn;
    }
  });

  it('do not keep the first request waiting for a slow program, which ends with Gantry', async () => {
    await program('node', 'echo $$ > "$0.pid"; while :; do sleep 1; done');
    const rings: (() => void)[] = [];
    const service = open({
      alarm: (ms, ring) => {
        if (ms === 45) rings.push(ring);
        return () => undefined;
      },
    });
    const session = await service.createSession();
    agent.endpoint.reply('Yes.');
    const answered = all(session, message('Hello'));
    const pid = await eventually('the program', async () => {
      const written = await readFile(join(programs.path, 'node.pid'), 'utf8');
      return Number(written) || undefined;
    });
    for (const ring of rings) ring();
    await answered;
    assert.match(last().environment.join(), /Operating system/);
    assert.doesNotMatch(last().environment.join(), /Versions/);
    await service.dispose();
    await eventually('the end of the program', () => !isRunning(pid));
  });

  it('ask a program for its version once for sessions that begin within a minute', async () => {
    await program('node', 'echo asked >> "$0.log"; echo v22.1.0');
    const service = open();
    for (const minutes of [0, 0.5, 2]) {
      now += minutes * 60_000;
      await ask(await service.createSession(), 'Hello');
      assert.match(last().environment.join(), /Node 22\.1\.0/);
    }
    assert.equal(await readFile(join(programs.path, 'node.log'), 'utf8'), 'asked\nasked\n');
  });

  it('do not delay the first request: the list of files is completed after the request was sent', async () => {
    // The time is over before the first folder is opened.
    const alarm = (ms: number, ring: () => void): (() => void) => {
      if (ms === 45) ring();
      return () => undefined;
    };
    const session = await open({ alarm }).createSession();
    const first = await ask(session, 'Hello');
    assert.match(first.environment.join(), /Operating system|Shell for commands/);
    assert.doesNotMatch(first.environment.join(), /\(top\)/);
    let later = await ask(session, 'Look', call('look', {}));
    while (!later.environment.join().includes('(top): src/')) later = await ask(session, 'Again');
  });

  it('run no program of the project, whatever the PATH says', async () => {
    await repository.write({ 'bin/node': '#!/bin/sh\necho v66.6.6\n' });
    await chmod(join(repository.path, 'bin/node'), 0o755);
    const PATH = `bin:${repository.path}/bin:${programs.path}`;
    const environment = { GOOGLE_GEMINI_BASE_URL: agent.endpoint.url, PATH };
    const request = await ask(await open({ environment }).createSession(), 'Hello');
    assert.match(request.environment.join(), /Node 22\.1\.0/);
    // Without Git on the PATH, only its files are read.
    assert.match(request.environment.join(), /\nGit: branch main\n/);
  });

  it('run no program that the settings of a repository name', async () => {
    const mark = join(programs.path, 'mark');
    for (const setting of ['core.fsmonitor', 'filter.x.clean', 'core.pager', 'gpg.program'])
      repository.git('config', setting, `touch ${mark}; cat`);
    repository.git('config', 'log.showSignature', 'true');
    await repository.write({ '.gitattributes': '* filter=x\n', 'src/app.ts': 'changed' });
    const request = await ask(await open().createSession(), 'Hello');
    assert.match(request.environment.join(), /\nGit: branch main; last commits:\n/);
    await assert.rejects(readFile(mark));
  });

  it('are described again after a summary has replaced the description', async () => {
    snapshotModel(agent.endpoint);
    const session = await open({ loopDetection: false }).createSession();
    for (const text of ['Hello', 'More']) {
      agent.endpoint.reply(`${text} `.repeat(3000));
      await all(session, message(text));
    }
    await all(session, { action: { type: 'compress', data: undefined } });
    let request = await ask(session, 'And?', call('look', {}));
    while (request.environment.length < 1) request = await ask(session, 'Then?');
    assert.equal(request.environment.length, 1);
    assert.match(request.environment[0] ?? '', /Operating system.*Git: branch main.*\(top\): src/s);
  });

  it('are one part of the context meter', async () => {
    const service = open();
    const session = await service.createSession();
    await ask(session, 'Hello');
    const kinds = service.session(idOf(session))?.contextShares.map(({ kind }) => kind);
    assert.ok(kinds?.includes('environment'), String(kinds));
  });

  it('are the same for an agent that works for the session', async () => {
    const agents = new Subagents(agent);
    await agents.define('scout', 'tools: [read_file]');
    agents.script('Go', invoke('scout', 'Look'), 'Thanks.');
    agents.script('Look', report('Seen.'));
    const environment = { GOOGLE_GEMINI_BASE_URL: agent.endpoint.url, GEMINI_CLI_HOME: agents.home };
    const options = { environment, roots: [repository.path], sendsEnvironment: true, alarm: () => () => undefined };
    await all(await agents.open(undefined, options).createSession(), message('Go'));
    const [[ofLeader], [ofAgent]] = ['Go', 'Look'].map((first) => agents.requestsOf(first)) as [
      RecordedRequest[],
      RecordedRequest[],
    ];
    assert.match(ofAgent?.environment.join() ?? '', /Operating system/);
    assert.deepEqual(ofAgent?.environment, ofLeader?.environment);
  });

  it('are not described if the user does not want it', async () => {
    const request = await ask(await open({ sendsEnvironment: false }).createSession(), 'Hello');
    assert.deepEqual(request.environment, []);
  });

  it('are named by folder if there are several', async () => {
    const other = await createTempWorkspace({ 'go.mod': 'module x' });
    try {
      const roots = [repository.path, other.path, join(other.path, 'removed')];
      const [text = ''] = (await ask(await open({ roots }).createSession(), 'Hello')).environment;
      const name = (path: string): string => path.replace(/^.*\//, '');
      assert.match(text, new RegExp(`\nIn ${name(other.path)}:\n {2}go.mod: go build`));
      assert.match(text, new RegExp(`\nGit in ${name(repository.path)}: branch main`));
      assert.match(text, /\nVersions: .*Go /);
    } finally {
      await other.dispose();
    }
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
