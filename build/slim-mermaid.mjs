import { readFile } from 'node:fs/promises';

/**
 * What it takes for mermaid to draw under the panel's content security policy, which has no inline styles, and to be a
 * third smaller: maths in labels and the two kinds of diagram that need a graph library of their own are left out, and
 * are shown as their source.
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
