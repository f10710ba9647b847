import { rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';
import { writeApiTypes } from './build/api-types.mjs';
import { copyAssets, writeManifest } from './build/assets.mjs';
import { bundles } from './build/bundles.mjs';
import { root } from './build/options.mjs';
import { buildTests, programsOfTests, runner, startedByTests } from './build/test-programs.mjs';

/**
 * node esbuild.mjs [--production] [--watch]    the bundles, in dist/
 * node esbuild.mjs --runner                    what `npm test` starts, in out/run.mjs
 * node esbuild.mjs --tests [files…]            the test programs, in out/test/; with files, only those of test/
 */
const { values: flags, positionals: onlyTests } = parseArgs({
  options: {
    production: { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
    tests: { type: 'boolean', default: false },
    runner: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

/** Deletes earlier output, because a deleted test must not run. */
const clean = (/** @type {string} */ folder) => rm(join(root, folder), { recursive: true, force: true });

async function buildBundles() {
  await clean('dist');
  const building = bundles(flags.production).map((options) => esbuild.build(options));
  const files = [copyAssets('dist'), writeManifest('dist'), writeApiTypes('dist')];
  const [results] = await Promise.all([Promise.all(building), ...files]);
  const outputs = results.flatMap(({ metafile }) => Object.entries(metafile?.outputs ?? {}));
  for (const [path, { bytes }] of outputs.filter(([name]) => !name.endsWith('.map'))) {
    process.stdout.write(`${relative('.', path).padEnd(28)} ${(bytes / 1000).toFixed(1).padStart(8)} kB\n`);
  }
}

if (flags.watch) {
  const all = flags.tests
    ? [await programsOfTests(onlyTests), ...Object.values(startedByTests)]
    : bundles(flags.production);
  for (const options of all) await (await esbuild.context(options)).watch();
} else if (flags.runner) {
  await esbuild.build(runner);
} else if (flags.tests) {
  // If only some tests are built, the output of the others is kept.
  if (onlyTests.length === 0) await clean('out/test');
  await Promise.all([buildTests(onlyTests), copyAssets('out')]);
} else {
  await buildBundles();
}
