import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cachedFolder } from '../cache/cached.ts';
import { unpackNpmPackage } from '../cache/npm-package.ts';

const fontPackage = 'dejavu-fonts-ttf@2.37.3';

/**
 * Environment that gives a browser the letters of DejaVu and no others, whatever the machine has: in other letters
 * everything is in another place. Only Linux can be told.
 */
export async function fontEnvironment(): Promise<Readonly<Record<string, string>>> {
  if (process.platform !== 'linux') return {};
  const folder = await cachedFolder('fonts-dejavu', 'Fonts', async (into) => {
    await unpackNpmPackage(fontPackage, into, {
      member: 'package/ttf',
      excludes: ['*Serif*', '*Condensed*', '*Math*'],
    });
    await mkdir(join(into, 'cache'));
    await writeFile(join(into, 'fonts.conf'), fontConfiguration(into));
  });
  return { FONTCONFIG_FILE: join(folder, 'fonts.conf') };
}

function fontConfiguration(folder: string): string {
  const aliases = Object.entries({
    'sans-serif': 'DejaVu Sans',
    'system-ui': 'DejaVu Sans',
    monospace: 'DejaVu Sans Mono',
  }).map(([family, font]) => `  <alias><family>${family}</family><prefer><family>${font}</family></prefer></alias>`);
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    `  <dir>${folder}</dir>`,
    `  <cachedir>${join(folder, 'cache')}</cachedir>`,
    ...aliases,
    // For every name that is not there, Chromium's own idea of a system font included.
    '  <match><edit name="family" mode="append_last"><string>DejaVu Sans</string></edit></match>',
    '</fontconfig>',
    '',
  ].join('\n');
}
