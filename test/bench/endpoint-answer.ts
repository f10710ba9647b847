/** What the model of the bench says, chunk by chunk. */
export const ANSWER: readonly string[] = Array.from({ length: 100 }, (_, index) => `word ${index} `);

/** A line of the nth file of a conversation, by which the model recognizes that it was read. */
export function lineOfFile(nth: number): string {
  return `This is a line of file ${nth}.`;
}
