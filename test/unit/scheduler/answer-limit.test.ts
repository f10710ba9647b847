import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { AnswerLimit } from '../../../extension/scheduler/answer-limit.ts';
import {
  ConfirmationBroker,
  type GivenAnswer,
  type Question,
} from '../../../extension/scheduler/confirmation-broker.ts';
import { anyTool, call, type Desk, desk, said } from '../../support/desk.ts';
import { VirtualTime } from '../../support/virtual-time.ts';

const QUESTION: Question = { callId: 'c', title: 'Allow?', message: 'It writes.', schema: {} };

describe('A question that nobody answers', () => {
  let time: VirtualTime;
  let minutes: number;
  let log: string[];
  let broker: ConfirmationBroker;
  let stop: AbortController;
  beforeEach(() => {
    time = new VirtualTime();
    minutes = 10;
    log = [];
    stop = new AbortController();
    let count = 0;
    broker = new ConfirmationBroker(
      {
        asked: (requestId) => log.push(`asked ${requestId}`),
        answered: ({ requestId, action }, by) => log.push(`${requestId} ${action} by ${by}`),
      },
      () => `q${++count}`,
      new AnswerLimit(() => minutes, time.clock, time.alarm),
    );
  });

  const ask = (): Promise<GivenAnswer> => broker.ask(QUESTION, stop.signal);

  it('is given up when its time is over, and by whom is written down', async () => {
    const asked = ask();
    time.pass(9.9);
    assert.equal(broker.questions.length, 1);
    time.pass(0.1);
    assert.deepEqual(await asked, { requestId: 'q1', action: 'decline', content: { timeout: 10 }, by: 'timeout' });
    assert.deepEqual(log, ['asked q1', 'q1 decline by timeout']);
    assert.equal(broker.questions.length, 0);
    assert.throws(() => broker.answer([{ requestId: 'q1', action: 'accept', content: {} }]), /no longer open/);
  });

  it('waits for ever unless the user set a limit, also when they take it back meanwhile', () => {
    void ask();
    time.pass(5);
    minutes = 0;
    time.pass(100_000);
    void ask();
    time.pass(100_000);
    assert.equal(broker.questions.length, 2);
  });

  it('waits longer when the limit is raised, and longer than a timer can', async () => {
    const asked = ask();
    minutes = 60_000;
    time.pass(59_999);
    assert.equal(broker.questions.length, 1);
    time.pass(1);
    assert.deepEqual((await asked).content, { timeout: 60_000 });
  });

  it('leaves no timer behind once it is answered, stopped or withdrawn', async () => {
    const first = ask();
    broker.answer([{ requestId: 'q1', action: 'decline', content: {} }], 'panel');
    const second = ask();
    stop.abort();
    await Promise.all([first, second]);
    broker.restore('earlier', QUESTION);
    broker.withdraw(QUESTION.callId ?? '');
    assert.equal(time.pending, 0);
  });

  it('from before a restart has all its time again', async () => {
    broker.restore('earlier', QUESTION);
    time.pass(60);
    assert.equal(broker.questions.length, 0, 'nobody is asked before the call is looked at again');
    const asked = ask();
    time.pass(9);
    assert.equal(broker.questions[0]?.requestId, 'earlier');
    time.pass(1);
    assert.equal((await asked).by, 'timeout');
  });

  it('is not given up while somebody changes the proposal, and keeps what they made of it', async () => {
    const asked = ask();
    time.pass(8);
    broker.draft('q1', { contents: { '/a': 'mine' } });
    time.pass(8);
    broker.draft('q1', { contents: { '/a': 'mine' } });
    broker.draft('q1', { contents: { '/a': 'mine' }, feedback: 'Why so long?' });
    time.pass(8);
    broker.draft('q1', { contents: { '/a': 'mine' }, feedback: 'Why so long?' });
    time.pass(1.9);
    assert.equal(broker.questions.length, 1);
    time.pass(0.1);
    const { content } = await asked;
    assert.deepEqual(content, { timeout: 10, contents: { '/a': 'mine' }, feedback: 'Why so long?' });
  });
});

describe('A call about which nobody answers', () => {
  const write = anyTool('write', 'edit', () => said('written'), {
    propose: async () => ({
      proposal: { kind: 'edit', edits: [{ path: '/a.ts', label: 'a.ts', before: 'one\n', after: 'two\n' }] },
    }),
  });
  const look = anyTool('look', 'read', () => said('seen'));
  let time: VirtualTime;
  let run: Desk;
  beforeEach(() => {
    time = new VirtualTime();
    run = desk([write, look], { limit: new AnswerLimit(() => 1, time.clock, time.alarm) });
  });

  it('is not done, and the model is told that this is no yes', async () => {
    const [end] = run.submit(call('a', 'write'));
    await run.asked(1);
    time.pass(1);
    const { state, result } = (await end) ?? assert.fail();
    assert.equal(state, 'cancelled');
    assert.equal(result.error?.type, 'rejected');
    assert.match(
      result.error?.message ?? '',
      /^Nobody answered within 1 minute, so this was not done\. Do not try to reach the same in another way/,
    );
    assert.deepEqual(result.data, { timeout: 1, question: 'q1', alone: true });
  });

  it('tells the model what the user had begun to make of it', async () => {
    const [end] = run.submit(call('a', 'write'));
    await run.asked(1);
    run.broker.draft('q1', { contents: { '/a.ts': 'three\n', '/b.ts': 'x' }, feedback: 'Not two.' });
    time.pass(1);
    const { result } = (await end) ?? assert.fail();
    const begun =
      'Not two.\n\na.ts, from what was proposed to what the user made of it:\n@@ -1,1 +1,1 @@\n-two\n+three';
    assert.equal(result.data?.['begun'], begun);
    assert.ok(result.error?.message.endsWith(`The user had begun an answer without giving it:\n${begun}`));
  });

  it('takes along what comes after it, but no other edit that somebody may be reading', async () => {
    const ends = run.submit(call('a', 'write'), call('b', 'write'), call('c', 'look'));
    await run.asked(2);
    time.pass(0.5);
    run.broker.draft('q2', { feedback: 'Hm.' });
    time.pass(0.5);
    await ends[0];
    assert.match((await ends[2])?.result.error?.message ?? '', /^Not run: nobody answered the question about a call/);
    run.answer('b', { decision: 'once' });
    assert.equal((await ends[1])?.state, 'success');
  });
});
