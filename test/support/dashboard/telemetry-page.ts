import { factsOf, msOf, type ReceivedSpan } from '../otlp-receiver.ts';
import { columns, lines, rows, type Series } from './charts.ts';
import type { RecordedWork } from './recorded-work.ts';

const COLORS = { blue: '#3f6fd1', teal: '#2f9e8f', green: '#4d9e68', amber: '#dfa02d', red: '#cc4b43' };
const EACH_MS = 600_000;
const IN_ALL = 'in two hours';

interface Panel {
  readonly title: string;
  readonly figure: string;
  readonly about: string;
  readonly chart: string;
  readonly series: readonly Series[];
}

interface Fact {
  readonly at: number;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** The dashboard that docs/telemetry.md describes, as a page, with what a receiver got. */
export function telemetryPage(work: RecordedWork): string {
  const panels = [turns, firstWords, retries, tokens, decisions, approvals].map((draw) => panelHtml(draw(work)));
  return `<!doctype html><meta charset="utf-8"><style>${STYLE}</style>
<header><h1>Gantry</h1><p>two windows, ${clock(work.from)} to ${clock(work.to)}</p></header>
<main>${panels.join('')}</main>`;
}

function turns(work: RecordedWork): Panel {
  const { labels, within } = times(work);
  const answered = chats(work).filter(({ facts }) => facts['gantry.chat.outcome'] === 'answered');
  const series = modelsOf(answered).map(({ name, color, own }) => ({ name, color, values: within(own, count) }));
  return {
    title: 'Turns',
    figure: String(answered.length),
    about: `${IN_ALL}, by 10 minutes`,
    chart: columns(labels, series),
    series,
  };
}

function firstWords(work: RecordedWork): Panel {
  const { labels, within } = times(work);
  const spoken = chats(work).filter(({ facts }) => facts['gantry.chat.first_word_ms'] !== undefined);
  const seconds = (of: readonly Fact[]) => of.map(({ facts }) => Number(facts['gantry.chat.first_word_ms']) / 1000);
  const series = [
    { name: 'p50', color: COLORS.blue, values: within(spoken, (of) => percentile(seconds(of), 50)) },
    { name: 'p95', color: COLORS.amber, values: within(spoken, (of) => percentile(seconds(of), 95)) },
  ];
  return {
    title: 'Time to the first word',
    figure: `${(percentile(seconds(spoken), 95) ?? 0).toFixed(1)} s`,
    about: `p95 ${IN_ALL}`,
    chart: lines(labels, series, ' s'),
    series,
  };
}

function retries(work: RecordedWork): Panel {
  const { labels, within } = times(work);
  const again = chats(work).filter(({ facts }) => facts['gantry.chat.outcome'] === 'retried');
  const series = modelsOf(again).map(({ name, color, own }) => ({ name, color, values: within(own, count) }));
  return {
    title: 'Retries',
    figure: String(again.length),
    about: `${IN_ALL}, by 10 minutes`,
    chart: columns(labels, series),
    series,
  };
}

function tokens({ metrics }: RecordedWork): Panel {
  const points = histogramPoints(metrics, 'gen_ai.client.token.usage');
  const types = ['input', 'output'] as const;
  const all = modelNames(points).flatMap((model) => types.map((type) => ({ model, type })));
  const values = all.map(({ model, type }) =>
    points
      .filter(({ facts }) => facts['gen_ai.request.model'] === model && facts['gen_ai.token.type'] === type)
      .reduce((sum, point) => sum + point.sum, 0),
  );
  const series = types.map((type, index) => ({
    name: type,
    color: [COLORS.blue, COLORS.amber][index] ?? '',
    values: values.map((value, at) => (all[at]?.type === type ? value : 0)),
  }));
  return {
    title: 'Tokens by model',
    figure: millions(points.reduce((before, point) => before + point.sum, 0)),
    about: IN_ALL,
    // The name stands beside its first row.
    chart: rows(
      all.map(({ model, type }) => (type === 'input' ? model : '')),
      series,
      128,
      millions,
    ),
    series,
  };
}

function millions(count: number): string {
  return `${(count / 1e6).toFixed(count < 1e6 ? 2 : 1)} M`;
}

function decisions({ metrics }: RecordedWork): Panel {
  const points = metrics
    .filter(({ name }) => name === 'gantry.tool.calls')
    .flatMap(({ sum }) => sum?.dataPoints ?? [])
    .map(({ attributes, asDouble, asInt }) => ({ facts: factsOf(attributes), value: Number(asInt ?? asDouble) }));
  const calls = (tool: string, decision?: string): number =>
    points
      .filter(({ facts }) => facts['gen_ai.tool.name'] === tool)
      .filter(({ facts }) => decision === undefined || facts['gantry.tool.decision'] === decision)
      .reduce((sum, { value }) => sum + value, 0);
  const labels = [...new Set(points.map(({ facts }) => String(facts['gen_ai.tool.name'])))].sort(
    (one, other) => calls(other) - calls(one),
  );
  const series = [
    ['allow', COLORS.green],
    ['ask_user', COLORS.amber],
    ['deny', COLORS.red],
  ].map(([name = '', color = '']) => ({ name, color, values: labels.map((label) => calls(label, name)) }));
  const sum = points.reduce((before, { value }) => before + value, 0);
  return {
    title: 'Calls by decision',
    figure: String(sum),
    about: IN_ALL,
    chart: rows(labels, series, 142, String),
    series,
  };
}

function approvals({ metrics }: RecordedWork): Panel {
  const points = histogramPoints(metrics, 'gantry.approval.wait');
  const [{ explicitBounds = [] } = {}] = points;
  const answered = (action: string): number[] =>
    [...explicitBounds, Number.POSITIVE_INFINITY].map((_, at) =>
      points
        .filter(({ facts }) => facts['gantry.tool.answer'] === action)
        .reduce((sum, { bucketCounts }) => sum + (bucketCounts[at] ?? 0), 0),
    );
  // Nobody waited longer.
  const upTo = points.reduce((last, { bucketCounts }) => Math.max(last, bucketCounts.findLastIndex(Boolean)), 0) + 1;
  const labels = explicitBounds.slice(0, upTo).map((bound) => (bound < 60 ? `≤ ${bound} s` : `≤ ${bound / 60} min`));
  const series = [
    { name: 'accept', color: COLORS.green, values: answered('accept').slice(0, upTo) },
    { name: 'decline', color: COLORS.red, values: answered('decline').slice(0, upTo) },
  ];
  const sum = points.reduce((before, { count: each }) => before + each, 0);
  return {
    title: 'Approval wait',
    figure: String(sum),
    about: `answers ${IN_ALL}, by time`,
    chart: columns(labels, series),
    series,
  };
}

function histogramPoints(metrics: RecordedWork['metrics'], wanted: string) {
  return metrics
    .filter(({ name }) => name === wanted)
    .flatMap(({ histogram }) => histogram?.dataPoints ?? [])
    .map((point) => ({ ...point, facts: factsOf(point.attributes) }));
}

function chats({ spans }: RecordedWork): readonly Fact[] {
  return spans
    .filter(({ name }) => name.startsWith('chat '))
    .map(({ endTimeUnixNano, attributes }: ReceivedSpan) => ({
      at: msOf(endTimeUnixNano),
      facts: factsOf(attributes),
    }));
}

function modelsOf(of: readonly Fact[]): readonly { name: string; color: string; own: readonly Fact[] }[] {
  const named = (name: string) => of.filter(({ facts }) => facts['gen_ai.request.model'] === name);
  const colors = [COLORS.teal, COLORS.blue];
  return modelNames(of).map((name, at) => ({ name, color: colors[at] ?? COLORS.red, own: named(name) }));
}

function modelNames(of: readonly Pick<Fact, 'facts'>[]): readonly string[] {
  return [...new Set(of.map(({ facts }) => String(facts['gen_ai.request.model'])))].sort();
}

/** The time in parts of ten minutes, and a way to sum up what is in each part. */
function times({ from, to }: RecordedWork) {
  const starts = Array.from({ length: Math.ceil((to - from) / EACH_MS) }, (_, at) => from + at * EACH_MS);
  return {
    labels: starts.map(clock),
    within: (of: readonly Fact[], sum: (part: readonly Fact[]) => number | undefined) =>
      starts.map((start) => sum(of.filter(({ at }) => at >= start && at < start + EACH_MS))),
  };
}

const count = (of: readonly Fact[]): number => of.length;

function percentile(values: readonly number[], percent: number): number | undefined {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil((percent / 100) * sorted.length) - 1)];
}

