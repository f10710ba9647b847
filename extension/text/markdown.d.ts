/** The build puts the text of Markdown files into the bundle. */
declare module '*.md' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: esbuild's text loader exports the text this way.
  export default text;
}
