/**
 * Half of zod is translations of its messages; the ones we show are English.
 * @type {(build: import('esbuild').PluginBuild) => void}
 */
export const onlyEnglishZod = (build) =>
  build.onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
    contents: "export { default as en } from './en.js';",
  }));
