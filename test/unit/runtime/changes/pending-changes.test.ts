import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { Host } from '../../../../extension/ports/host.ts';
import type { Tool } from '../../../../extension/ports/tool.ts';
import type { AgentSession } from '../../../../extension/protocol/agent/agent-session.ts';
import { ProblemError } from '../../../../extension/protocol/agent/problem.ts';
import type { AgentService } from '../../../../extension/runtime/agent-service.ts';
import type { PendingTexts } from '../../../../extension/runtime/changes/pending-changes.ts';
import type { UnreviewedFile } from '../../../../extension/sessions/files/review-ledger.ts';
import { idOf, useAgent } from '../../../support/agent.ts';
import { all, answer, message, testTool } from '../../../support/conversation.ts';
import { call } from '../../../support/gemini/script.ts';
import { runs } from '../../../support/test-size.ts';

const isBadInput = (error: unknown): boolean => ProblemError.is(error, 'bad-input');

describe('Changes that nobody looked at first', () => {
  const agent = useAgent();

  const notes = (): string => join(agent.workspace, 'notes.txt');
  const content = (): Promise<string> => readFile(notes(), 'utf8').catch(() => 'not there');

  /** Named as one that rules allow in autoEdit. Adds a line to the notes each time. */
  function append(): Tool {
    return testTool('replace', 'edit', async (_args, { writeFile: write }) => {
      const before = await readFile(notes(), 'utf8').catch(() => '');
      await write(notes(), Buffer.from(`${before}line\n`));
      return { content: 'appended' };
    });
  }

  async function turn(session: AgentSession, text = 'go'): Promise<void> {
    agent.endpoint.reply(call('replace', {}));
    agent.endpoint.reply('done');
    await all(session, message(text));
  }

  async function edited(changes: Partial<Host> = {}): Promise<[AgentService, AgentSession]> {
    const service = agent.open([append()], { approvalMode: 'autoEdit' }, changes);
    const session = await service.createSession();
    await turn(session);
    return [service, session];
  }

  function listed(service: AgentService, session: AgentSession): UnreviewedFile {
    const [file] = service.session(idOf(session)).changes.list;
    assert.ok(file);
    return file;
  }

  function textsOf(service: AgentService, session: AgentSession): Promise<PendingTexts | undefined> {
    return service.session(idOf(session)).changes.texts(listed(service, session));
  }

  async function takeBack(service: AgentService, session: AgentSession, text: string): Promise<void> {
    const change = { expected: await content(), text };
    await service.session(idOf(session)).changes.reject(listed(service, session), change);
  }

  async function requestAfter(session: AgentSession): Promise<string> {
    agent.endpoint.reply('ok');
    await all(session, message('next'));
    return JSON.stringify(agent.endpoint.requests.at(-1)?.contents);
  }

  it('wait with what was there before, also after a restart', async () => {
    await writeFile(notes(), 'mine\n');
    const [service, session] = await edited();
    assert.deepEqual(await textsOf(service, session), { baseline: 'mine\n', current: 'mine\nline\n' });
    await service.dispose();
    const later = agent.open([append()]);
    await later.resumeSession(idOf(session));
    assert.deepEqual(await textsOf(later, session), { baseline: 'mine\n', current: 'mine\nline\n' });
  });

  it('are none when a person said yes to each', async () => {
    const service = agent.open([append()]);
    const session = await service.createSession();
    session.subscribe((event) => {
      if (event.type === 'elicitation_request') void session.send(answer(event.requestId, 'accept'));
    });
    await turn(session);
    assert.equal(await content(), 'line\n');
    assert.deepEqual(service.session(idOf(session)).changes.list, []);
  });

  it('wait no more once they were accepted, and listeners are told', async () => {
    const [service, session] = await edited();
    const changes = service.session(idOf(session)).changes;
    let told = 0;
    const stop = changes.onDidChange(() => told++);
    await changes.accept(listed(service, session));
    assert.deepEqual(changes.list, []);
    assert.equal(told, 1);
    await turn(session, 'again');
    assert.equal(told, 3, 'when it is about to be made and when it was made');
    stop();
    await turn(session, 'and again');
    assert.equal(told, 3);
  });

  it('are accepted in part: the rest continues waiting, also after a restart', async () => {
    const [service, session] = await edited();
    await turn(session, 'again');
    const file = listed(service, session);
    await service.session(idOf(session)).changes.accept(file, { baseline: 'line\n', current: 'line\nline\n' });
    await service.dispose();
    const later = agent.open([append()]);
    await later.resumeSession(idOf(session));
    assert.equal((await textsOf(later, session))?.baseline, 'line\n');
    assert.equal(await content(), 'line\nline\n');
  });

  it('are taken back, which the model is told at its next turn, once', async () => {
    await writeFile(notes(), 'mine\n');
    const [service, session] = await edited();
    await takeBack(service, session, 'mine\n');
    assert.equal(await content(), 'mine\n');
    assert.deepEqual(service.session(idOf(session)).changes.list, []);
    const sent = await requestAfter(session);
    assert.match(sent, /took these back.*untrusted_context.*notes\.txt.*-line/);
    assert.equal((await requestAfter(session)).split('took these back').length, 2);
    assert.deepEqual(
      session.events.flatMap((event) => (event.type === 'message' && event.role === 'user' ? event.content : [])),
      ['go', 'next', 'next'].map((text) => ({ type: 'text', text })),
    );
  });

  it('are reported again when the message that reported them is rewound', async () => {
    await writeFile(notes(), 'mine\n');
    const [service, session] = await edited();
    await takeBack(service, session, 'mine\n');
    await requestAfter(session);
    const next = session.events.findLast((event) => event.type === 'message' && event.role === 'user');
    const messageId = next?.type === 'message' ? String(next._meta?.['messageId']) : '';
    await service.session(idOf(session)).rewind.rewind({ messageId, what: 'conversation' });
    assert.match(await requestAfter(session), /took these back/);
  });

  it('come back with a rewind to before they were taken back', async () => {
    await writeFile(notes(), 'mine\n');
    const [service, session] = await edited();
    await requestAfter(session);
    const next = session.events.findLast((event) => event.type === 'message' && event.role === 'user');
    const messageId = next?.type === 'message' ? String(next._meta?.['messageId']) : '';
    await takeBack(service, session, 'mine\n');
    await service.session(idOf(session)).rewind.rewind({ messageId, what: 'files' });
    assert.equal(await content(), 'mine\nline\n');
    assert.equal(service.session(idOf(session)).changes.list.length, 1);
  });

  it('of a new file are taken back by removing it', async () => {
    const [service, session] = await edited();
    const change = { expected: 'line\n', text: null };
    await service.session(idOf(session)).changes.reject(listed(service, session), change);
    assert.equal(await content(), 'not there');
    assert.match(await requestAfter(session), /The file was removed/);
  });

  it('are not taken back from under an edit that nobody looked at', async () => {
    const [service, session] = await edited();
    const file = listed(service, session);
    await writeFile(notes(), 'line\nand mine\n');
    const change = { expected: 'line\n', text: '' };
    await assert.rejects(service.session(idOf(session)).changes.reject(file, change), isBadInput);
    assert.equal(await content(), 'line\nand mine\n');
    assert.equal(service.session(idOf(session)).changes.list.length, 1);
    assert.doesNotMatch(await requestAfter(session), /took these back/);
  });

  it('are not taken back in a folder that is not trusted any more, and can still be accepted', async () => {
    await writeFile(notes(), 'mine\n');
    const [service, session] = await edited();
    await service.dispose();
    const restricted = agent.open([append()], { trusted: false });
    await restricted.resumeSession(idOf(session));
    await assert.rejects(
      takeBack(restricted, session, 'mine\n'),
      (error) => ProblemError.is(error, 'bad-input') && /not trusted/.test(error.problem.detail),
    );
    assert.equal(await content(), 'mine\nline\n');
    await restricted.session(idOf(session)).changes.accept(listed(restricted, session));
    assert.deepEqual(restricted.session(idOf(session)).changes.list, []);
  });

  describe('in a file of another encoding that no editor has open', () => {
    const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

    async function editedLatin1(): Promise<[AgentService, AgentSession]> {
      await writeFile(notes(), latin1('caf\xe9\none\n\xe9t\xe9\n'));
      const upper = testTool('replace', 'edit', async (_args, { writeFile: write }) => {
        await write(notes(), latin1('caf\xe9\nONE\n\xe9t\xe9\n'));
        return { content: 'changed' };
      });
      const service = agent.open([upper], { approvalMode: 'autoEdit' });
      const session = await service.createSession();
      await turn(session);
      return [service, session];
    }

    it('are taken back to the byte when nobody touched it since', async () => {
      const [service, session] = await editedLatin1();
      const { baseline = null } = (await textsOf(service, session)) ?? {};
      await takeBack(service, session, baseline ?? '');
      assert.deepEqual(await readFile(notes()), latin1('caf\xe9\none\n\xe9t\xe9\n'));
    });

    for (const [what, theirs] of [
      ['edited another line', 'caf\xe9\nONE\n\xe9t\xe9\nmine\n'],
      ['only exchanged letters that both are no UTF-8', 'caf\xe8\nONE\n\xe9t\xe9\n'],
    ] as const) {
      it(`are left alone when the user ${what}: the way there is the editor`, async () => {
        const [service, session] = await editedLatin1();
        await writeFile(notes(), latin1(theirs));
        const texts = await textsOf(service, session);
        const text = theirs.endsWith('mine\n') ? `${texts?.baseline}mine\n` : `${texts?.baseline}`;
        await assert.rejects(
          takeBack(service, session, text),
          (error) => ProblemError.is(error, 'bad-input') && /with its encoding/.test(error.problem.detail),
        );
        assert.deepEqual(await readFile(notes()), latin1(theirs));
        assert.equal(service.session(idOf(session)).changes.list.length, 1);
      });
    }

    it('do not bring damaged letters into a file that is Unicode by now', async () => {
      const [service, session] = await editedLatin1();
      await writeFile(notes(), 'caf\u00e9\nONE\n\u00e9t\u00e9\n');
      await assert.rejects(takeBack(service, session, 'caf\ufffd\none\n\u00e9t\u00e9\n'), isBadInput);
      assert.equal(await content(), 'caf\u00e9\nONE\n\u00e9t\u00e9\n');
    });
  });

  it('that came after the user looked are not accepted with what they saw', async () => {
    const [service, session] = await edited();
    const seen = listed(service, session);
    await turn(session, 'again');
    await assert.rejects(service.session(idOf(session)).changes.accept(seen), isBadInput);
    assert.equal(service.session(idOf(session)).changes.list.length, 1);
  });

  it('go with a session that is copied', async () => {
    const [service, session] = await edited();
    const copy = await service.forkSession(idOf(session));
    assert.equal((await textsOf(service, copy))?.current, 'line\n');
  });

  it('are none in a session that is not kept, which is edited all the same', async () => {
    const [service, session] = await edited({ sessions: { folder: undefined, owner: 'a test', interactive: true } });
    assert.equal(await content(), 'line\n');
    assert.deepEqual(service.session(idOf(session)).changes.list, []);
  });

  it('are the same after a restart whatever was done', async () => {
    const step = fc.constantFrom('agent', 'user', 'accept', 'take back', 'part', 'rewind', 'undo');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
        await mkdir(agent.workspace, { recursive: true });
        await writeFile(notes(), 'mine\n');
        const [service, session] = await edited();
        const changes = service.session(idOf(session)).changes;
        const rewind = service.session(idOf(session)).rewind;
        for (const [index, kind] of steps.entries()) {
          const [file] = changes.list;
          if (kind === 'agent') await turn(session, `turn ${index}`);
          if (kind === 'user') await writeFile(notes(), `${await content()}by hand ${index}\n`);
          if (kind === 'accept' && file) await changes.accept(file);
          if (kind === 'take back' && file) await takeBack(service, session, 'mine\n');
          if (kind === 'part' && file) {
            await changes.accept(file, { baseline: `part ${index}\n`, current: await content() });
          }
          if (kind === 'undo' && rewind.canUndo) await rewind.undo([notes()]);
          if (kind !== 'rewind') continue;
          const first = session.events.find((event) => event.type === 'message' && event.role === 'user');
          const messageId = first?.type === 'message' ? String(first._meta?.['messageId']) : '';
          await rewind.rewind({ messageId, what: 'files', overwrite: [notes()] });
        }
        const before = changes.list;
        for (const file of before) assert.ok(await changes.texts(file), 'both contents are stored');
        await service.dispose();
        const later = agent.open([append()]);
        await later.resumeSession(idOf(session));
        assert.deepEqual(later.session(idOf(session)).changes.list, before);
      }),
      { numRuns: runs(5, 50) },
    );
  });
});
