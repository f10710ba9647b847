import assert from 'node:assert/strict';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ProblemError } from '../../extension/protocol/agent/problem.ts';
import { readHostMessage } from '../../extension/protocol/panel/host-messages.ts';
import { Transcript } from '../../extension/protocol/transcript/transcript.ts';
import type { SessionCommands } from '../../extension/runtime/commands/session-commands.ts';
import { hashOf } from '../../extension/sessions/files/blob-store.ts';
import { productTools } from '../../extension/tools/product-tools.ts';
import { sandboxHandlers } from '../../extension/vscode/terminals/sandbox-handlers.ts';
import { useAgent } from '../support/agent.ts';
import { asking } from '../support/panel/entries.ts';
import { createTempWorkspace, type TempWorkspace } from '../support/temp-workspace.ts';

const ID = 'shown';
const EVIL = 'evil\n';

/** Like those of what is in the conversation, and names that every object answers to. */
const IDS = [
  ...['', ' ', '0', 'other', 'call-1 ', ' call-1', 'CALL-1', 'call-1\u0000', 'call-1/..', 'call-*', 'typed-1'],
  ...['call-plain', 'message', ID, 'change-1 ', 'CHANGE-1', 'ask-1 ', 'ask-plain'],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'x'.repeat(100_000)],
];
const ODD: readonly unknown[] = [undefined, null, 1, Number.NaN, true, [], ['call-1'], {}, { toString: 'call-1' }];
const INDEXES: readonly unknown[] = [
  ...[-1, 1, 2, 0.5, 2 ** 31, -(2 ** 31), Number.MAX_SAFE_INTEGER, Number.NaN, Number.POSITIVE_INFINITY],
  ...['0', '', 'length', '__proto__', null, undefined, [0], {}, true, 0n],
];
const THREADS = ['t', '', ID, '__proto__', 'constructor'];

function* hostileMessages(): Generator<Readonly<Record<string, unknown>>> {
  for (const callId of [...IDS, ...ODD]) {
    yield { type: 'runOutside', callId };
    yield { type: 'putBack', change: callId };
    for (const accepted of [true, false, 'yes', 1, null]) yield { type: 'answerOffer', requestId: callId, accepted };
    for (const kind of ['folder', 'host'])
      for (const index of [0, ...INDEXES]) yield { type: 'allowBlocked', callId, kind, index, always: true };
  }
  for (const always of [true, false])
    for (const index of INDEXES)
      for (const kind of ['folder', 'host']) yield { type: 'allowBlocked', callId: 'call-1', kind, index, always };
  for (const kind of ['path', 'paths', 'closedHosts', '__proto__', 'length', '', null, 0, ['folder']])
    yield { type: 'allowBlocked', callId: 'call-1', kind, index: 0, always: true };
  for (const always of ['true', 1, null, {}, []])
    yield { type: 'allowBlocked', callId: 'call-1', kind: 'folder', index: 0, always };
  for (const threadId of [...THREADS, ...ODD.slice(1)]) {
    yield { type: 'runOutside', callId: 'call-1', threadId };
    yield { type: 'allowBlocked', callId: 'call-1', threadId, kind: 'folder', index: 0, always: true };
  }
  for (const accepted of ['true', 1, null, undefined, {}, []])
    yield { type: 'answerOffer', requestId: 'ask-1', accepted };
  for (const more of [{ what: '/etc' }, { command: 'touch PWN' }, { path: '/etc/passwd' }, { folder: '/' }]) {
    yield { type: 'runOutside', callId: 'call-1', ...more };
    yield { type: 'putBack', change: 'change-1', ...more };
    yield { type: 'answerOffer', requestId: 'ask-1', accepted: true, ...more };
    yield { type: 'allowBlocked', callId: 'call-1', kind: 'folder', index: 0, always: true, ...more };
  }
}

