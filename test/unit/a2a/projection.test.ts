import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, it } from 'mocha';
import { EventResponse } from '../../../extension/a2a/event-response.ts';
import { isTooDeep } from '../../../extension/a2a/read-body.ts';
import { taskId, taskPlace } from '../../../extension/a2a/task-id.ts';
import { TaskProjection } from '../../../extension/a2a/task-projection.ts';
import type { AgentEvent, AgentEventBody } from '../../../extension/protocol/agent/agent-event.ts';
import { answerOf, outlineOf, stateOf } from '../../support/a2a-server.ts';

const place = { sessionId: 'session', streamId: 'run' };

function events(...bodies: readonly (AgentEventBody & { readonly threadId?: string })[]): AgentEvent[] {
  return bodies.map((body, at) => {
    const streamId = body.threadId ?? 'run';
    return { id: `${streamId}-${at}`, streamId, timestamp: '2026-01-01T00:00:00.000Z', ...body } as AgentEvent;
  });
}

const says = (text: string) => ({ type: 'message', role: 'agent', content: [{ type: 'text', text }] }) as const;
const starts = { type: 'agent_start' } as const;
const asks = (requestId: string, threadId?: string) =>
  ({
    type: 'elicitation_request',
    requestId,
    message: 'May I?',
    requestedSchema: {},
    display: 'inline',
    ...(threadId !== undefined && { threadId }),
  }) as const;
const answered = (requestId: string, threadId?: string) =>
  ({
    type: 'elicitation_response',
    requestId,
    action: 'accept',
    content: {},
    ...(threadId !== undefined && { threadId }),
  }) as const;

describe('A task', () => {
  it('has the id of its session and its run', () => {
    assert.deepEqual(taskPlace(taskId({ sessionId: 'a.b', streamId: 'c' })), { sessionId: 'a.b', streamId: 'c' });
    for (const wrong of ['', 'a', '.b', 'a.']) assert.equal(taskPlace(wrong), undefined);
  });

  it('replaces what the model takes back', () => {
    const task = new TaskProjection(place);
    const all = events(
      starts,
      says('One'),
      { type: 'custom', kind: 'message_delivered', data: { messageId: 'm' } },
      says(' two'),
      says(' three'),
      {
        type: 'custom',
        kind: 'answer_retracted',
        data: { from: 'run-3' },
      },
    );
    const lines = outlineOf(all.flatMap((event) => task.take(event)));
    assert.deepEqual(lines, ['working', 'text: One two three', 'text: One']);
    assert.equal(answerOf(task.task()), 'One');
    const [again] = events(says(' four')).map((event) => ({ ...event, id: 'run-9' }));
    assert.ok(again);
    assert.deepEqual(outlineOf(task.take(again)), ['more:  four']);
  });

  it('replaces an answer that began with a thought', () => {
    const task = new TaskProjection(place);
    const thinks = { type: 'message', role: 'agent', content: [{ type: 'thought', thought: 'Hm.' }] } as const;
    const retracted = { type: 'custom', kind: 'answer_retracted', data: { from: 'run-1' } } as const;
    for (const event of events(starts, thinks, says('Wrong'), retracted)) task.take(event);
    assert.equal(answerOf(task.task()), '');
  });

  it('waits only when no call runs any more', () => {
    let isExecuting = true;
    const task = new TaskProjection(place, () => isExecuting);
    const [started, asked, ended] = events(starts, asks('q'), {
      type: 'tool_response',
      requestId: 'c',
      name: 'read_file',
    });
    assert.ok(started && asked && ended);
    task.take(started);
    assert.deepEqual(task.take(asked), []);
    assert.equal(stateOf(task.task()), 'working');
    isExecuting = false;
    assert.deepEqual(outlineOf(task.take(ended)), ['tool_response', 'input-required']);
  });

  it('waits for the questions of its agents too, and goes on after the last answer', () => {
    const task = new TaskProjection(place);
    const all = events(starts, asks('one', 'agent'), asks('two'), answered('two'), answered('one', 'agent'));
    const states = all.map((event) => {
      task.take(event);
      return stateOf(task.task());
    });
    assert.deepEqual(states, ['working', 'input-required', 'input-required', 'input-required', 'working']);
  });

  it('leaves out other runs, and what agents say', () => {
    const task = new TaskProjection(place);
    const [other] = events(says('Other'));
    assert.ok(other);
    assert.deepEqual(task.take({ ...other, streamId: 'another' }), []);
    for (const event of events(starts, { ...says('Agent'), threadId: 'agent' })) task.take(event);
    assert.equal(answerOf(task.task()), '');
  });

  for (const [reason, data, state] of [
    ['completed', undefined, 'completed'],
    ['refusal', undefined, 'rejected'],
    ['aborted', undefined, 'canceled'],
    ['aborted', { code: 'INTERRUPTED' }, 'failed'],
    ['max_turns', undefined, 'failed'],
    ['max_time', undefined, 'failed'],
    ['max_budget', undefined, 'failed'],
    ['failed', { code: 'LOOP_DETECTED' }, 'failed'],
  ] as const) {
    it(`is ${state} after "${reason}"${data ? ` with ${data.code}` : ''}`, () => {
      const task = new TaskProjection(place);
      for (const event of events(starts, { type: 'agent_end', reason, ...(data && { data }) })) task.take(event);
      assert.equal(stateOf(task.task()), state);
      assert.deepEqual([task.task().metadata?.['reason'], task.task().metadata?.['code']], [reason, data?.code]);
    });
  }
});

describe('The server of A2A', () => {
  it('disconnects a reader that is more than 1 MB behind', async () => {
    const server: Server = createServer();
    const served = new Promise<number>((resolve) => {
      server.once('request', (_, response) => {
        const events = new EventResponse(response);
        let written = 0;
        while (events.write({ result: { metadata: { eventId: 'e' } }, text: 'x'.repeat(64 * 1024) })) written++;
        resolve(written);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.pause();
    const gone = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const written = await served;
    assert.ok(written >= 16 && written < 200, `${written} events of 64 kB`);
    socket.resume();
    await gone;
    await new Promise((resolve) => server.close(resolve));
  });

  it('counts brackets that lie in each other, and none in texts', () => {
    assert.ok(isTooDeep('['.repeat(101)));
    assert.ok(!isTooDeep('[]'.repeat(1000)));
    assert.ok(!isTooDeep(JSON.stringify(`\\"${'['.repeat(1000)}`)));
  });
});
