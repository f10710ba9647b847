/**
 * VS Code makes links of `[words](command:…)` in its notifications, and runs the command when they are clicked. Titles,
 * paths and error texts come from models and repositories: theirs stay words.
 */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}
