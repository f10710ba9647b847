import { build } from 'esbuild';

const MAKE_TOOLS = `
import { createResourceTools } from './extension/mcp/resource-tools.ts';
import { createCompleteTaskTool } from './extension/tools/conversation/complete-task.ts';
import { productTools } from './extension/tools/product-tools.ts';
import { parametersOf } from './extension/tools/tool-parameters.ts';

const port = new Proxy({}, { get: () => () => [] });
const parts = { assets: '', shell: port, processes: port, editor: port, generate: port, fetch: port };
export const tools = [
  ...productTools({ ...parts, agents: { available: () => [] }, skills: { list: () => [] } }),
  createCompleteTaskTool(),
  ...createResourceTools(port),
].map((tool) => ({ ...tool, parameters: parametersOf(tool.schema) }));
`;

/**
 * Makes the product's tools, so that a program can show their texts without the packages that run them, and declare them
 * to a model without making their schemas.
 * @returns {Promise<readonly ProductTool[]>}
 */
export async function makeProductTools(/** @type {string} */ root) {
  const made = await build({
    absWorkingDir: root,
    stdin: { contents: MAKE_TOOLS, resolveDir: root, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    loader: { '.md': 'text' },
    // Packages in CommonJS load Node's modules with require.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire("/");' },
  });
  const { tools } = await import(
    `data:text/javascript;base64,${Buffer.from(made.outputFiles[0]?.contents ?? []).toString('base64')}`
  );
  return tools;
}

/** @type {(tool: ProductTool) => object} */
export const textsOf = ({ name, displayName, kind, description, parameters }) => ({
  name,
  displayName,
  kind,
  // The list of agents depends on the folder.
  description: description.replace(/\n\nAgents:\n*$/, ''),
  parameters: Object.keys(parameters.properties ?? {}),
});

/**
 * @typedef {{
 *   name: string, displayName: string, kind: string, description: string, parameters: { properties?: object }
 * }} ProductTool
 */
