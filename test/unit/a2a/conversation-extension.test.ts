import assert from 'node:assert/strict';
import type { SendMessageRequest, Task } from '@a2a-js/sdk';
import { describe, it } from 'mocha';
import { answerOf, collected, outlineOf, type Said, said, sent, stateOf, textOf } from '../../support/a2a-server.ts';
import { useA2a } from '../../support/a2a-suite.ts';
import { finish } from '../../support/gemini/script.ts';

const URI = 'urn:gantry:a2a:conversation';

/** A message for which the extension is active. */
function says(text: string, more: Said = {}): SendMessageRequest {
  const request = said(text, more);
  return { ...request, message: request.message && { ...request.message, extensions: [URI] } };
}

const answersOf = ({ artifacts }: Task): string[] => artifacts.map(({ parts }) => parts.map(textOf).join(''));

describe('A task with the extension for conversations', () => {
  const suite = useA2a();

  it('takes message after message, also after a restart, until it is canceled', async () => {
    const server = await suite.start();
    const client = await server.client();
    assert.equal((await client.getAgentCard()).capabilities?.extensions[0]?.uri, URI);
    suite.endpoint.reply('One.');
    const first = await sent(client, says('1'));
    assert.deepEqual([stateOf(first), answersOf(first)], ['input-required', ['One.']]);
    suite.endpoint.reply('Two.');
    const stream = await collected(client.sendMessageStream(says('2', { taskId: first.id })));
    assert.deepEqual(outlineOf(stream).slice(-2), ['text: Two.', 'input-required']);
    assert.match(JSON.stringify(suite.endpoint.requests.at(-1)?.contents), /One\./);
    await server.stop('SIGKILL');

    const again = await (await suite.start()).client();
    const stored = await again.getTask({ tenant: '', id: first.id });
    assert.deepEqual([stateOf(stored), answersOf(stored)], ['input-required', ['One.', 'Two.']]);
    assert.deepEqual(
      stored.history.map(({ parts }) => parts.map(textOf).join('')),
      ['1', '2'],
    );
    suite.endpoint.reply('I ', finish('SAFETY'));
    const refused = await sent(again, says('3', { taskId: first.id }));
    assert.deepEqual([stateOf(refused), refused.metadata?.['reason']], ['input-required', 'refusal']);
    const listing = {
      tenant: '',
      contextId: first.contextId,
      status: 0,
      pageToken: '',
      statusTimestampAfter: undefined,
    };
    assert.deepEqual(
      (await again.listTasks(listing)).tasks.map(({ id }) => id),
      [first.id],
      'one task',
    );
    const canceled = await again.cancelTask({ tenant: '', id: first.id, metadata: undefined });
    assert.equal(stateOf(canceled), 'canceled');
    await assert.rejects(sent(again, says('4', { taskId: first.id })), /has ended/);
    assert.equal(stateOf(await again.getTask({ tenant: '', id: first.id })), 'canceled');
    suite.endpoint.reply('Five.');
    const other = await sent(again, said('5', { contextId: first.contextId }));
    assert.deepEqual([stateOf(other), answerOf(other)], ['completed', 'Five.']);
  });

  it('ends after a message for which the extension is not active, and is activated by the header', async () => {
    const server = await suite.start();
    suite.endpoint.reply('One.');
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: '1' }] };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } });
    const response = await server.post(body, { 'A2A-Extensions': `urn:other, ${URI}` });
    assert.equal(response.headers.get('A2A-Extensions'), URI);
    const { result } = (await response.json()) as { result: { task: { id: string; status: { state: string } } } };
    const { id, status } = result.task;
    assert.equal(status.state, 'TASK_STATE_INPUT_REQUIRED');
    const client = await server.client();
    suite.endpoint.reply('Two.');
    const last = await sent(client, said('2', { taskId: id }));
    assert.deepEqual([last.id, stateOf(last), answersOf(last)], [id, 'completed', ['One.', 'Two.']]);
  });
});
