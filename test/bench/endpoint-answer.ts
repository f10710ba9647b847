/** What the model of the bench says, chunk by chunk. */
export const ANSWER: readonly string[] = Array.from({ length: 100 }, (_, index) => `word ${index} `);
