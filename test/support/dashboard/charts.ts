/** Drawings of numbers as SVG, for `telemetry-page.ts`. */

export interface Series {
  readonly name: string;
  readonly color: string;
  /** One number for each label of the axis. Undefined where there is none. */
  readonly values: readonly (number | undefined)[];
}

const WIDTH = 384;
const HEIGHT = 178;
const LEFT = 40;
const TOP = 8;
const BOTTOM = 24;
const PLOT = { width: WIDTH - LEFT - 4, height: HEIGHT - TOP - BOTTOM };

/** Columns of several parts on top of each other. */
export function columns(labels: readonly string[], series: readonly Series[]): string {
  const sums = labels.map((_, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0));
  const scale = scaleFor(Math.max(...sums));
  const step = PLOT.width / labels.length;
  const bars = labels.flatMap((_, at) => {
    let base = 0;
    return series.map(({ color, values }) => {
      const value = values[at] ?? 0;
      const [top, height] = [scale.y(base + value), scale.y(base) - scale.y(base + value)];
      base += value;
      return height <= 0 ? '' : rect(LEFT + at * step + step * 0.16, top, step * 0.68, height, color);
    });
  });
  return svg([scale.grid, ...bars, axis(labels, step)]);
}

/** A line for each series, with a dot at each value. */
export function lines(labels: readonly string[], series: readonly Series[], unit: string): string {
  const highest = Math.max(...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const scale = scaleFor(highest, unit);
  const step = PLOT.width / labels.length;
  const drawn = series.map(({ color, values }) => {
    const points = values.flatMap((value, at) =>
      value === undefined ? [] : [[LEFT + (at + 0.5) * step, scale.y(value)] as const],
    );
    const path = points.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('');
    const dots = points.map(([x, y]) => `<circle cx="${round(x)}" cy="${round(y)}" r="2.5" fill="${color}"/>`);
    return `<path d="${path}" fill="none" stroke="${color}" stroke-width="2" stroke-linejoin="round"/>${dots.join('')}`;
  });
  return svg([scale.grid, ...drawn, axis(labels, step)]);
}

/** A row for each label, with its parts beside each other and their sum at the end. */
export function rows(
  labels: readonly string[],
  series: readonly Series[],
  left: number,
  shown: (sum: number) => string,
): string {
  const sums = labels.map((_, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0));
  const perUnit = (WIDTH - left - 52) / Math.max(...sums, 1);
  const pitch = HEIGHT / labels.length;
  const drawn = labels.flatMap((label, at) => {
    const middle = pitch * (at + 0.5);
    let x = left;
    const parts = series.map(({ color, values }) => {
      const width = (values[at] ?? 0) * perUnit;
      x += width;
      return width <= 0 ? '' : rect(x - width, middle - 8, width, 16, color);
    });
    return [
      `<text x="${left - 8}" y="${round(middle + 4)}" text-anchor="end">${label}</text>`,
      ...parts,
      `<text x="${round(x + 6)}" y="${round(middle + 4)}" class="strong">${shown(sums[at] ?? 0)}</text>`,
    ];
  });
  return svg(drawn);
}

function scaleFor(highest: number, unit = ''): { readonly y: (value: number) => number; readonly grid: string } {
  const step = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500].find((each) => highest / each <= 4) ?? 1000;
  const top = Math.max(step, Math.ceil(highest / step) * step);
  const y = (value: number): number => TOP + PLOT.height * (1 - value / top);
  const ticks = Array.from({ length: top / step + 1 }, (_, at) => at * step);
  const grid = ticks.map((tick) => {
    const at = round(y(tick));
    const line = `<line x1="${LEFT}" x2="${WIDTH - 4}" y1="${at}" y2="${at}" class="grid"/>`;
    return `${line}<text x="${LEFT - 8}" y="${at + 4}" text-anchor="end">${tick}${unit}</text>`;
  });
  return { y, grid: grid.join('') };
}

/** Every label if there is room, and every second or third otherwise. */
function axis(labels: readonly string[], step: number): string {
  const longest = Math.max(...labels.map(({ length }) => length));
  const each = Math.ceil((longest * 7 + 6) / step);
  return labels
    .map((label, at) =>
      at % each === 0
        ? `<text x="${round(LEFT + (at + 0.5) * step)}" y="${HEIGHT - 6}" text-anchor="middle">${label}</text>`
        : '',
    )
    .join('');
}

function rect(x: number, y: number, width: number, height: number, color: string): string {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" fill="${color}"/>`;
}

function svg(parts: readonly string[]): string {
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">${parts.join('')}</svg>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
