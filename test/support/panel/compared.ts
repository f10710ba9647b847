import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pixelmatch from 'pixelmatch';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { eventually } from '../poll.ts';
import { repoRoot, resultsDir } from '../repo.ts';

const SNAPSHOTS = join(repoRoot, 'test', 'component', 'snapshots');

/** How different a pixel may be, from 0 to 1: what antialiasing does to the edge of a letter. */
const THRESHOLD = 0.15;

/** How many pixels may differ nevertheless: less than one letter. */
const MOST_PIXELS = 20;

/** Set by `npm test -- --update-snapshots`. */
const updates = (): boolean => process.env['GANTRY_UPDATE_SNAPSHOTS'] === '1';

/**
 * Compares what the page shows with the picture of that name, and says what is wrong with it; empty when nothing is. What
 * was seen and what differs are left in test-results then.
 */
export async function compared(page: Page, name: string): Promise<string> {
  const seen = PNG.sync.read(await stillPicture(page));
  const path = join(SNAPSHOTS, `${name}.png`);
  const known = await readFile(path).catch(() => undefined);
  if (updates()) {
    if (known === undefined || difference(PNG.sync.read(known), seen).count > 0) await write(path, seen);
    return '';
  }
  const left = join(resultsDir, 'snapshots', name);
  if (known === undefined) {
    await write(`${left}-actual.png`, seen);
    return `There is no picture ${path}. What was seen: ${left}-actual.png`;
  }
  const { count, picture } = difference(PNG.sync.read(known), seen);
  if (count <= MOST_PIXELS) return '';
  await write(`${left}-actual.png`, seen);
  if (picture) await write(`${left}-difference.png`, picture);
  return `${count} pixels differ from ${path}. Look at ${left}-actual.png and ${left}-difference.png; if it is meant to look like that: npm test -- --only component --update-snapshots`;
}

/** Once it does not change any more. */
async function stillPicture(page: Page): Promise<Buffer> {
  await page.evaluate(() => document.fonts.ready);
  // What it points at looks different.
  await page.mouse.move(0, 0);
  let last: Buffer | undefined;
  return eventually('a picture that stays as it is', async () => {
    const picture = await page.screenshot({ animations: 'disabled', caret: 'hide', scale: 'css' });
    const isStill = last?.equals(picture);
    last = picture;
    return isStill ? picture : undefined;
  });
}

function difference(known: PNG, seen: PNG): { readonly count: number; readonly picture?: PNG } {
  const { width, height } = seen;
  if (known.width !== width || known.height !== height) return { count: width * height };
  const picture = new PNG({ width, height });
  const count = pixelmatch(known.data, seen.data, picture.data, width, height, { threshold: THRESHOLD });
  return { count, picture };
}

/** Small, as there are many of them: without transparency, and with 64 steps of each colour, which nobody sees. */
async function write(path: string, { width, height, data }: PNG): Promise<void> {
  const rounded = new PNG({ width, height });
  rounded.data = Buffer.from(data.map((value) => Math.min(255, Math.round(value / 4) * 4)));
  const small = { colorType: 2, inputHasAlpha: true, filterType: 0, deflateLevel: 9, deflateStrategy: 0 } as const;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, PNG.sync.write(rounded, small));
}
