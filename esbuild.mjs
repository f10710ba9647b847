import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';

/**
 * node esbuild.mjs [--production] [--watch]    the bundles, in dist/
 * node esbuild.mjs --runner                    what `npm test` starts, in out/run.mjs
 * node esbuild.mjs --tests [files…]            the test programs, in out/test/; with files, only those of test/
 */
const { values: flags, positionals: onlyTests } = parseArgs({
  options: {
    production: { type: 'boolean' },
    watch: { type: 'boolean' },
    tests: { type: 'boolean' },
    runner: { type: 'boolean' },
  },
  allowPositionals: true,
});
const root = import.meta.dirname;

/** The runtime is a bundle of its own, loaded on first use: an import of it stays a require at run time. */
const runtimeAt = (path) => ({
  name: 'runtime-apart',
  setup(build) {
    build.onResolve({ filter: /\/runtime\/main\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    );
  },
});

/**
 * What it takes to bundle @google/adk 2.0.0 so that it loads and carries only what is used: 4.3 MB become 1.3 MB. It
 * relies on the package's file layout, so the version is pinned and a test runs a turn with the bundle.
 */
const slimAdk = {
  name: 'slim-adk',
  setup(build) {
    // The package does not say that its modules are free of side effects; without that nothing is left out.
    build.onResolve({ filter: /^@google\/adk$/ }, async ({ path, resolveDir, kind, pluginData }) => {
      if (pluginData === 'resolved') return undefined;
      const resolved = await build.resolve(path, { resolveDir, kind, pluginData: 'resolved' });
      return { ...resolved, sideEffects: false };
    });
    build.onResolve({ filter: /^\.\.?\// }, async ({ path, importer, resolveDir, kind, pluginData }) => {
      if (pluginData === 'resolved' || !/@google[\\/]adk[\\/]dist[\\/]/.test(importer)) return undefined;
      const resolved = await build.resolve(path, { resolveDir, kind, pluginData: 'resolved' });
      return { ...resolved, sideEffects: false };
    });
    // Optional peers of parts we do not use (database sessions, cloud storage, its own MCP and A2A servers).
    build.onResolve(
      { filter: /^(@google-cloud|@mikro-orm|@modelcontextprotocol|@a2a-js|express)\b/ },
      ({ path, importer }) =>
        /@google[\\/]adk[\\/]dist[\\/]/.test(importer) ? { path, external: true, sideEffects: false } : undefined,
    );
    // Each file begins with a `require` made from import.meta.url, which a CommonJS bundle does not have.
    build.onLoad({ filter: /@google[\\/]adk[\\/]dist[\\/]esm[\\/].*\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return {
        contents: text.replace(/^import \{createRequire .*\n.*topLevelCreateRequire\(import\.meta\.url\);\n/, ''),
      };
    });
    // ADK's default logger; ours takes its place before the first run.
    build.onResolve({ filter: /^winston$/ }, () => ({ path: 'winston', namespace: 'silent-winston' }));
    build.onLoad({ filter: /.*/, namespace: 'silent-winston' }, () => ({ contents: SILENT_WINSTON }));
    // For schemas of zod 3, and for arguments that its own Gemini client streams: ours are of zod 4, and so is the client.
    build.onResolve({ filter: /^(zod-to-json-schema|jsonpath-plus)$/ }, ({ path }) => ({
      path,
      namespace: 'left-out-adk',
      sideEffects: false,
    }));
    build.onLoad({ filter: /./, namespace: 'left-out-adk' }, ({ path }) => ({
      contents: `const leftOut = () => { throw new Error('${path} is left out of this bundle (esbuild.mjs).'); };
        export { leftOut as zodToJsonSchema };
        export const JSONPath = { toPathArray: leftOut };`,
    }));
    // Half of zod is translations of its messages; the ones we show are English.
    build.onLoad({ filter: ZOD_LOCALES }, () => ({ contents: ONLY_ENGLISH }));
  },
};

const ZOD_LOCALES = /zod[\\/]v4[\\/]locales[\\/]index\.js$/;
const ONLY_ENGLISH = "export { default as en } from './en.js';";

const SILENT_WINSTON = `
const chain = () => chain;
export const format = Object.assign(() => chain, {
  combine: chain, label: chain, colorize: chain, timestamp: chain, printf: chain,
});
export const transports = { Console: class {} };
export const createLogger = () => ({ log() {}, debug() {}, info() {}, warn() {}, error() {} });
`;

/**
 * Parts of @google/genai that are never used here, because it always gets a key and no live connection: a fifth of the
 * bundle, and a quarter of the time it takes to load. Who needs google-auth-library imports it for later.
 */
const slimSdk = {
  name: 'slim-sdk',
  setup(build) {
    build.onResolve({ filter: /^(google-auth-library|ws)$/ }, ({ path }) => ({ path, namespace: 'left-out' }));
    build.onLoad({ filter: /.*/, namespace: 'left-out' }, ({ path }) => ({ contents: leftOut(path) }));
    // With both key variables set the SDK writes to stderr which one it uses; we give it the key, so that is not true.
    build.onLoad({ filter: /@google[\\/]genai[\\/]dist[\\/]node[\\/]index\.m?js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return { contents: text.replace(/console\.warn\('Both GOOGLE_API_KEY and GEMINI_API_KEY[^;]*;/, '') };
    });
  },
};

const leftOut = (name) => `
class LeftOut {
  constructor() { throw new Error('${name} is left out of this bundle (esbuild.mjs).'); }
}
export { LeftOut as GoogleAuth, LeftOut as JWT, LeftOut as WebSocket, LeftOut as default };
`;

const common = {
  absWorkingDir: root,
  bundle: true,
  minify: flags.production ?? false,
  sourcemap: flags.production ? false : 'linked',
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
};

const node = {
  ...common,
  platform: 'node',
  format: 'cjs',
  // VS Code 1.100 runs extensions on Node 20.
  target: 'node20',
  supported: { 'dynamic-import': false },
  external: ['vscode'],
  // Its ES module asks for import.meta.url, which a CommonJS bundle does not have.
  alias: { 'web-tree-sitter': './node_modules/web-tree-sitter/web-tree-sitter.cjs' },
};

/**
 * Packages that few sessions need: a bundle each, loaded when they do. Compiling them with the rest would take as long as
 * everything else that is loaded before the first answer.
 */
const LATER = {
  '@xterm/headless': 'xterm-headless.js',
  'google-auth-library': 'google-auth.js',
  'html-to-text': 'html-to-text.js',
  'web-tree-sitter': 'web-tree-sitter.js',
};

/** Parts of the runtime that few sessions need, with the packages they are made of. */
const RUNTIME_LATER = { 'mcp/connection.ts': 'mcp.js' };

const laterAt = (folder) => ({
  name: 'packages-for-later',
  setup(build) {
    build.onResolve({ filter: /./ }, ({ path, kind, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const file =
        LATER[path] ?? RUNTIME_LATER[relative(join(root, 'extension'), join(resolveDir, path)).replaceAll('\\', '/')];
      return file && { path: `${folder}/${file}`, external: true };
    });
  },
});

/**
 * Packages that are used without waiting, and by few sessions: what they export stands here for what is loaded with the first
 * call. Functions and classes only.
 */
const ON_CALL = {
  yaml: ['yaml.js', ['LineCounter', 'isCollection', 'isMap', 'isNode', 'isScalar', 'parseDocument']],
  '@cfworker/json-schema': ['json-schema.js', ['Validator']],
};

const onCallAt = (folder) => ({
  name: 'packages-on-call',
  setup(build) {
    const named = new RegExp(`^(${Object.keys(ON_CALL).join('|')})$`);
    build.onResolve({ filter: named }, ({ path }) => ({ path, namespace: 'on-call', sideEffects: false }));
    build.onResolve({ filter: /./, namespace: 'on-call' }, ({ path }) => ({ path, external: true }));
    build.onLoad({ filter: /./, namespace: 'on-call' }, ({ path }) => {
      const [file, names] = ON_CALL[path];
      const load = `require('${folder}/${file}')`;
      const stands = (name) => `export function ${name}(...args) {
        return new.target ? new (${load}.${name})(...args) : ${load}.${name}(...args);
      }`;
      return { contents: names.map(stands).join('\n') };
    });
  },
});

/** The SDK makes programs of the schemas that servers send, unless it is given something else: that is not needed then. */
const slimMcp = {
  name: 'slim-mcp',
  setup(build) {
    build.onResolve({ filter: /ajv-provider\.js$/ }, ({ path }) => ({ path, namespace: 'left-out-mcp' }));
    build.onLoad({ filter: /./, namespace: 'left-out-mcp' }, () => ({
      contents: "export class AjvJsonSchemaValidator { constructor() { throw new Error('ajv is left out.'); } }",
    }));
    build.onLoad({ filter: ZOD_LOCALES }, () => ({ contents: ONLY_ENGLISH }));
  },
};

/**
 * The texts of the language that VS Code shows are told to @vscode/l10n once, so all bundles have to share one copy of it.
 * Its readers of files and addresses are never used; the ones for browsers are smaller.
 */
const l10nAt = (path) => ({
  name: 'l10n-apart',
  setup(build) {
    build.onResolve({ filter: /^@vscode\/l10n$/ }, () => ({ path, namespace: 'l10n-apart', sideEffects: false }));
    build.onLoad({ filter: /./, namespace: 'l10n-apart' }, () => ({
      contents: `export const { config, t } = require('${path}');`,
    }));
    build.onResolve({ filter: /./, namespace: 'l10n-apart' }, () => ({ path, external: true }));
  },
});

const runtime = { ...node, plugins: [laterAt('./later'), onCallAt('./later'), slimAdk, slimSdk, l10nAt('./l10n.js')] };
/** Built elsewhere, and loads them from where they are. */
const laterForTests = join(root, 'dist/later');
const runtimeForTests = { ...node, plugins: [laterAt(laterForTests), onCallAt(laterForTests), slimAdk, slimSdk] };

/** Parts of the surface that can wait until they are used: compiling them would make up a third of the activation. */
const SURFACE_LATER = {
  'replay/export-flow.ts': 'export.js',
  'models/model-picker.ts': 'models.js',
  'panel/panel-message-router.ts': 'panel.js',
  'policy/policy-files.ts': 'policies.js',
  'consent/protected-files.ts': 'protected.js',
  'rewind/rewind-flow.ts': 'rewind.js',
  'rewind/rewind-sheet.ts': 'rewind-sheet.js',
  'library/session-picker.ts': 'sessions.js',
  'session/shown-conversation.ts': 'conversation.js',
  'models/thinking-setting.ts': 'thinking.js',
  'review/review-surface.ts': 'review.js',
  'transcript/feed.ts': 'feed.js',
  'transcript/thread-feed.ts': 'thread.js',
  'actions/requested-actions.ts': 'actions.js',
  'auth/sign-in-flow.ts': 'sign-in.js',
  'input/input-surface.ts': 'input.js',
  'mcp/mcp-ui.ts': 'mcp-desk.js',
  'extensions/extension-picker.ts': 'extensions.js',
  'code/code-actions.ts': 'code.js',
  'theme/theme-colours.ts': 'theme.js',
};

const surfaceLaterAt = (folder) => ({
  name: 'surface-for-later',
  setup(build) {
    build.onResolve({ filter: /\.ts$/ }, ({ path, kind, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const file =
        SURFACE_LATER[relative(join(root, 'extension/vscode'), join(resolveDir, path)).replaceAll('\\', '/')];
      return file && { path: `${folder}/${file}`, external: true };
    });
  },
});

/**
 * For `import * as` esbuild gives each of the fifty files that use it a copy of VS Code's interface, made of getters, and
 * for each of them VS Code looks up whose interface it is. That was two thirds of the activation.
 */
const vscodeOnce = {
  name: 'vscode-once',
  setup(build) {
    build.onLoad({ filter: /[\\/]extension[\\/]vscode[\\/].*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const contents = text.replace("import * as vscode from 'vscode';", "import vscode = require('vscode');");
      return { contents, loader: 'ts' };
    });
    build.onResolve({ filter: /^vscode$/ }, ({ path, namespace }) =>
      namespace === 'vscode-once' ? { path, external: true } : { path, namespace: 'vscode-once' },
    );
    build.onLoad({ filter: /./, namespace: 'vscode-once' }, () => ({
      contents: "module.exports = require('vscode');",
    }));
  },
};

/**
 * What it takes for mermaid to draw under the panel's content security policy, which has no inline styles, and to be a
 * third smaller: maths in labels and the two kinds of diagram that need a graph library of their own are left out, and
 * are shown as their source.
 */
const slimMermaid = {
  name: 'slim-mermaid',
  setup(build) {
    const change = (filter, replacements) =>
      build.onLoad({ filter }, async ({ path }) => {
        let contents = await readFile(path, 'utf8');
        for (const [from, to] of replacements) {
          if (!contents.includes(from)) throw new Error(`mermaid has changed: no ${from} in ${path}`);
          contents = contents.replaceAll(from, to);
        }
        return { contents };
      });
    const drawn = 'root.select(enclosingDivID_selector).node().innerHTML';
    change(/mermaid[\\/]dist[\\/]mermaid\.core\.mjs$/, [
      ['document.createElement("style")', 'document.createElement("gantry-diagram-style")'],
      // Its sanitiser reads it as a part of a page; webview/diagrams/diagram-picture.ts turns it back.
      [drawn, `${drawn}.replaceAll(' style="', ' data-style="')`],
    ]);
    change(/d3-selection[\\/]dist[\\/]d3-selection\.mjs$/, [
      [
        'this.setAttribute(name, value)',
        '(name === "style" ? (this.style.cssText = value) : this.setAttribute(name, value))',
      ],
    ]);
    build.onResolve({ filter: /^(katex|cytoscape|cytoscape-fcose|cytoscape-cose-bilkent)$/ }, ({ path }) => ({
      path,
      namespace: 'left-out',
    }));
    build.onLoad({ filter: /.*/, namespace: 'left-out' }, ({ path }) => ({
      contents: `const leftOut = () => { throw new Error('${path} is left out'); };
        export default Object.assign(leftOut, { use() {}, renderToString: leftOut });`,
    }));
  },
};

/** The Chromium of VS Code 1.100. */
const page = { ...common, platform: 'browser', format: 'esm', target: 'chrome132' };

const bundles = [
  {
    ...node,
    entryPoints: ['extension/main.ts'],
    outfile: 'dist/extension.js',
    plugins: [runtimeAt('./runtime.js'), surfaceLaterAt('./later'), vscodeOnce, l10nAt('./l10n.js')],
  },
  ...Object.entries(SURFACE_LATER).map(([path, file]) => ({
    ...node,
    entryPoints: [`extension/vscode/${path}`],
    outfile: `dist/later/${file}`,
    plugins: [surfaceLaterAt('.'), vscodeOnce, l10nAt('../l10n.js')],
  })),
  {
    ...node,
    entryPoints: ['extension/headless/main.ts'],
    outfile: 'dist/headless.js',
    // package.json names it as a command.
    banner: { js: '#!/usr/bin/env node' },
    plugins: [runtimeAt('./runtime.js'), l10nAt('./l10n.js')],
  },
  { ...runtime, entryPoints: ['extension/runtime/main.ts'], outfile: 'dist/runtime.js' },
  { ...node, entryPoints: ['node_modules/@vscode/l10n/dist/browser.js'], outfile: 'dist/l10n.js' },
  ...[...Object.entries(LATER), ...Object.entries(ON_CALL).map(([name, [file]]) => [name, file])].map(
    ([name, file]) => ({
      ...node,
      stdin: { contents: `export * from '${name}';`, resolveDir: root },
      outfile: `dist/later/${file}`,
    }),
  ),
  ...Object.entries(RUNTIME_LATER).map(([path, file]) => ({
    ...node,
    entryPoints: [`extension/${path}`],
    outfile: `dist/later/${file}`,
    plugins: [slimMcp, l10nAt('../l10n.js')],
  })),
  {
    ...page,
    entryPoints: ['webview/main.ts'],
    outdir: 'dist/webview',
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
  },
  // For a conversation in a file of its own: the host's part of the page, and the colours that VS Code would give it.
  { ...page, entryPoints: ['extension/vscode/replay/page-host.ts'], outfile: 'dist/webview/later/replay.js' },
  { ...page, entryPoints: ['webview/styles/replay.css'], outfile: 'dist/webview/later/replay.css' },
  // Each on its own: what the panel needs for its first paint is one file.
  ...['highlight', 'maths', 'diagrams'].map((name) => ({
    ...page,
    entryPoints: [`webview/later/${name}.ts`],
    outfile: `dist/webview/later/${name}.js`,
    plugins: [slimMermaid],
  })),
];

const testProgram = {
  ...common,
  outbase: 'test',
  outExtension: { '.js': '.mjs' },
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  minify: false,
  sourcemap: 'linked',
};

const runner = [{ ...testProgram, entryPoints: ['test/run.ts'], outdir: 'out' }];

const programsOfTests = { ...testProgram, entryPoints: await testPrograms(), outdir: 'out/test', splitting: true };

/** What tests start besides, each with the file that knows where it is: a test that has it among what it is made of needs it. */
const startedByTests = {
  // In the place of dist/runtime.js where a test needs a tool that the product does not have.
  'test/support/vscode/layout.ts': {
    ...runtimeForTests,
    entryPoints: ['test/support/runtime-with-tools.ts'],
    outfile: 'out/test/runtime-with-tools.js',
    minify: false,
  },
  // Started dozens of times.
  'test/support/mcp/stdio.ts': {
    ...testProgram,
    packages: 'bundle',
    entryPoints: ['test/support/mcp/stdio-server.ts'],
    outdir: 'out/test',
  },
  // Started dozens of times too, and this way in a tenth of the time.
  'test/support/dist.ts': {
    ...runtimeForTests,
    entryPoints: ['test/support/crash/child.ts', 'test/support/crash/waiting-agent.ts'],
    outdir: 'out/test/support/crash',
    minify: false,
    sourcemap: 'linked',
  },
  'test/host/index.ts': {
    ...node,
    entryPoints: ['test/host/index.ts'],
    outfile: 'out/test/host/index.js',
    plugins: [runtimeAt('../../../dist/runtime.js')],
    external: ['vscode', 'mocha'],
    minify: false,
    sourcemap: 'linked',
    // mocha is an ES module: it has to stay a real import().
    supported: {},
  },
};

/** Every test file and test program; support code and fixtures are only what they import. */
async function testPrograms() {
  const names = await readdir(join(root, 'test'), { recursive: true });
  const programs = names
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.ts') && !/^(support|host|fixtures)\b/.test(name));
  const isChosen = (name) => onlyTests.length === 0 || !name.endsWith('.test.ts') || onlyTests.includes(name);
  return programs.filter(isChosen).map((name) => join('test', name));
}

/** Which sources each file of tests is made of. */
function inputsOfTests(outputs) {
  const inputsOf = (path, seen = new Set()) => {
    if (seen.has(path)) return [];
    seen.add(path);
    const { inputs, imports } = outputs[path] ?? { inputs: {}, imports: [] };
    return [...Object.keys(inputs), ...imports.flatMap((imported) => inputsOf(imported.path, seen))];
  };
  const entries = Object.entries(outputs).filter(([, { entryPoint }]) => entryPoint?.endsWith('.test.ts'));
  const inputs = entries.map(([path, { entryPoint }]) => [
    relative('test', entryPoint).replaceAll('\\', '/'),
    [...new Set(inputsOf(path))],
  ]);
  return Object.fromEntries(inputs);
}

/** Of a few tests, only what they start is built with them: that of all others takes several times as long. */
async function buildTests() {
  const programs = await esbuild.build(programsOfTests);
  const inputs = inputsOfTests(programs.metafile.outputs);
  await writeFile(join(root, 'out/test/inputs.json'), JSON.stringify(inputs));
  const used = new Set(Object.values(inputs).flat());
  const isNeeded = ([file]) => onlyTests.length === 0 || used.has(file);
  return buildAll(
    Object.entries(startedByTests)
      .filter(isNeeded)
      .map(([, options]) => options),
  );
}

function buildAll(all) {
  return Promise.all(all.map((options) => esbuild.build(options)));
}

const isUsed = (path) => !/\.(md|d\.ts|pdb)$/.test(path);

/**
 * What is used as it is: programs and grammars that cannot be bundled, and the rules that ship. Programs are those of this
 * machine; packages for others get theirs from test/support/packaging.
 */
async function copyAssets() {
  const assets = join(root, flags.tests ? 'out' : 'dist', 'assets');
  const platform = `${process.platform}-${process.arch}`;
  const copies = [
    ['node_modules/web-tree-sitter/web-tree-sitter.wasm', 'web-tree-sitter.wasm'],
    ['node_modules/tree-sitter-bash/tree-sitter-bash.wasm', 'tree-sitter-bash.wasm'],
    [`node_modules/@vscode/ripgrep-${platform}/bin`, '.'],
    ['node_modules/@lydell/node-pty', 'node_modules/@lydell/node-pty'],
    [`node_modules/@lydell/node-pty-${platform}`, `node_modules/@lydell/node-pty-${platform}`],
    ['extension/policy/shipped', 'policies'],
    ['extension/headless/bin', 'bin'],
  ];
  await mkdir(assets, { recursive: true });
  for (const [from, to] of copies) await cp(join(root, from), join(assets, to), { recursive: true, filter: isUsed });
}

/** What is there from before goes: a test that was deleted must not run. Of a few tests, the others stay. */
async function clean() {
  if (flags.runner || onlyTests.length > 0) return;
  await rm(join(root, flags.tests ? 'out/test' : 'dist'), { recursive: true, force: true });
}

if (flags.watch) {
  const all = flags.tests ? [programsOfTests, ...Object.values(startedByTests)] : bundles;
  for (const options of all) await (await esbuild.context(options)).watch();
} else {
  await clean();
  if (flags.runner) {
    await buildAll(runner);
  } else if (flags.tests) {
    await Promise.all([buildTests(), copyAssets()]);
  } else {
    const [results] = await Promise.all([buildAll(bundles), copyAssets()]);
    const outputs = Object.entries(Object.assign({}, ...results.map(({ metafile }) => metafile.outputs)));
    for (const [path, { bytes }] of outputs.filter(([name]) => !name.endsWith('.map'))) {
      process.stdout.write(`${relative('.', path).padEnd(28)} ${(bytes / 1000).toFixed(1).padStart(8)} kB\n`);
    }
  }
}
