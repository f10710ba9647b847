/**
 * Keeps imports of the runtime as require calls, because it is loaded on first use.
 * @type {(path: string) => import('esbuild').Plugin}
 */
export const runtimeAt = (path) => ({
  name: 'runtime-apart',
  setup(build) {
    build.onResolve({ filter: /\/runtime\/main\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    );
  },
});

/**
 * Keeps imports of the parts for other programs as require calls, because few processes need them.
 * @type {(folder: string) => import('esbuild').Plugin}
 */
export const protocolsAt = (folder) => ({
  name: 'protocols-apart',
  setup(build) {
    build.onResolve({ filter: /\/((acp|a2a)\/main|detached-server)\.ts$/ }, ({ kind, path }) => {
      const [, name] = /(a2a|acp|detached-server)(?:\/main)?\.ts$/.exec(path) ?? [];
      return kind === 'dynamic-import' ? { path: `${folder}/${name}.js`, external: true } : undefined;
    });
  },
});

/**
 * All bundles share one copy of @vscode/l10n, because it gets the texts of VS Code's display language only once. It
 * uses the package's smaller browser variant: reading texts from files and URLs is never needed.
 * @type {(path: string) => import('esbuild').Plugin}
 */
export const l10nAt = (path) => ({
  name: 'l10n-apart',
  setup(build) {
    build.onResolve({ filter: /^@vscode\/l10n$/ }, () => ({ path, namespace: 'l10n-apart', sideEffects: false }));
    build.onLoad({ filter: /./, namespace: 'l10n-apart' }, () => ({
      contents: `export const { config, t } = require('${path}');`,
    }));
    build.onResolve({ filter: /./, namespace: 'l10n-apart' }, () => ({ path, external: true }));
  },
});
