import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { repoRoot } from '../../support/repo.ts';

const STYLES = join(repoRoot, 'webview', 'styles');

/** What names a side of the screen, and why it may. */
const REASONS: Readonly<Record<string, string>> = {
  'base.css: text-align: left': 'code is written from left to right in every language',
  'direction.css: --end: right': 'gradients know no other words',
  'direction.css: --end: left': 'gradients know no other words',
};

const SIDES = /(?:^|[-:\s])(?:left|right)\b/;
const FOUR_VALUES = /^(?:padding|margin|inset|border-width|border-style|border-color|border-radius|scroll-[a-z]+)$/;

describe("The panel's styles", () => {
  it('name no side of the screen, so that they fit languages that are written from right to left', async () => {
    const found: string[] = [];
    for (const name of await readdir(STYLES)) {
      const text = (await readFile(join(STYLES, name), 'utf8')).replaceAll(/\/\*.*?\*\//gs, '');
      for (const [, property = '', value = ''] of text.matchAll(/([a-z-]+):\s*([^;{}]+);/g))
        if (namesSide(property, value)) found.push(`${name}: ${property}: ${value}`);
    }
    assert.deepEqual(found.sort(), Object.keys(REASONS).sort());
  });
});

function namesSide(property: string, value: string): boolean {
  if (SIDES.test(property) || SIDES.test(value)) return true;
  if (!FOUR_VALUES.test(property)) return false;
  const [top, right, bottom, left] = partsOf(value);
  if (left === undefined) return false;
  return property === 'border-radius' ? top !== right || bottom !== left : right !== left;
}

/** What stands in parentheses is one part. */
function partsOf(value: string): readonly string[] {
  let flat = value;
  while (flat.includes('(')) flat = flat.replaceAll(/\([^()]*\)/g, '');
  return flat.trim().split(/\s+/);
}
