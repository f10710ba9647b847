import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { cachedFolder } from '../cache/cached.ts';
import { unpackNpmPackage } from '../cache/npm-package.ts';

const fontPackage = 'dejavu-fonts-ttf@2.37.3';

/**
 * Environment that gives a browser the letters of DejaVu, in which pictures are compared. Empty where the system has them;
 * a bare Linux machine has none at all, and every screenshot would show boxes.
 */
export async function fontEnvironment(): Promise<Readonly<Record<string, string>>> {
  if (process.platform !== 'linux' || (await systemHasFonts())) {
    return {};
  }
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

async function systemHasFonts(): Promise<boolean> {
  if (!existsSync('/etc/fonts/fonts.conf')) {
    return false;
  }
  const folders = [
    '/usr/share/fonts',
    '/usr/local/share/fonts',
    join(homedir(), '.fonts'),
    join(homedir(), '.local/share/fonts'),
  ];
  const names = await Promise.all(folders.map((folder) => readdir(folder, { recursive: true }).catch(() => [])));
  const fonts = names.flat().filter((name) => /\.(ttf|otf|ttc)$/i.test(name));
  return fonts.some((name) => /DejaVuSansMono\.ttf$/.test(name)) && fonts.some((name) => /DejaVuSans\.ttf$/.test(name));
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
