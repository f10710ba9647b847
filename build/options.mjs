import { dirname } from 'node:path';
import { makeProductTools, textsOf } from './product-tools.mjs';
import { readShippedRules } from './shipped-rules.mjs';

/** @typedef {import('esbuild').BuildOptions} Options */

export const root = dirname(import.meta.dirname);

const [tools, shippedRules] = await Promise.all([makeProductTools(root), readShippedRules(root)]);

const define = { SHIPPED_RULES: JSON.stringify(shippedRules), TOOL_TEXTS: JSON.stringify(tools.map(textsOf)) };
const parameters = Object.fromEntries(tools.map((tool) => [tool.name, tool.parameters]));

/** @type {(isProduction: boolean) => Options} */
const commonOptions = (isProduction) => ({
  absWorkingDir: root,
  bundle: true,
  minify: isProduction,
  sourcemap: isProduction ? false : 'linked',
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  // Long texts for the model.
  loader: { '.md': 'text' },
});

/**
 * Options for the extension host and the command line.
 * @type {(isProduction: boolean) => Options}
 */
export const nodeOptions = (isProduction) => ({
  ...commonOptions(isProduction),
  platform: 'node',
  format: 'cjs',
  // VS Code 1.100 runs extensions on Node 20.
  target: 'node20',
  supported: { 'dynamic-import': false },
  external: ['vscode'],
  define: isProduction ? { ...define, TOOL_PARAMETERS: JSON.stringify(parameters) } : define,
  alias: {
    // Its ES module uses import.meta.url, which a CommonJS bundle does not have.
    'web-tree-sitter': './node_modules/web-tree-sitter/web-tree-sitter.cjs',
    // Its main module loads its parts in a way that bundlers cannot follow.
    'jsonc-parser': './node_modules/jsonc-parser/lib/esm/main.js',
  },
});

/**
 * Options for pages, which run in the Chromium of VS Code 1.100.
 * @type {(isProduction: boolean) => Options}
 */
export const pageOptions = (isProduction) => ({
  ...commonOptions(isProduction),
  platform: 'browser',
  format: 'esm',
  target: 'chrome132',
});

/**
 * Options for test programs, which load packages from node_modules.
 * @type {Options}
 */
export const testOptions = {
  ...commonOptions(false),
  outbase: 'test',
  outExtension: { '.js': '.mjs' },
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  define,
};
