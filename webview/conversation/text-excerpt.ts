/** Without this, a text of one long line would bypass the limit on lines. */
const MAX_LINE = 400;

/** More than anyone reads in a chat, and less than what slows down the page. */
export const LONGEST_SHOWN = 200_000;

/** The first `lines` lines of a text. */
export function clamp(text: string, lines: number): string {
  let end = 0;
  for (let line = 0; line < lines; line++) {
    const lineBreak = text.indexOf('\n', end);
    if (lineBreak < 0) return text.slice(0, lines * MAX_LINE);
    end = lineBreak + 1;
  }
  // A hidden line break alone is not worth a button.
  return end >= text.length ? text.slice(0, lines * MAX_LINE) : text.slice(0, Math.min(end - 1, lines * MAX_LINE));
}

/** Gemini writes its thoughts in sections with a bold title. The newest title tells what the model is doing. */
export function thinkingTitle(text: string): string {
  let title = '';
  for (const match of text.matchAll(/(?:^|\n)\s*\*\*([^*\n]+)\*\*\s*(?=\n|$)/g)) title = match[1]?.trim() ?? '';
  return title;
}
