/** The known names that look most like this one, the nearest first. */
export function nearestNames(name: string, known: Iterable<string>, count: number): string[] {
  const measured = [...known].map((candidate) => ({ candidate, distance: editDistance(name, candidate) }));
  measured.sort((a, b) => a.distance - b.distance || a.candidate.localeCompare(b.candidate));
  return measured.slice(0, count).map(({ candidate }) => candidate);
}

/** How many characters to insert, delete or replace to get from one to the other (Levenshtein). */
export function editDistance(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (above[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    above = current;
  }
  return above[to.length] ?? 0;
}