describe('A hostile page', () => {
  const agent = useAgent();
  let outside: TempWorkspace;
  let commands: SessionCommands;
  let transcript: Transcript;
  /** What the host did, in the order in which it did it. */
  let done: string[];
  let confirms: (yes: boolean) => void;

  beforeEach(async () => {
    outside = await createTempWorkspace();
    done = [];
    await writeFile(join(agent.workspace, 'CLAUDE.md'), EVIL);
    await mkdir(join(agent.sessions, ID));
    const lines = [...log(agent.workspace, outside.path)].map((record) => JSON.stringify({ at: AT, ...record }));
    await writeFile(logFile(), `${lines.join('\n')}\n`);
    const service = agent.open(productTools);
    const session = await service.resumeSession(ID);
    commands = service.session(ID).commands;
    transcript = new Transcript();
    for (const event of session.events) transcript.apply(event);
  });

  afterEach(() => outside.dispose());

  const logFile = (): string => join(agent.sessions, ID, 'log.jsonl');
  const offer = asking('run_shell_command', 'ls', {
    approval: {
      requestId: 'ask-1',
      title: 'Run?',
      message: 'ls',
      decisions: ['once'],
      request: {
        details: { type: 'exec', command: 'ls', folder: '/' },
        why: '',
        grants: [],
        offersAutoAllow: true,
      },
    },
  });

  /** As the router of messages does, with the dialogs of a user who answers nothing. */
  async function post(message: unknown): Promise<void> {
    const { data } = readHostMessage(message);
    if (data?.type === 'putBack')
      await commands.protectedChanges.putBack(data.change).catch((error: unknown) => assert.ok(ProblemError.is(error)));
    if (data?.type === 'runOutside') await handlers.runOutside(data);
    if (data?.type === 'allowBlocked') await handlers.allowBlocked(data);
    if (data?.type === 'answerOffer') await handlers.answerOffer(data);
  }
  const note = async (what: string): Promise<void> => void done.push(what);
  const shown = {
    get entries() {
      return [...transcript.entries, asking('run_shell_command', 'rm x', { id: 'plain' }), offer];
    },
    entry: (id: string) => transcript.entry(id),
    thread: (id: string) => transcript.thread(id),
    get commands() {
      return commands;
    },
    answer: async ({ requestId }: { readonly requestId: string }) => {
      await note(`answered ${requestId}`);
      return undefined;
    },
  };
  const handlers = sandboxHandlers({
    session: shown,
    commandsOf: async (threadId) => (threadId === undefined ? commands : undefined),
    dialogs: {
      confirmOutside: ({ command }) => {
        done.push(`asked about ${command}`);
        return new Promise((resolve) => {
          confirms = resolve;
        });
      },
      say: () => Promise.resolve(),
      saveAutoAllow: (allowed) => note(`always: ${allowed}`),
      saveOpened: (kind, what) => note(`saved ${kind} ${what}`),
      reportProblem: () => Promise.resolve(),
      reportFailure: async (_what, error) => assert.ok(ProblemError.is(error), String(error)),
    },
  });

  it('can have nothing allowed, run, answered or changed by what it makes up', async () => {
    const before = await readFile(logFile(), 'utf8');
    let count = 0;
    for (const message of hostileMessages()) {
      await post(message);
      count += 1;
      assert.deepEqual(
        done,
        [],
        JSON.stringify(message, (_, value) => (typeof value === 'bigint' ? '0n' : value)).slice(0, 300),
      );
    }
    assert.ok(count > 1000, String(count));
    assert.equal(await readFile(logFile(), 'utf8'), before, 'nothing is in the log');
    assert.equal(await readFile(join(agent.workspace, 'CLAUDE.md'), 'utf8'), EVIL);
    await assert.rejects(stat(join(outside.path, 'x')));
  });

  it('gets no more by saying the same again', async () => {
    const each = <T>(message: T): Promise<void>[] => Array.from({ length: 50 }, () => post(message));
    const all = <T>(message: T): Promise<unknown> => Promise.all(each(message));
    let dropped = 0;
    const running = each({ type: 'runOutside', callId: 'call-1' }).map((message) => message.then(() => (dropped += 1)));
    // The dialog is open until all others were judged, too.
    while (dropped < 49) await new Promise(setImmediate);
    confirms(false);
    await Promise.all(running);
    assert.deepEqual(done, [`asked about touch ${join(outside.path, 'x')}`], 'one dialog');
    await assert.rejects(stat(join(outside.path, 'x')));
    await all({ type: 'putBack', change: 'change-1' });
    await assert.rejects(stat(join(agent.workspace, 'CLAUDE.md')));
    await all({ type: 'allowBlocked', callId: 'call-1', kind: 'host', index: 0, always: false });
    const records = (await readFile(logFile(), 'utf8')).match(/"type":"(protected_put_back|sandbox_allowed)"/g);
    assert.equal(records?.length, 2);
  });

  it('is heard where it says what was offered', async () => {
    await post({ type: 'answerOffer', requestId: 'ask-1', accepted: true });
    await post({ type: 'allowBlocked', callId: 'call-1', kind: 'host', index: 0, always: true });
    assert.deepEqual(done, ['always: true', 'answered ask-1', 'saved host example.com']);
    assert.deepEqual(commands.sandbox.opened('host'), ['example.com']);
  });
});

const AT = new Date(0).toISOString();

/** A conversation with a command that was blocked, one that was not, and a protected file that was changed. */
function* log(workspace: string, outside: string): Generator<object> {
  yield { type: 'session', version: 1, id: ID, workspace };
  const content = { role: 'user', parts: [{ text: 'Go' }] };
  yield { type: 'sent', streamId: 's', event: { id: 'm', author: 'user', content } };
  yield { type: 'run_started' };
  const blocked = { paths: [join(outside, 'x')], hosts: ['example.com'], folders: [outside] };
  for (const [id, more] of [
    ['call-1', { blocked }],
    ['call-plain', {}],
  ] as const) {
    const args = { command: `touch ${join(outside, 'x')}` };
    const functionCall = { id, name: 'run_shell_command', args };
    yield {
      type: 'event',
      event: { id: `e-${id}`, author: 'gantry', content: { role: 'model', parts: [{ functionCall }] } },
    };
    yield { type: 'tool_started', callId: id };
    yield { type: 'command_started', callId: id, by: 'agent', ...args, folder: workspace };
    yield {
      type: 'tool_finished',
      call: functionCall,
      state: 'success',
      result: { content: 'Exit code 1', data: { exitCode: 1, ...more } },
      display: { name: 'Shell', result: { type: 'terminal', text: '' } },
    };
  }
  const after = { hash: hashOf(Buffer.from(EVIL)), mode: 0o644 };
  const file = { path: join(workspace, 'CLAUDE.md'), name: 'CLAUDE.md', what: 'instructions for agents' };
  const files = [{ ...file, kind: 'created', before: null, after, restorable: true }];
  yield { type: 'protected_changed', id: 'change-1', callId: 'call-1', command: 'touch', files, inResult: true };
  yield { type: 'run_ended', reason: 'completed' };
}
