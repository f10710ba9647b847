/** Each may take a pass over the text. */
const MAX_LOOKED_FOR = 8;

/** Most texts do not have every long piece of what is sought, which is known much sooner than where all of them are. */
export function lacksOneOf(text: string, pieces: readonly string[]): boolean {
  const longest = [...new Set(pieces)].sort((left, right) => right.length - left.length);
  return longest.slice(0, MAX_LOOKED_FOR).some((piece) => !text.includes(piece));
}
