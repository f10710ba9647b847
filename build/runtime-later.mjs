import { join, relative } from 'node:path';
import { root } from './options.mjs';

/**
 * Packages that few sessions need. Each is a bundle that is loaded on first use. Compiling them with the rest would
 * take as long as everything else that is loaded before the first answer.
 * @type {Readonly<Record<string, string>>}
 */
export const PACKAGES_LATER = {
  '@xterm/headless': 'xterm-headless.js',
  'google-auth-library': 'google-auth.js',
  'html-to-text': 'html-to-text.js',
  'web-tree-sitter': 'web-tree-sitter.js',
};

/**
 * Parts of the runtime that few sessions need, bundled with their packages.
 * @type {Readonly<Record<string, string>>}
 */
export const RUNTIME_LATER = {
  'mcp/connection.ts': 'mcp.js',
  'model/guide/guide-answer.ts': 'guide.js',
  'remote-agents/connection.ts': 'remote-agents.js',
  'telemetry/main.ts': 'telemetry.js',
};

/** @type {(folder: string) => import('esbuild').Plugin} */
export const laterAt = (folder) => ({
  name: 'packages-for-later',
  setup(build) {
    build.onResolve({ filter: /./ }, ({ path, kind, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const part = relative(join(root, 'extension'), join(resolveDir, path)).replaceAll('\\', '/');
      const file = PACKAGES_LATER[path] ?? RUNTIME_LATER[part];
      return file === undefined ? undefined : { path: `${folder}/${file}`, external: true };
    });
  },
});

/**
 * Packages that are used synchronously, but by few sessions. Stubs replace their exports and load the package on the
 * first call. This works only for functions and classes. Parts of Node have no file here.
 * @type {Readonly<Record<string, { file?: string; names: readonly string[] }>>}
 */
export const ON_CALL = {
  yaml: { file: 'yaml.js', names: ['isAlias', 'isMap', 'isNode', 'isScalar', 'isSeq', 'parseDocument'] },
  '@cfworker/json-schema': { file: 'json-schema.js', names: ['Validator'] },
  'node:dns/promises': { names: ['lookup'] },
  'node:tls': { names: ['connect'] },
};

/** @type {(folder: string) => import('esbuild').Plugin} */
export const onCallAt = (folder) => ({
  name: 'packages-on-call',
  setup(build) {
    const named = new RegExp(`^(${Object.keys(ON_CALL).join('|')})$`);
    build.onResolve({ filter: named }, ({ path }) => ({ path, namespace: 'on-call', sideEffects: false }));
    build.onResolve({ filter: /./, namespace: 'on-call' }, ({ path }) => ({ path, external: true }));
    build.onLoad({ filter: /./, namespace: 'on-call' }, ({ path }) => {
      const { file, names } = ON_CALL[path] ?? { names: [] };
      const load = `require('${file === undefined ? path : `${folder}/${file}`}')`;
      /** @type {(name: string) => string} */
      const stands = (name) => `export function ${name}(...args) {
        return new.target ? new (${load}.${name})(...args) : ${load}.${name}(...args);
      }`;
      return { contents: names.map(stands).join('\n') };
    });
  },
});
