import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { cachedFolder } from '../cache/cached.ts';
import { runCommand } from '../command.ts';
import type { BrowserBinary } from './binary.ts';

/**
 * Chromium from the npm package `@sparticuz/chromium`: for Linux on x64, with the libraries that a bare machine lacks.
 */
export async function npmChromium(): Promise<BrowserBinary | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return undefined;
  }
  const root = packageRoot();
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const folder = await cachedFolder(`chromium-${version}-x64`, `Chromium ${version}`, async (into) => {
    await Promise.all([
      inflate(join(root, 'bin', 'chromium.br'), join(into, 'chromium')),
      inflateTar(join(root, 'bin', 'al2023.tar.br'), into),
      inflateTar(join(root, 'bin', 'swiftshader.tar.br'), into),
    ]);
    await chmod(join(into, 'chromium'), 0o755);
  });
  return { executable: join(folder, 'chromium'), libraries: [join(folder, 'lib')] };
}

/** The package's code is not imported: it changes the environment of this process and unpacks into the shared /tmp. */
function packageRoot(): string {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  return entry.slice(0, entry.lastIndexOf(join('@sparticuz', 'chromium'))) + join('@sparticuz', 'chromium');
}

async function inflateTar(from: string, into: string): Promise<void> {
  const tar = join(into, `${from.slice(dirname(from).length + 1)}.tar`);
  await inflate(from, tar);
  await runCommand('tar', ['-xf', tar, '-C', into]);
}

async function inflate(from: string, to: string): Promise<void> {
  await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to));
}
