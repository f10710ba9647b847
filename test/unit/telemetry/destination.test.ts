import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TelemetrySettings } from '../../../extension/ports/settings.ts';
import { readDestination } from '../../../extension/telemetry/destination.ts';

const settings = (changes: Partial<TelemetrySettings>): TelemetrySettings => ({
  endpoint: 'https://collector.example.com',
  headers: {},
  source: 'endpoint',
  headersSource: 'headers',
  ...changes,
});
const read = (changes: Partial<TelemetrySettings>, environment: Record<string, string> = {}) =>
  readDestination(settings(changes), environment);

describe('The receiver of telemetry', () => {
  it('is none unless the user names one, whatever the environment says', () => {
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://localhost:4318/v1/traces',
      OTEL_TRACES_EXPORTER: 'otlp',
    };
    assert.deepEqual(readDestination(undefined, environment), { kind: 'off' });
    assert.deepEqual(read({ endpoint: '' }, environment), { kind: 'off' });
  });

  it('gets nothing if the telemetry of the editor is off, whether or not its address is right', () => {
    assert.deepEqual(read({ isBlocked: true }), { kind: 'blocked' });
    assert.deepEqual(read({ isBlocked: true, endpoint: 'nonsense' }), { kind: 'blocked' });
    assert.deepEqual(read({ isBlocked: true, endpoint: '' }), { kind: 'off' });
  });

  it('has two addresses below the one that is named', () => {
    for (const endpoint of ['https://collector.example.com/base', 'https://collector.example.com/base//']) {
      assert.deepEqual(read({ endpoint, headers: { Key: 'a ${env:SECRET}' } }, { SECRET: 'b' }), {
        kind: 'on',
        place: 'collector.example.com:443',
        traces: 'https://collector.example.com/base/v1/traces',
        metrics: 'https://collector.example.com/base/v1/metrics',
        headers: { key: 'a b' },
      });
    }
  });

  for (const [what, changes, why] of [
    ['no URL', { endpoint: 'collector' }, 'endpoint is not an http or https URL'],
    ['a file', { endpoint: 'file:///etc/passwd' }, 'endpoint is not an http or https URL'],
    [
      'a password',
      { endpoint: 'https://me:hunter22@collector.example.com' },
      'endpoint has a user name or a password in it',
    ],
    ['a query', { endpoint: 'https://collector.example.com?key=hunter22' }, 'endpoint has a query or a fragment in it'],
    [
      'headers in the clear',
      { endpoint: 'http://collector.example.com', headers: { key: 'hunter22' } },
      'endpoint is not https, so the headers would be sent unencrypted',
    ],
    [
      'a missing variable',
      { headers: { key: '${env:NOT_SET}' } },
      'headers has key, whose variable NOT_SET is not set',
    ],
    ['a header of the transport', { headers: { host: 'hunter22' } }, 'headers has host, which cannot be set'],
  ] satisfies [string, Partial<TelemetrySettings>, string][]) {
    it(`is refused with ${what}, and the reason doesn't repeat it`, () => {
      assert.deepEqual(read(changes), { kind: 'refused', why });
      assert.doesNotMatch(why, /hunter22/);
    });
  }

  it('may be reached in the clear on this machine, or without headers', () => {
    for (const endpoint of ['http://localhost:4318', 'http://127.0.0.1:4318', 'http://[::1]:4318'])
      assert.equal(read({ endpoint, headers: { key: 'value' } }).kind, 'on', endpoint);
    assert.equal(read({ endpoint: 'http://collector.example.com:4318' }).kind, 'on');
  });
});
