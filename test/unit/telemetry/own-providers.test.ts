import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { context, type DiagLogger, diag, metrics, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { createAgentService } from '../../../extension/runtime/main.ts';
import { all, message } from '../../support/conversation.ts';
import { distDir } from '../../support/dist.ts';
import { call } from '../../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../support/gemini/server.ts';
import { type OtlpReceiver, startOtlpReceiver } from '../../support/otlp-receiver.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';
import { testHost } from '../../support/test-host.ts';

describe("Another extension's OpenTelemetry in the same process", () => {
  const seen = new InMemorySpanExporter();
  const theirs = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: seen })] });
  const theirMetrics = new MeterProvider();
  const said: unknown[] = [];
  const listening: DiagLogger = {
    error: (...words) => said.push(words),
    warn: (...words) => said.push(words),
    info: () => undefined,
    debug: () => undefined,
    verbose: () => undefined,
  };
  let endpoint: GeminiEndpoint;
  let receiver: OtlpReceiver;
  let folder: TempWorkspace;

  beforeEach(async () => {
    trace.setGlobalTracerProvider(theirs);
    metrics.setGlobalMeterProvider(theirMetrics);
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    diag.setLogger(listening, { suppressOverrideMessage: true });
    said.length = 0;
    endpoint = await startGeminiEndpoint();
    receiver = await startOtlpReceiver();
    folder = await createTempWorkspace({ 'a.txt': 'alpha' });
  });
  afterEach(async () => {
    for (const api of [trace, metrics, context, diag]) api.disable();
    await folder.dispose();
    await receiver.close();
    await endpoint.dispose();
  });

  it('gets no span of Gantry or ADK, gives none, and stays registered', async () => {
    const require = createRequire(import.meta.url);
    const runtime: { createAgentService: typeof createAgentService } = require(join(distDir, 'runtime.js'));
    const service = runtime.createAgentService(
      testHost({
        roots: [folder.path],
        environment: { GOOGLE_GEMINI_BASE_URL: endpoint.url, GEMINI_API_KEY: 'test-key' },
        modelName: 'gemini-2.5-flash',
        interactive: false,
        telemetry: { endpoint: receiver.url },
      }),
    );
    endpoint.reply(call('read_file', { file_path: 'a.txt' }));
    endpoint.reply('It says alpha.');
    const tracer = trace.getTracer('theirs');
    await tracer.startActiveSpan('outer', async (outer) => {
      const session = await service.createSession();
      await all(session, message('Read a.txt'));
      tracer.startSpan('inner').end();
      outer.end();
    });
    await service.dispose();
    assert.deepEqual(
      seen.getFinishedSpans().map(({ name }) => name),
      ['inner', 'outer'],
    );
    assert.deepEqual(
      receiver.spans.map(({ name }) => name),
      ['chat gemini-2.5-flash', 'execute_tool read_file', 'chat gemini-2.5-flash', 'invoke_agent gantry'],
    );
    assert.equal(receiver.spans.at(-1)?.parentSpanId, undefined);
    assert.equal(metrics.getMeterProvider(), theirMetrics);
    assert.equal(trace.getTracer('theirs').startSpan('still theirs').isRecording(), true);
    assert.deepEqual(said, []);
  });
});
