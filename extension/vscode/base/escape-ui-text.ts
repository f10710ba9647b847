/**
 * Prevents links in notifications. VS Code turns `[words](command:…)` into a link that runs the command. Titles, paths
 * and error texts come from models and repositories, so they must stay plain text.
 */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}

/** Prevents icons: VS Code draws `$(name)` in lists as an icon, so a title could make itself look pinned or damaged. */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '\\$(');
}

/** Writes out characters that reverse, hide or move text. Line ends and tabs stay. */
export function visible(text: string): string {
  return text.replace(/[^\P{C}\n\t]|[\u2028\u2029]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
}