function clock(at: number): string {
  return new Date(at).toISOString().slice(11, 16);
}

function panelHtml({ title, figure, about, chart, series }: Panel): string {
  const legend = series.map(({ name, color }) => `<span><i style="background:${color}"></i>${name}</span>`);
  return `<section><h2>${title}</h2><p><b>${figure}</b> ${about}</p>${chart}<footer>${legend.join('')}</footer></section>`;
}

const STYLE = `
* { box-sizing: border-box; margin: 0; }
body { width: 1320px; padding: 20px; background: #f3f4f6; color: #1f2430; font: 13px/1.4 "DejaVu Sans", sans-serif; }
header { display: flex; align-items: baseline; gap: 14px; padding: 0 4px 14px; color: #5d6573; }
h1 { font-size: 18px; color: #1f2430; }
main { display: grid; grid-template-columns: repeat(3, 1fr); gap: 14px; }
section { display: flex; flex-direction: column; background: #fff; border: 1px solid #dfe2e8; border-radius: 6px; padding: 14px 16px 12px; }
h2 { font-size: 13px; font-weight: bold; }
section p { color: #5d6573; padding-bottom: 10px; }
section p b { font-size: 20px; color: #1f2430; margin-right: 4px; }
svg { display: block; }
svg text { font-size: 11px; fill: #5d6573; }
svg text.strong { fill: #1f2430; }
.grid { stroke: #e7e9ee; }
footer { display: flex; gap: 16px; margin-top: auto; padding-top: 8px; color: #5d6573; font-size: 12px; }
footer i { display: inline-block; width: 10px; height: 10px; border-radius: 2px; margin-right: 6px; }
`;
