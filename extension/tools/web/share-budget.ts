/**
 * How much of a budget each text gets. Short ones keep all, and what they leave is shared evenly by the rest: with a
 * budget of 10, lengths 1, 4 and 20 get 1, 4 and 5.
 */
export function shareBudget(lengths: readonly number[], budget: number): readonly number[] {
  const shares = lengths.map(() => 0);
  const shortestFirst = lengths.map((length, index) => ({ length, index })).sort((a, b) => a.length - b.length);
  let left = budget;
  shortestFirst.forEach(({ length, index }, done) => {
    const share = Math.min(length, Math.floor(left / (lengths.length - done)));
    shares[index] = share;
    left -= share;
  });
  return shares;
}
