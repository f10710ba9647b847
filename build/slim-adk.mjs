import { readFile } from 'node:fs/promises';
import { onlyEnglishZod } from './slim-zod.mjs';

const SILENT_WINSTON = `
const chain = () => chain;
export const format = Object.assign(() => chain, {
  combine: chain, label: chain, colorize: chain, timestamp: chain, printf: chain,
});
export const transports = { Console: class {} };
export const createLogger = () => ({ log() {}, debug() {}, info() {}, warn() {}, error() {} });
`;

/**
 * Bundles @google/adk 2.0.0 so that it loads and contains only what is used: 4.3 MB become 1.3 MB. This relies on the
 * package's file layout, so the version is pinned and a test runs a turn with the bundle.
 * @type {import('esbuild').Plugin}
 */
export const slimAdk = {
  name: 'slim-adk',
  setup(build) {
    // The package does not declare its modules free of side effects, so esbuild would not remove any of them.
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
    // Optional peer dependencies of unused parts (database sessions, cloud storage, its own MCP and A2A servers).
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
    // ADK's default logger. Gantry's logger replaces it before the first run.
    build.onResolve({ filter: /^winston$/ }, () => ({ path: 'winston', namespace: 'silent-winston' }));
    build.onLoad({ filter: /.*/, namespace: 'silent-winston' }, () => ({ contents: SILENT_WINSTON }));
    // For zod 3 schemas, and for arguments that ADK's own Gemini client streams. Gantry uses zod 4 and its own client.
    build.onResolve({ filter: /^(zod-to-json-schema|jsonpath-plus)$/ }, ({ path }) => ({
      path,
      namespace: 'left-out-adk',
      sideEffects: false,
    }));
    build.onLoad({ filter: /./, namespace: 'left-out-adk' }, ({ path }) => ({
      contents: `const leftOut = () => { throw new Error('${path} is left out of this bundle (build/slim-adk.mjs).'); };
        export { leftOut as zodToJsonSchema };
        export const JSONPath = { toPathArray: leftOut };`,
    }));
    onlyEnglishZod(build);
  },
};
