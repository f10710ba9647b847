/** The known names that are most similar to this one, nearest first, and not further away than the limit. */
export function nearestNames(
  name: string,
  known: Iterable<string>,
  count: number,
  limit = Number.POSITIVE_INFINITY,
): string[] {
  const measured = [...known].flatMap((candidate) => {
    const distance = editDistanceWithin(name, candidate, limit);
    return distance === undefined ? [] : [{ candidate, distance }];
  });
  measured.sort((a, b) => a.distance - b.distance || a.candidate.localeCompare(b.candidate));
  return measured.slice(0, count).map(({ candidate }) => candidate);
}

/** Names that are probably meant: a third of the characters may differ, or the characters are in another order. */
export function namesLike(name: string, known: Iterable<string>, count: number): string[] {
  const all = [...known];
  const letters = (text: string): string => [...text].sort().join('');
  const swapped = all.filter((other) => other.length === name.length && letters(other) === letters(name));
  const near = nearestNames(name, all, count, Math.max(1, Math.floor(name.length / 3)));
  return [...new Set([...swapped, ...near])].slice(0, count);
}

/**
 * The number of characters to add, remove or replace to get from one text to the other (Levenshtein). Undefined if it
 * exceeds `limit`, which saves most of the work.
 */
export function editDistanceWithin(left: string, right: string, limit: number): number | undefined {
  if (Math.abs(left.length - right.length) > limit) return undefined;
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  let current = new Array<number>(right.length + 1).fill(limit + 1);
  for (let row = 1; row <= left.length; row++) {
    // Further from the diagonal, the distance exceeds the limit anyway.
    const [first, last] = [Math.max(1, row - limit), Math.min(right.length, row + limit)];
    current[first - 1] = first === 1 ? row : limit + 1;
    let best = current[first - 1] ?? limit + 1;
    for (let column = first; column <= last; column++) {
      const isSame = left.charCodeAt(row - 1) === right.charCodeAt(column - 1);
      const exchanged = (previous[column - 1] ?? 0) + (isSame ? 0 : 1);
      const removed = (column === row + limit ? limit : (previous[column] ?? 0)) + 1;
      const distance = Math.min(exchanged, removed, (current[column - 1] ?? 0) + 1);
      current[column] = distance;
      if (distance < best) best = distance;
    }
    if (best > limit) return undefined;
    [previous, current] = [current, previous];
  }
  const distance = previous[right.length] ?? limit + 1;
  return distance > limit ? undefined : distance;
}
