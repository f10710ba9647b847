import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Counter, Histogram, Meter } from '@opentelemetry/api';
import { describe, it } from 'mocha';
import { ATTRIBUTE_NAMES } from '../../../extension/telemetry/attributes.ts';
import { createInstruments } from '../../../extension/telemetry/instruments.ts';
import { repoRoot } from '../../support/repo.ts';

/** As Prometheus names the metrics: https://opentelemetry.io/docs/specs/otel/compatibility/prometheus_and_openmetrics/ */
const UNITS: Readonly<Record<string, string>> = { s: '_seconds' };

describe('The dashboard in docs/telemetry.md', () => {
  it('asks for metrics and attributes that there are, by their names in Prometheus', () => {
    const stored = new Set(ATTRIBUTE_NAMES.map(underscored));
    const store = (name: string, unit: string, endings: readonly string[]): void => {
      for (const ending of endings) stored.add(`${underscored(name)}${UNITS[unit] ?? ''}${ending}`);
    };
    createInstruments({
      createHistogram: (name: string, { unit = '' } = {}) => {
        store(name, unit, ['_bucket', '_sum', '_count']);
        return {} as Histogram;
      },
      createCounter: (name: string, { unit = '' } = {}) => {
        store(name, unit, ['_total']);
        return {} as Counter;
      },
    } as Partial<Meter> as Meter);
    const page = readFileSync(join(repoRoot, 'docs/telemetry.md'), 'utf8');
    const queries = [...page.matchAll(/`([^`\n]*(?:increase|rate)\([^`\n]*)`/g)].map(([, query = '']) => query);
    assert.equal(queries.length, 6);
    const asked = queries.flatMap((query) => query.match(/\b(?:gantry|gen_ai)_\w+/g) ?? []);
    assert.deepEqual(
      asked.filter((name) => !stored.has(name)),
      [],
    );
  });
});

function underscored(name: string): string {
  return name.replaceAll('.', '_');
}
