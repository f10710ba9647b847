const LINES = 12;
const CHARACTERS = 600;

/** The beginning of a text, to recognise it by. */
export function excerptOf(text: string): string {
  const lines = text
    .slice(0, CHARACTERS)
    .split(/\r\n|\r|\n/)
    .slice(0, LINES);
  const excerpt = lines.join('\n').trimEnd();
  return excerpt.length < text.trimEnd().length ? `${excerpt}\n…` : excerpt;
}
