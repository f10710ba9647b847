import { asciiOnly } from './ascii-only.mjs';
import { nodeOptions, pageOptions, root } from './options.mjs';
import { laterAt, ON_CALL, onCallAt, PACKAGES_LATER, RUNTIME_LATER } from './runtime-later.mjs';
import { l10nAt, protocolsAt, runtimeAt } from './shared-bundles.mjs';
import { slimA2a } from './slim-a2a.mjs';
import { slimAdk } from './slim-adk.mjs';
import { genaiEnums, slimGenai } from './slim-genai.mjs';
import { slimJsonc } from './slim-jsonc.mjs';
import { slimLanguageClient } from './slim-language-client.mjs';
import { slimMcp } from './slim-mcp.mjs';
import { slimMermaid } from './slim-mermaid.mjs';
import { slimOtel } from './slim-otel.mjs';
import { onlyEnglishZod } from './slim-zod.mjs';
import { SURFACE_LATER, surfaceLaterAt } from './surface-later.mjs';
import { vscodeOnce } from './vscode-once.mjs';

/** @typedef {import('esbuild').BuildOptions} Options */

/**
 * The shipped bundles, in dist/.
 * @type {(isProduction: boolean) => readonly Options[]}
 */
export const bundles = (isProduction) => {
  const node = nodeOptions(isProduction);
  return [...programs(node), ...surface(node), ...runtime(node), ...pages(pageOptions(isProduction))];
};

/**
 * The files that package.json names. Each only loads the program beside it, with the code that an earlier start compiled.
 * @type {(node: Options) => readonly Options[]}
 */
const programs = (node) => [
  loaderOf('surface.js', { ...node, outfile: 'dist/extension.js' }),
  loaderOf('command-line.js', { ...node, outfile: 'dist/headless.js', banner: { js: '#!/usr/bin/env node' } }),
];

/** @type {(program: string, options: Options) => Options} */
const loaderOf = (program, options) => ({
  ...options,
  entryPoints: ['extension/runtime/load-bundle.ts'],
  define: { ...options.define, PROGRAM: JSON.stringify(program) },
  plugins: [l10nAt('./l10n.js')],
});

/** @type {(node: Options) => readonly Options[]} */
const surface = (node) => [
  {
    ...node,
    entryPoints: ['extension/main.ts'],
    outfile: 'dist/surface.js',
    plugins: [runtimeAt('./runtime.js'), surfaceLaterAt('./later'), vscodeOnce, l10nAt('./l10n.js'), asciiOnly],
  },
  ...Object.entries(SURFACE_LATER).map(([path, file]) => ({
    ...node,
    entryPoints: [`extension/${path}`],
    outfile: `dist/later/${file}`,
    plugins: [surfaceLaterAt('.'), protocolsAt('.'), slimLanguageClient, vscodeOnce, l10nAt('../l10n.js'), asciiOnly],
  })),
  {
    ...node,
    entryPoints: ['extension/headless/main.ts'],
    outfile: 'dist/command-line.js',
    plugins: [runtimeAt('./runtime.js'), protocolsAt('./later'), l10nAt('./l10n.js')],
  },
  {
    ...node,
    entryPoints: ['extension/language-server/main.ts'],
    outfile: 'dist/language-server.js',
    plugins: [genaiEnums, l10nAt('./l10n.js'), asciiOnly],
  },
  {
    ...node,
    entryPoints: ['extension/acp/main.ts'],
    outfile: 'dist/later/acp.js',
    plugins: [{ name: 'slim-acp', setup: onlyEnglishZod }, l10nAt('../l10n.js')],
  },
  ...[
    ['a2a/main.ts', 'a2a.js'],
    ['headless/detached-server.ts', 'detached-server.js'],
  ].map(([path, file]) => ({
    ...node,
    entryPoints: [`extension/${path}`],
    outfile: `dist/later/${file}`,
    plugins: [l10nAt('../l10n.js')],
  })),
];

/** @type {(node: Options) => readonly Options[]} */
const runtime = (node) => [
  {
    ...node,
    entryPoints: ['extension/runtime/main.ts'],
    outfile: 'dist/runtime.js',
    plugins: [laterAt('./later'), onCallAt('./later'), slimAdk, slimGenai, slimJsonc, l10nAt('./l10n.js'), asciiOnly],
  },
  { ...node, entryPoints: ['node_modules/@vscode/l10n/dist/browser.js'], outfile: 'dist/l10n.js' },
  ...packagesLater.map(([name, file]) => ({
    ...node,
    stdin: { contents: `export * from '${name}';`, resolveDir: root },
    outfile: `dist/later/${file}`,
  })),
  ...Object.entries(RUNTIME_LATER).map(([path, file]) => ({
    ...node,
    entryPoints: [`extension/${path}`],
    outfile: `dist/later/${file}`,
    plugins: [...(path.startsWith('telemetry/') ? [slimOtel] : [slimMcp, slimA2a]), l10nAt('../l10n.js')],
  })),
];

/** @type {readonly (readonly [name: string, file: string])[]} */
const packagesLater = [
  ...Object.entries(PACKAGES_LATER),
  ...Object.entries(ON_CALL).flatMap(([name, { file }]) => (file ? [/** @type {const} */ ([name, file])] : [])),
];

/** @type {(page: Options) => readonly Options[]} */
const pages = (page) => [
  {
    ...page,
    entryPoints: ['webview/main.ts'],
    outdir: 'dist/webview',
    loader: { ...page.loader, '.ttf': 'file' },
    assetNames: '[name]',
  },
  // For an exported conversation: the host's part of the page, and the colours that VS Code would provide.
  { ...page, entryPoints: ['webview/replay/page-host.ts'], outfile: 'dist/webview/later/replay.js' },
  { ...page, entryPoints: ['webview/styles/replay.css'], outfile: 'dist/webview/later/replay.css' },
  // Separate bundles, because one file contains everything that the panel needs for its first paint.
  ...['highlight', 'maths', 'diagrams'].map((name) => ({
    ...page,
    entryPoints: [`webview/later/${name}.ts`],
    outfile: `dist/webview/later/${name}.js`,
    plugins: [slimMermaid],
  })),
];
