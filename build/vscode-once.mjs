import { readFile } from 'node:fs/promises';

/**
 * For `import * as` esbuild gives each of the fifty files that use it a copy of VS Code's interface, made of getters, and
 * for each of them VS Code looks up whose interface it is. That was two thirds of the activation.
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
