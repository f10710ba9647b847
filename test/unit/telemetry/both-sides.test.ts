import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { A2aServer } from '../../support/a2a-server.ts';
import { useA2a } from '../../support/a2a-suite.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../../support/otlp-receiver.ts';
import { useRemoteAgents } from '../../support/remote-agents/remote-suite.ts';

const TRACEPARENT = /^00-([\da-f]{32})-([\da-f]{16})-01$/;

describe('A trace over A2A', () => {
  const remote = useRemoteAgents();
  const far = useA2a();
  let receiver: OtlpReceiver;
  beforeEach(async () => {
    receiver = await startOtlpReceiver();
  });
  afterEach(() => receiver.close());

  const named = (name: string): ReceivedSpan | undefined => receiver.spans.find((span) => span.name === name);

  async function defineFar({ url, token }: A2aServer): Promise<void> {
    await remote.define(
      { cardUrl: new URL('/.well-known/agent-card.json', url).href },
      'auth:',
      '  type: http',
      '  scheme: Bearer',
      `  token: ${token}`,
    );
  }

  it('has the spans of both sides: the run there is below the span of the remote agent here', async () => {
    far.endpoint.always('Done there.');
    const server = await far.start({ flags: ['--trust', '--otlp', receiver.url] });
    await defineFar(server);
    const service = remote.open({ telemetry: { endpoint: receiver.url } });
    const { result } = await remote.run(service);
    assert.match(result, /Done there\./);
    await service.dispose();
    await server.stop();
    const here = named('remote_agent');
    const there = receiver.spans.find((span) => span.name === 'invoke_agent gantry' && span.parentSpanId !== undefined);
    assert.equal(there?.parentSpanId, here?.spanId);
    assert.equal(here?.parentSpanId, named('execute_tool invoke_agent')?.spanId);
    assert.equal(new Set(receiver.spans.map(({ traceId }) => traceId)).size, 1);
  });

  it('is not sent while telemetry is off', async () => {
    const site = await remote.site((turn) => turn.begin().say('a', 'Done.').end());
    await remote.define(site);
    await remote.run();
    assert.ok(site.requests.length > 1);
    assert.ok(site.requests.every(({ headers }) => headers['traceparent'] === undefined));
  });

  it('ends at a server whose telemetry is off', async () => {
    far.endpoint.always('Done there.');
    await defineFar(await far.start());
    const service = remote.open({ telemetry: { endpoint: receiver.url } });
    assert.match((await remote.run(service)).result, /Done there\./);
    await service.dispose();
    assert.equal(receiver.spans.filter(({ name }) => name === 'invoke_agent gantry').length, 1);
  });

  it('is in the header of the requests that hand over a task', async () => {
    const site = await remote.site((turn) => turn.begin().say('a', 'Done.').end());
    await remote.define(site);
    const service = remote.open({ telemetry: { endpoint: receiver.url } });
    await remote.run(service);
    await service.dispose();
    const { traceId, spanId } = named('remote_agent') ?? {};
    const sent = site.requests.filter(({ line }) => line === 'POST /rpc').map(({ headers }) => headers['traceparent']);
    assert.ok(sent.length > 0);
    for (const header of sent) assert.deepEqual(TRACEPARENT.exec(String(header))?.slice(1), [traceId, spanId]);
  });

  it('begins anew if a header is not valid, and the task is done', async () => {
    far.endpoint.always('Done there.');
    const server = await far.start({ flags: ['--trust', '--otlp', receiver.url] });
    const message = { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'Go' }] };
    for (const header of [
      'zebra',
      `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`,
      `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01-more`,
    ]) {
      const { error } = await server.rpc(
        'SendMessage',
        { message: { ...message, messageId: header } },
        { traceparent: header },
      );
      assert.equal(error, undefined);
    }
    await server.stop();
    const runs = receiver.spans.filter(({ name }) => name === 'invoke_agent gantry');
    assert.deepEqual(
      runs.map(({ parentSpanId }) => parentSpanId),
      [undefined, undefined, undefined],
    );
  });
});
