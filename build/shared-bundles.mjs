/**
 * The runtime is loaded on first use: an import of it stays a require at run time.
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
 * The texts of the language that VS Code shows are told to @vscode/l10n once, so all bundles have to share one copy of it.
 * Its readers of files and addresses are never used; the ones for browsers are smaller.
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
