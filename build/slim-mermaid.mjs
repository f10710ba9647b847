import { readFile } from 'node:fs/promises';

/**
 * Lets mermaid draw under the panel's content security policy, which forbids inline styles, and makes it a third
 * smaller: maths in labels and the two kinds of diagrams that need their own graph library are omitted, and are shown
 * as their source.
 * @type {import('esbuild').Plugin}
 */
export const slimMermaid = {
  name: 'slim-mermaid',
  setup(build) {
    /** @type {(filter: RegExp, replacements: readonly [from: string, to: string][]) => void} */
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
      // Its sanitiser parses the diagram within the page, where style attributes are forbidden.
      // webview/diagrams/diagram-picture.ts restores them.
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
