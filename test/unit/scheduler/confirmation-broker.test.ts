import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { ElicitationAnswer } from '../../../extension/protocol/agent/agent-protocol.ts';
import { ProblemError } from '../../../extension/protocol/agent/problem.ts';
import { ConfirmationBroker, type Question } from '../../../extension/scheduler/confirmation-broker.ts';

const QUESTION: Question & { readonly callId: string } = {
  callId: 'c',
  title: 'Allow?',
  message: 'It writes.',
  schema: {},
};

describe('A question to the user', () => {
  let log: string[];
  let broker: ConfirmationBroker;
  let onAsked: (requestId: string) => void;
  beforeEach(() => {
    log = [];
    onAsked = () => undefined;
    let count = 0;
    broker = new ConfirmationBroker(
      {
        asked: (requestId) => {
          log.push(`asked ${requestId}`);
          onAsked(requestId);
        },
        answered: ({ requestId, action }) => log.push(`answered ${requestId} ${action}`),
      },
      () => `q${++count}`,
    );
  });

  const never = (): AbortSignal => new AbortController().signal;

  it('waits for its own answer', async () => {
    const [first, second] = [broker.ask(QUESTION, never()), broker.ask(QUESTION, never())];
    broker.answer([yes('q2')]);
    broker.answer([{ requestId: 'q1', action: 'decline', content: {} }]);
    assert.equal((await first).action, 'decline');
    assert.deepEqual(await second, { ...yes('q2'), by: 'unknown' });
    assert.deepEqual(log, ['asked q1', 'asked q2', 'answered q2 accept', 'answered q1 decline']);
  });

  it('takes one answer, and says of the next that nobody waits', async () => {
    const asked = broker.ask(QUESTION, never());
    broker.answer([yes('q1')]);
    assert.throws(
      () => broker.answer([yes('q1')]),
      (error) => ProblemError.is(error, 'not-waiting'),
    );
    await asked;
    assert.equal(log.length, 2);
  });

  it('may be answered by whoever receives it, before anything else happens', async () => {
    onAsked = (requestId) => broker.answer([yes(requestId)]);
    assert.equal((await broker.ask(QUESTION, never())).action, 'accept');
    assert.deepEqual(log, ['asked q1', 'answered q1 accept']);
  });

  it('leaves all questions waiting when one of several answers is wrong', async () => {
    const both = [broker.ask(QUESTION, never()), broker.ask(QUESTION, never())];
    for (const wrong of [
      [yes('q1'), yes('q3')],
      [yes('q1'), yes('q1')],
    ]) {
      assert.throws(
        () => broker.answer(wrong),
        (error) => ProblemError.is(error, 'not-waiting'),
      );
    }
    broker.answer([yes('q1'), yes('q2')]);
    assert.equal((await Promise.all(both)).length, 2);
  });

  it('is cancelled by Stop, before and after it was asked', async () => {
    const stop = new AbortController();
    const asked = broker.ask(QUESTION, stop.signal);
    stop.abort();
    assert.equal((await asked).action, 'cancel');
    assert.equal((await broker.ask(QUESTION, stop.signal)).action, 'cancel');
    assert.deepEqual(log, ['asked q1', 'answered q1 cancel', 'asked q2', 'answered q2 cancel']);
  });

  it('that was answered does not mind a later Stop', async () => {
    const stop = new AbortController();
    const asked = broker.ask(QUESTION, stop.signal);
    broker.answer([yes('q1')]);
    stop.abort();
    assert.equal((await asked).action, 'accept');
    assert.equal(log.length, 2);
  });

  it('from before a restart keeps its id and is not asked again', async () => {
    broker.restore('earlier', QUESTION);
    const asked = broker.ask(QUESTION, never());
    broker.answer([yes('earlier')]);
    await asked;
    assert.deepEqual(log, ['answered earlier accept']);
  });

  it('from before a restart may be answered before its call is looked at again', async () => {
    broker.restore('earlier', QUESTION);
    broker.answer([yes('earlier')]);
    assert.equal((await broker.ask(QUESTION, never())).action, 'accept');
    assert.deepEqual(log, ['answered earlier accept']);
  });

  it('from before a restart and its answer do not count once it was withdrawn', async () => {
    broker.restore('earlier', QUESTION);
    broker.answer([yes('earlier')]);
    broker.withdraw(QUESTION.callId);
    const asked = broker.ask(QUESTION, never());
    assert.deepEqual(log, ['answered earlier accept', 'asked q1']);
    broker.answer([{ requestId: 'q1', action: 'decline', content: {} }]);
    assert.equal((await asked).action, 'decline');
  });

  it('from before a restart is withdrawn when nobody has to decide any more', () => {
    broker.restore('earlier', QUESTION);
    broker.withdraw(QUESTION.callId);
    assert.deepEqual(log, ['answered earlier cancel']);
    assert.equal(broker.waitingCalls.size, 0);
  });
});

function yes(requestId: string): ElicitationAnswer {
  return { requestId, action: 'accept', content: { decision: 'once' } };
}
