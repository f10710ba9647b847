import { onlyEnglishZod } from './slim-zod.mjs';

/**
 * The SDK makes programs of the schemas that servers send, unless it is given something else: that is not needed then.
 * @type {import('esbuild').Plugin}
 */
export const slimMcp = {
  name: 'slim-mcp',
  setup(build) {
    build.onResolve({ filter: /ajv-provider\.js$/ }, ({ path }) => ({ path, namespace: 'left-out-mcp' }));
    build.onLoad({ filter: /./, namespace: 'left-out-mcp' }, () => ({
      contents: "export class AjvJsonSchemaValidator { constructor() { throw new Error('ajv is left out.'); } }",
    }));
    onlyEnglishZod(build);
  },
};
