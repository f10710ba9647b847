import { readFile } from 'node:fs/promises';

/**
 * Gives back what vscode-languageclient takes from VS Code: each client that ends would leave listeners for notebooks,
 * which Gantry's server doesn't know, for the tabs that are open, and for its own changes.
 * @type {import('esbuild').Plugin}
 */
export const slimLanguageClient = {
  name: 'slim-language-client',
  setup(build) {
    /** @type {(filter: RegExp, ...changes: readonly [from: string, to: string][]) => void} */
    const change = (filter, ...changes) =>
      build.onLoad({ filter }, async ({ path }) => {
        let contents = await readFile(path, 'utf8');
        for (const [from, to] of changes) {
          if (contents.split(from).length !== 2)
            throw new Error(`vscode-languageclient has changed: ${from} in ${path}`);
          contents = contents.replace(from, to);
        }
        return { contents };
      });
    change(/vscode-languageclient[\\/]lib[\\/]common[\\/]notebook\.js$/, [
      "// We don't receive an event for cells where the document changes its language mode\n",
      'return;\n',
    ]);
    const created = 'this._visibleDocuments = new VisibleDocumentsImpl();';
    const listens = 'this._didChangeTextDocumentFeature.onPendingChangeAdded(';
    const called = 'this.triggerPendingChangeDelivery();\n        })';
    change(
      /vscode-languageclient[\\/]lib[\\/]common[\\/]client\.js$/,
      [created, `${created} this._listeners.push(this._visibleDocuments);`],
      [listens, `this._listeners.push(${listens}`],
      [called, `${called})`],
    );
  },
};
