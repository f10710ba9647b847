import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:net';
import { afterEach, describe, it } from 'mocha';
import { type Alarm, realAlarm } from '../../../extension/ports/clock.ts';
import type { SessionRecord } from '../../../extension/sessions/session-record.ts';
import { readDestination } from '../../../extension/telemetry/destination.ts';
import { startPipeline } from '../../../extension/telemetry/main.ts';
import type { FollowedSession } from '../../../extension/telemetry/session-observer.ts';
import { useAgent } from '../../support/agent.ts';
import { all, message, outline, testTool } from '../../support/conversation.ts';
import { call } from '../../support/gemini/script.ts';
import { type Misbehaviour, type OtlpReceiver, startOtlpReceiver } from '../../support/otlp-receiver.ts';
import { testHost } from '../../support/test-host.ts';

const look = testTool('look', 'read', () => Promise.resolve({ content: 'seen' }));
/** The limits of telemetry: two seconds at the end, and ten for one batch. */
const isLimit = (ms: number): boolean => ms === 2000 || ms === 10_000;
const passesAtOnce: Alarm = (ms, ring) => realAlarm(isLimit(ms) ? 0 : ms, ring);
/** A busy machine must not look like a receiver that hangs. */
const neverPasses: Alarm = (ms, ring) => (isLimit(ms) ? () => undefined : realAlarm(ms, ring));

const MISBEHAVING: readonly [what: string, why: string, misbehave: Misbehaviour][] = [
  ['answers 401', 'HTTP 401', (response) => response.writeHead(401).end('{}')],
  ['answers 404 with a page', 'HTTP 404', (response) => response.writeHead(404).end('<html>')],
  ['answers 429', 'HTTP 429', (response) => response.writeHead(429, { 'retry-after': '3600' }).end()],
  ['answers 500', 'HTTP 500', (response) => response.writeHead(500).end()],
  [
    'redirects to another place',
    'HTTP 307',
    (response) => response.writeHead(307, { location: 'http://127.0.0.1:9/elsewhere' }).end(),
  ],
  ['answers with a page', 'Its answer is not OTLP', (response) => response.writeHead(200).end('<html>Sign in</html>')],
  ['answers with a list', 'Its answer is not OTLP', (response) => response.writeHead(200).end('[]')],
  [
    'answers without an end',
    'Its answer is too long',
    (response) => void response.writeHead(200).write('x'.repeat(99_999)),
  ],
  ['hangs', 'It did not answer in time', () => undefined],
  ['hangs up', 'The connection was closed before an answer arrived', (response) => response.destroy()],
];

