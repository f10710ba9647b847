import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { repoRoot } from '../support/repo.ts';
import type { Figures } from './measurement.ts';

/** The compressed sizes in kB of the bundles that begin something: the others are loaded when they are needed. */
export function bundleSizes(): Figures {
  return sizesOf(/^(extension|runtime|headless)\.js$/);
}

/** What the panel loads before it shows anything. */
export function firstPaintSize(): Figures {
  return {
    together: Object.values(sizesOf(/^webview\/(main\.(js|css)|codicon\.ttf)$/)).reduce((sum, size) => sum + size, 0),
  };
}

function sizesOf(pattern: RegExp): Figures {
  const dist = join(repoRoot, 'dist');
  const names = readdirSync(dist, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  const chosen = names.filter((name) => pattern.test(name)).sort();
  return Object.fromEntries(chosen.map((name) => [name, gzipSync(readFileSync(join(dist, name))).length / 1000]));
}
