// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take out.
const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

/**
 * What a terminal shows of this, as text: without the sequences that colour text and move the cursor, and without what a
 * later carriage return wrote over. Line by line, because a search for the last carriage return from every place of a
 * line of 100,000 characters takes minutes.
 */
export function plainLines(ansi: string): string[] {
  return ansi.replace(SEQUENCES, '').split('\n').map(lastWritten);
}

export function plainTerminalText(ansi: string): string {
  return plainLines(ansi).join('\n');
}

/** A return at the very end has not been followed by anything that writes over the line. */
function lastWritten(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === '\r') end--;
  return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
}
