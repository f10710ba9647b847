import { createRequire } from 'node:module';
import { Script } from 'node:vm';
import { build } from 'esbuild';
import { root } from './options.mjs';

/** The parameters of the product's tools by name, made as the product would, so that it doesn't need to at every start. */
export async function makeToolParameters() {
  const made = await build({
    absWorkingDir: root,
    stdin: { contents: MAKES_PARAMETERS, resolveDir: root },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    write: false,
    loader: { '.md': 'text' },
  });
  const [{ text }] = /** @type {[esbuild.OutputFile]} */ (made.outputFiles);
  const module = { exports: { parameters: {} } };
  new Script(`(function (module, require) {${text}\n})`).runInThisContext()(module, createRequire(import.meta.url));
  return module.exports.parameters;
}

/** Nothing is asked of these parts as long as no tool is called. */
const MAKES_PARAMETERS = `
  import { productTools } from './extension/tools/product-tools.ts';
  import { parametersOf } from './extension/tools/tool-parameters.ts';
  const parts = { assets: '', editor: {}, shell: {}, processes: {}, skills: {}, agents: {} };
  export const parameters = Object.fromEntries(
    productTools(parts).map((tool) => [tool.name, parametersOf(tool.schema)]),
  );
`;

/** @import * as esbuild from 'esbuild' */
