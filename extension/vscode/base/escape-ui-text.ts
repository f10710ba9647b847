/**
 * VS Code makes links of `[words](command:…)` in its notifications, and runs the command when they are clicked. Titles,
 * paths and error texts come from models and repositories: theirs stay words.
 */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}

/** VS Code draws `$(name)` in its lists as an icon: a title must not look pinned or damaged by its words alone. */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '\\$(');
}

/** Signs that turn text around, hide it or move it are written out. Line ends and tabs stay. */
export function visible(text: string): string {
  return text.replace(/[^\P{C}\n\t]|[\u2028\u2029]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
}
