/**
 * Half of zod is translations of its messages; Gantry shows only the English ones.
 * @type {(build: import('esbuild').PluginBuild) => void}
 */
export const onlyEnglishZod = (build) =>
  build.onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
    contents: "export { default as en } from './en.js';",
  }));
