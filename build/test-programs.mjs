import { readdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import * as esbuild from 'esbuild';
import { nodeOptions, root, testOptions } from './options.mjs';
import { laterAt, onCallAt } from './runtime-later.mjs';
import { runtimeAt } from './shared-bundles.mjs';
import { slimAdk } from './slim-adk.mjs';
import { slimGenai } from './slim-genai.mjs';
import { slimLanguageClient } from './slim-language-client.mjs';

/** @typedef {import('esbuild').BuildOptions} Options */

/**
 * The program that `npm test` starts.
 * @type {Options}
 */
export const runner = { ...testOptions, entryPoints: ['test/run.ts'], outdir: 'out' };

/** All test files and test programs, or those in `chosen`. Support code and fixtures are included only by imports. */
export async function programsOfTests(/** @type {readonly string[]} */ chosen) {
  const names = await readdir(join(root, 'test'), { recursive: true });
  const programs = names
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.ts') && !/^(support|host|fixtures)\b/.test(name));
  const isChosen = (/** @type {string} */ name) =>
    chosen.length === 0 || !name.endsWith('.test.ts') || chosen.includes(name);
  const entryPoints = programs.filter(isChosen).map((name) => join('test', name));
  return { ...testOptions, entryPoints, outdir: 'out/test', splitting: true, metafile: /** @type {const} */ (true) };
}

const node = nodeOptions(false);

/** Bundles that are loaded later are in dist/, wherever the bundle that loads them is. */
const laterBundles = join(root, 'dist/later');
const runtime = { ...node, plugins: [laterAt(laterBundles), onCallAt(laterBundles), slimAdk, slimGenai] };

/**
 * Other programs that tests start, by the file that knows their path: a test that includes this file needs the program.
 * @type {Readonly<Record<string, Options>>}
 */
export const startedByTests = {
  // Replaces dist/runtime.js if a test needs a tool that the product does not have.
  'test/support/vscode/layout.ts': {
    ...runtime,
    entryPoints: ['test/support/runtime-with-tools.ts'],
    outfile: 'out/test/runtime-with-tools.js',
  },
  // Bundled, because it is started dozens of times.
  'test/support/mcp/stdio.ts': {
    ...testOptions,
    packages: 'bundle',
    entryPoints: ['test/support/mcp/stdio-server.ts'],
    outdir: 'out/test',
  },
  'test/support/remote-agents/adk-process.ts': {
    ...testOptions,
    entryPoints: ['test/support/remote-agents/adk-agent.ts', 'test/support/remote-agents/adk-caller.ts'],
    outdir: 'out/test',
  },
  // Bundled, because it is also started dozens of times, and then starts in a tenth of the time.
  'test/support/dist.ts': {
    ...runtime,
    entryPoints: ['test/support/crash/child.ts', 'test/support/crash/waiting-agent.ts'],
    outdir: 'out/test/support/crash',
  },
  'test/host/index.ts': {
    ...node,
    entryPoints: ['test/host/index.ts'],
    outfile: 'out/test/host/index.js',
    plugins: [runtimeAt('../../../dist/runtime.js'), slimLanguageClient],
    external: ['vscode', 'mocha'],
    // mocha is an ES module, so it must be loaded with a real import().
    supported: {},
  },
};

/** The sources of each test file. */
function inputsOfTests(/** @type {import('esbuild').Metafile['outputs']} */ outputs) {
  /** @type {(path: string, seen?: Set<string>) => string[]} */
  const inputsOf = (path, seen = new Set()) => {
    if (seen.has(path)) return [];
    seen.add(path);
    const { inputs, imports } = outputs[path] ?? { inputs: {}, imports: [] };
    return [...Object.keys(inputs), ...imports.flatMap((imported) => inputsOf(imported.path, seen))];
  };
  /** @type {Record<string, readonly string[]>} */
  const all = {};
  for (const [path, { entryPoint }] of Object.entries(outputs)) {
    if (!entryPoint?.endsWith('.test.ts')) continue;
    all[relative('test', entryPoint).replaceAll('\\', '/')] = [...new Set(inputsOf(path))];
  }
  return all;
}

/** For a few tests, builds only the programs that they start: building all programs takes several times as long. */
export async function buildTests(/** @type {readonly string[]} */ chosen) {
  const programs = await esbuild.build(await programsOfTests(chosen));
  const inputs = inputsOfTests(programs.metafile.outputs);
  await writeFile(join(root, 'out/test/inputs.json'), JSON.stringify(inputs));
  const used = new Set(Object.values(inputs).flat());
  const needed = Object.entries(startedByTests).filter(([file]) => chosen.length === 0 || used.has(file));
  await Promise.all(needed.map(([, options]) => esbuild.build(options)));
}
