/**
 * jsonc-parser can also format and edit, for which it makes a thousand strings when it is loaded. Its package.json does not
 * say that these modules may be left out.
 * @type {import('esbuild').Plugin}
 */
export const slimJsonc = {
  name: 'slim-jsonc',
  setup(build) {
    build.onResolve(
      { filter: /^\.\/impl\/(format|edit)$/ },
      async ({ path, importer, resolveDir, kind, pluginData }) => {
        if (pluginData === 'resolved' || !/[\\/]jsonc-parser[\\/]/.test(importer)) return undefined;
        const resolved = await build.resolve(path, { resolveDir, kind, pluginData: 'resolved' });
        return { ...resolved, sideEffects: false };
      },
    );
  },
};
