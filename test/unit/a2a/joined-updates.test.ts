import assert from 'node:assert/strict';
import type { StreamResponse } from '@a2a-js/sdk';
import { describe, it } from 'mocha';
import { joinedUpdates } from '../../../extension/a2a/joined-updates.ts';
import { a2aData, a2aMessage, a2aText } from '../../../extension/a2a/parts.ts';
import { collected, outlineOf } from '../../support/a2a-server.ts';
import { deferred } from '../../support/deferred.ts';

const ids = { taskId: 'task', contextId: 'context' };

function says(text: string, eventId: string, append = true): StreamResponse {
  const artifact = { artifactId: 'answer', name: '', description: '', parts: [a2aText(text)], extensions: [] };
  const value = {
    ...ids,
    artifact: { ...artifact, metadata: undefined },
    append,
    lastChunk: false,
    metadata: { eventId },
  };
  return { payload: { $case: 'artifactUpdate', value } };
}

function tells(text: string | undefined, eventId: string): StreamResponse {
  const parts = [text === undefined ? a2aData({ type: 'tool_request' }) : a2aText(text)];
  const metadata = text === undefined ? {} : { metadata: { thought: true } };
  const message = a2aMessage({ ...ids, messageId: eventId, role: 'agent', parts, ...metadata });
  const status = { state: 2, message, timestamp: undefined };
  return { payload: { $case: 'statusUpdate', value: { ...ids, status, metadata: { eventId } } } };
}

const idsOf = (updates: readonly StreamResponse[]): unknown[] =>
  updates.map(({ payload }) =>
    payload && 'metadata' in payload.value ? payload.value.metadata?.['eventId'] : undefined,
  );

async function* of(...updates: readonly StreamResponse[]): AsyncGenerator<StreamResponse> {
  yield* updates;
}

describe('The updates of a task', () => {
  it('have text that comes at once in one piece, with the id of its last event', async () => {
    const pieces = Array.from({ length: 100 }, (_, index) => says(`${index} `, `e-${index}`, index > 0));
    const all = await collected(joinedUpdates(of(...pieces)));
    assert.deepEqual(idsOf(all), ['e-99']);
    assert.equal(all.length, 1);
    assert.match(outlineOf(all).join(), /^text: 0 1 2 .* 98 99 $/);
  });

  it('keep the order of text, thoughts, calls and replaced answers', async () => {
    const updates = [
      tells('Let me ', 'e-1'),
      tells('think.', 'e-2'),
      says('One', 'e-3', false),
      says(' two', 'e-4'),
      tells(undefined, 'e-5'),
      says(' three', 'e-6'),
      says('Again', 'e-7', false),
      says(' one', 'e-8'),
    ];
    const all = await collected(joinedUpdates(of(...updates)));
    assert.deepEqual(idsOf(all), ['e-2', 'e-4', 'e-5', 'e-6', 'e-8']);
    assert.deepEqual(outlineOf(all).slice(1), ['text: One two', 'tool_request', 'more:  three', 'text: Again one']);
    assert.match(JSON.stringify(all[0]), /Let me think\./);
  });

  it('do not wait for text that comes later', async () => {
    const more = deferred<undefined>();
    async function* slowly(): AsyncGenerator<StreamResponse> {
      yield says('One', 'e-1', false);
      await more.promise;
      yield says(' two', 'e-2');
    }
    const updates = joinedUpdates(slowly());
    assert.deepEqual(idsOf([(await updates.next()).value as StreamResponse]), ['e-1']);
    more.resolve(undefined);
    assert.deepEqual(idsOf(await collected(updates)), ['e-2']);
  });

  it('fail with their source, after what came before', async () => {
    async function* failing(): AsyncGenerator<StreamResponse> {
      yield says('One', 'e-1', false);
      throw new Error('The session is gone.');
    }
    const updates = joinedUpdates(failing());
    assert.deepEqual(idsOf([(await updates.next()).value as StreamResponse]), ['e-1']);
    await assert.rejects(updates.next(), /The session is gone/);
  });
});
