/** Ours, or the one Gemini CLI made in earlier versions: a file has one place for memories. */
const HEADING = /^## (?:Gantry|Gemini) Added Memories[ \t]*$/;
const OWN_HEADING = '## Gantry Added Memories';

const NEXT_SECTION = /^#{1,2} /;

/** The text with a fact added as the last item of its section of memories. Line ends stay as they are. */
export function withMemory(text: string, fact: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(/\r?\n/);
  const heading = lines.findIndex((line) => HEADING.test(line));
  const added = heading === -1 ? withNewSection(lines, fact) : withItem(lines, heading, fact);
  return added.join(eol);
}

export function hasMemory(text: string, fact: string): boolean {
  return text.split(/\r?\n/).includes(itemOf(fact));
}

function withNewSection(lines: readonly string[], fact: string): readonly string[] {
  const end = lastFilled(lines, lines.length);
  const before = lines.slice(0, end);
  return [...before, ...(end === 0 ? [] : ['']), OWN_HEADING, '', itemOf(fact), ''];
}

function withItem(lines: readonly string[], heading: number, fact: string): readonly string[] {
  const next = lines.findIndex((line, index) => index > heading && NEXT_SECTION.test(line));
  const end = lastFilled(lines, next === -1 ? lines.length : next);
  const isFirst = end === heading + 1;
  const rest = lines.slice(end);
  return [...lines.slice(0, end), ...(isFirst ? [''] : []), itemOf(fact), ...(rest.length === 0 ? [''] : rest)];
}

/** One past the last line before `end` that is not blank. */
function lastFilled(lines: readonly string[], end: number): number {
  return lines.slice(0, end).findLastIndex((line) => line.trim() !== '') + 1;
}

function itemOf(fact: string): string {
  return `- ${fact}`;
}
