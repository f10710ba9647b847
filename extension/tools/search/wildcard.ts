/**
 * Whether a whole name matches a pattern with `*` for any characters and `?` for one. Goes back to the last star only,
 * so that no pattern takes more than length times length steps.
 */
export function matchesWildcard(pattern: string, name: string): boolean {
  let [at, position] = [0, 0];
  let star = -1;
  let afterStar = 0;
  while (position < name.length) {
    const expected = pattern[at];
    if (expected === '*') {
      star = at;
      afterStar = position;
      at += 1;
    } else if (expected === '?' || expected === name[position]) {
      at += 1;
      position += 1;
    } else if (star !== -1) {
      at = star + 1;
      afterStar += 1;
      position = afterStar;
    } else {
      return false;
    }
  }
  return /^\**$/.test(pattern.slice(at));
}
