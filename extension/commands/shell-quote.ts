/** One argument, whatever is in it: for bash, or for PowerShell, which takes typographic quotes for quotes. */
export function quoteForShell(text: string, platform: NodeJS.Platform = process.platform): string {
  const plain = text.replaceAll('\0', '');
  if (platform === 'win32') return `'${plain.replace(/['\u2018\u2019\u201A\u201B]/g, '$&$&')}'`;
  return `'${plain.replaceAll("'", `'\\''`)}'`;
}
