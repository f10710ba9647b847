/** A sentence in the reader's language with parts of the page in the places of its {0}, {1} and so on. */
export function filled(sentence: string, ...parts: readonly unknown[]): readonly unknown[] {
  return sentence.split(/\{(\d+)\}/).map((piece, index) => (index % 2 === 0 ? piece : parts[Number(piece)]));
}
