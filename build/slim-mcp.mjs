import { onlyEnglishZod } from './slim-zod.mjs';

/**
 * By default, the SDK compiles the schemas that servers send with ajv. Gantry provides another validator, so ajv is
 * omitted.
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
