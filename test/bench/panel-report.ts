import { measurePanel, type PanelFigures } from './panel.ts';
import { bundleSizes } from './sizes.ts';

const SMALL = 100;
const LARGE = 10_000;

const ROWS: readonly (readonly [string, keyof PanelFigures, string])[] = [
  ['open (≤ 500 ms)', 'openMs', 'ms'],
  ['the same, processor time', 'openCpuMs', 'ms'],
  ['heap (≤ 80 MB)', 'heapMb', 'MB'],
  ['heap after use', 'heapAfterMb', 'MB'],
  ['elements (≤ 1,500)', 'elements', ''],
  ['key p95, streaming (≤ 16)', 'keyMs', 'ms'],
  ['  an input alone, idle', 'bareKeyMs', 'ms'],
  ['key p95 until painted', 'keyPaintedMs', 'ms'],
  ['  an input alone, idle', 'bareKeyPaintedMs', 'ms'],
  ['page thread, streaming', 'streamingCpu', '%'],
  ['messages/s (≤ 60)', 'postsPerSecond', ''],
  ['frames of scrolling', 'frames', ''],
  ['bare ones of them (0)', 'bareFrames', ''],
];

/** The panel with few and with many entries, and how much more the many cost. */
export async function panelReport(): Promise<readonly string[]> {
  const [small, large] = [await measurePanel(SMALL), await measurePanel(LARGE)];
  const header = `${''.padEnd(26)}${'100'.padStart(12)}${'10,000'.padStart(15)}${'ratio'.padStart(11)}`;
  const rows = ROWS.map(([label, key, unit]) => {
    const [few, many] = [small[key], large[key]];
    const ratio = few === 0 ? '' : (many / few).toFixed(2);
    return `  ${label.padEnd(26)}${shown(few, unit)}${shown(many, unit)}${ratio.padStart(9)}`;
  });
  const first = bundleSizes().filter(({ name }) => /webview[\\/](main\.(js|css)|codicon\.ttf)$/.test(name));
  const bytes = first.reduce((sum, { gzipBytes }) => sum + gzipBytes, 0);
  return [header, ...rows, `  first paint (≤ 250 kB gzip) ${(bytes / 1000).toFixed(1).padStart(9)} kB`];
}

function shown(value: number, unit: string): string {
  return `${value.toFixed(unit === '' ? 0 : 1)} ${unit.padEnd(2)}`.padStart(15);
}
