import { createHash } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand, runNpm } from '../command.ts';

export interface UnpackOptions {
  /** The folder inside the package to unpack, such as `package/lib/vscode`; by default the whole package. */
  readonly member?: string;
  /** Patterns of paths that are skipped, starting with `package/`. */
  readonly excludes?: readonly string[];
  /** The expected integrity, as in package-lock.json. */
  readonly integrity?: string;
}

/** Unpacks an npm package without its dependencies and scripts. */
export async function unpackNpmPackage(
  spec: string,
  into: string,
  { member = 'package', excludes = [], integrity }: UnpackOptions = {},
): Promise<void> {
  const parcel = `${into}.parcel`;
  await mkdir(parcel, { recursive: true });
  await mkdir(into, { recursive: true });
  const file = (await runNpm(['pack', spec, '--pack-destination', parcel], parcel)).trim().split('\n').at(-1) ?? '';
  if (integrity !== undefined) await verify(spec, join(parcel, file), integrity);
  const strip = `--strip-components=${member.split('/').length}`;
  const excluded = excludes.map((pattern) => `--exclude=${pattern}`);
  await runCommand('tar', ['-xzf', join(parcel, file), '-C', into, strip, ...excluded, member]);
  await rm(parcel, { recursive: true });
}

async function verify(spec: string, file: string, integrity: string): Promise<void> {
  const [algorithm = ''] = integrity.split('-');
  const found = `${algorithm}-${createHash(algorithm)
    .update(await readFile(file))
    .digest('base64')}`;
  if (found !== integrity) throw new Error(`${spec} is not what package-lock.json says: ${found}, not ${integrity}.`);
}