describe('A receiver of telemetry', () => {
  const agent = useAgent();
  let receiver: OtlpReceiver | undefined;
  let server: Server | undefined;
  afterEach(async () => {
    await receiver?.close();
    receiver = undefined;
    server?.close();
    server = undefined;
  });

  /** Has a conversation, and returns what it looked like, with what became of the telemetry. */
  async function converse(endpoint: string, alarm = neverPasses) {
    const host = testHost();
    agent.endpoint.reply(call('look'));
    agent.endpoint.reply('Seen.');
    const service = agent.open([look], { telemetry: { endpoint }, alarm }, { log: host.log });
    const session = await service.createSession();
    const events = outline(await all(session, message('Look')));
    const { telemetry } = service;
    const on = telemetry.state;
    await service.dispose();
    return { events, on, lines: [...host.complaints].filter((line) => line.includes('Telemetry')), notes: host.notes };
  }

  it('is told to the log when it is used, and no line says that it works', async () => {
    receiver = await startOtlpReceiver();
    const { lines, notes } = await converse(receiver.url);
    const place = new URL(receiver.url).host;
    assert.deepEqual(
      notes.filter((line) => line.includes('Telemetry')),
      [`Telemetry: spans and metrics, without any content, are sent to ${place} (docs/telemetry.md).`],
    );
    assert.deepEqual(lines, []);
    assert.ok(receiver.spans.length > 0);
  });

  for (const [what, why, misbehave] of MISBEHAVING) {
    it(`that ${what} changes nothing but one line in the log`, async () => {
      const { events } = await converse('');
      receiver = await startOtlpReceiver(misbehave);
      const troubled = await converse(receiver.url, what === 'hangs' ? passesAtOnce : neverPasses);
      assert.deepEqual(troubled.events, events);
      const { host } = new URL(receiver.url);
      assert.deepEqual(troubled.lines, [
        `Telemetry is not accepted by ${host}: ${why}. It is counted and dropped; nothing else changes.`,
      ]);
      assert.doesNotMatch(receiver.wire, /elsewhere/);
    });
  }

  it('that speaks no HTTP, is not there, or has no name changes nothing but one line in the log', async () => {
    server = createServer((socket) => socket.on('error', () => undefined).end('garbage\r\n\r\n'));
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const places = [
      `http://127.0.0.1:${port}`,
      'http://127.0.0.1:9',
      'http://gantry.invalid',
      `https://127.0.0.1:${port}`,
    ];
    for (const place of places) {
      const { lines } = await converse(place);
      assert.equal(lines.length, 1, place);
      assert.match(lines[0] ?? '', /^Telemetry is not accepted by /, place);
    }
  });

  it('that is refused gets nothing, and the log says why', async () => {
    receiver = await startOtlpReceiver();
    const { lines, on } = await converse(receiver.url.replace('http://', 'http://me:secret@'));
    assert.deepEqual(lines, ['Telemetry is off: the endpoint has a user name or a password in it.']);
    assert.equal(on.kind, 'refused');
    assert.equal(receiver.wire, '');
  });

  it('counts what it accepted and what it refused', async () => {
    receiver = await startOtlpReceiver((response) =>
      response.writeHead(200).end('{"partialSuccess":{"rejectedSpans":"1","errorMessage":"no"}}'),
    );
    const to = readDestination({ endpoint: receiver.url, headers: {}, source: '', headersSource: '' }, {});
    assert.ok(to.kind === 'on');
    const pipeline = startPipeline(to, testHost(), '1.0.0');
    for (const record of recordsOf(2)) pipeline.take(SESSION, record);
    await pipeline.stop();
    // A run, its answer and its two calls; the metrics are a batch of their own.
    assert.ok(receiver.spans.length === 4 && pipeline.counts.dropped === 2, JSON.stringify(pipeline.counts));
    assert.ok(pipeline.counts.sent >= 3);
  });

  it('that hangs has 2,048 spans waiting for it at most', async () => {
    receiver = await startOtlpReceiver(() => undefined);
    const to = readDestination({ endpoint: receiver.url, headers: {}, source: '', headersSource: '' }, {});
    assert.ok(to.kind === 'on');
    const host = testHost({ alarm: passesAtOnce });
    const pipeline = startPipeline(to, host, '1.0.0');
    for (const record of recordsOf(3000)) pipeline.take(SESSION, record);
    // With the run and its answer.
    assert.deepEqual([pipeline.counts.sent, pipeline.counts.dropped], [0, 3002 - 2048]);
    await pipeline.stop();
    assert.equal(pipeline.counts.sent, 0);
    assert.ok(pipeline.counts.dropped >= 3002);
  });
});

const SESSION: FollowedSession = {
  header: { type: 'session', at: '2026-01-01T00:00:00.000Z', version: 1, id: 'a', workspace: '' },
  onRecord: () => () => undefined,
};

/** A run with this many calls. */
function recordsOf(calls: number): readonly SessionRecord[] {
  const at = '2026-01-01T00:00:00.000Z';
  const ids = Array.from({ length: calls }, (_, index) => `call-${index}`);
  const parts = ids.map((id) => ({ functionCall: { id, name: 'glob', args: {} } }));
  const event = {
    id: 'e1',
    author: 'gantry',
    content: { role: 'model', parts },
    customMetadata: { model: 'gemini-x' },
  };
  const answered = { type: 'event', at, event } as unknown as SessionRecord;
  return [
    { type: 'sent', at, streamId: 's1' },
    { type: 'run_started', at },
    answered,
    ...ids.map((id): SessionRecord => {
      const call = { id, name: 'glob', args: {} };
      return { type: 'tool_finished', at, call, state: 'success', result: { content: '' }, display: { name: 'glob' } };
    }),
    { type: 'run_ended', at, reason: 'completed' },
  ];
}
