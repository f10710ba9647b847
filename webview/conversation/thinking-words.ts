/** Gemini writes its thoughts in sections with a bold title of their own; the newest one says what it is doing. */
export function thinkingTitle(text: string): string {
  let title = '';
  for (const match of text.matchAll(/(?:^|\n)\s*\*\*([^*\n]+)\*\*\s*(?=\n|$)/g)) title = match[1]?.trim() ?? '';
  return title;
}
