import { readFile } from 'node:fs/promises';

/**
 * For `import * as`, esbuild gives each of the fifty importing files a copy of VS Code's API, made of getters, and VS
 * Code looks up the calling extension for each of them. That took two thirds of the activation time.
 * @type {import('esbuild').Plugin}
 */
export const vscodeOnce = {
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
