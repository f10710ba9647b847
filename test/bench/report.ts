import { cpus, loadavg, totalmem } from 'node:os';
import { version } from '../../package.json';
import { type Budget, type Figures, judge, type Measurement } from './measurement.ts';

/** The result of one measurement, as `bench.json` contains it. */
export interface Result {
  readonly name: string;
  readonly unit: string;
  readonly budget?: Budget;
  readonly values?: Figures;
  /** The figure or ratio that counts for the budget. */
  readonly worst?: number;
  /** Why this machine could not measure it, or how measuring failed. */
  readonly reason?: string;
  readonly ok: boolean;
}

/** A measurement that this machine cannot make is no miss; one that fails is. */
export async function resultOf({ name, unit, budget, measure }: Measurement): Promise<Result> {
  const entry = { name, unit, ...(budget && { budget }) };
  try {
    const values = await measure();
    if (typeof values === 'string') return { ...entry, reason: values, ok: true };
    return { ...entry, values, ok: true, ...(budget && judge(values, budget)) };
  } catch (error) {
    return { ...entry, reason: `failed: ${error instanceof Error ? error.message : String(error)}`, ok: false };
  }
}

/** One line: the mark, the name, the figure that counts with its budget, and all figures. */
export function lineOf({ name, unit, budget, values, worst, reason, ok }: Result): string {
  const mark = ok ? (budget && values ? '✓' : ' ') : '✗';
  const against = budget && worst !== undefined ? `${short(worst)} ${limitText(budget, unit)}` : '';
  const figures = Object.entries(values ?? {}).map(([figure, value]) => `${figure} ${short(value)}`);
  const measured = values ? `${figures.join(', ')} ${unit}` : (reason ?? '');
  return `${mark} ${name.padEnd(56)} ${against.padEnd(24)} ${measured}`.trimEnd();
}

/** The machine, without anything that identifies it. */
export function machine(): Readonly<Record<string, unknown>> {
  return {
    gantry: version,
    node: process.version,
    platform: process.platform,
    architecture: process.arch,
    processors: cpus().length,
    processor: cpus()[0]?.model ?? '',
    memoryGb: Math.round(totalmem() / 1e9),
    loadAverage: loadavg().map((load) => Number(load.toFixed(1))),
  };
}

function limitText({ atMost, atLeast, per }: Budget, unit: string): string {
  const limit = atMost === undefined ? `≥ ${atLeast}` : `≤ ${atMost}`;
  return per === undefined ? `${limit} ${unit}` : `${limit} × ${per}`;
}

/** Three digits are more than two runs have in common. */
function short(value: number): string {
  return Number.isFinite(value) ? Number(value.toPrecision(3)).toLocaleString('en-US') : '–';
}
