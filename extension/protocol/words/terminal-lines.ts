// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take out.
const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

/**
 * The text that a terminal would show: without the sequences that colour text and move the cursor, and without text
 * that a later carriage return overwrote. It works line by line, because a regular expression that searches for the
 * last carriage return from every position of a line of 100,000 characters takes minutes.
 */
export function plainLines(ansi: string): string[] {
  return ansi.replace(SEQUENCES, '').split('\n').map(lastWritten);
}

export function plainTerminalText(ansi: string): string {
  return plainLines(ansi).join('\n');
}

/** A carriage return at the end of a line has not overwritten anything yet. */
function lastWritten(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === '\r') end--;
  return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
}
