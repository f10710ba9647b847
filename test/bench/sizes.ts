import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { repoRoot } from '../support/repo.ts';

export interface BundleSize {
  readonly name: string;
  readonly bytes: number;
  readonly gzipBytes: number;
}

export function bundleSizes(): BundleSize[] {
  const dist = join(repoRoot, 'dist');
  const names = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(js|css|ttf)$/.test(name));
  return names.sort().map((name) => {
    const content = readFileSync(join(dist, name));
    return { name, bytes: content.length, gzipBytes: gzipSync(content).length };
  });
}
