/** Groups values by the result of `groupOf`, in order. `Map.groupBy` needs Node 21. */
export function grouped<T>(values: readonly T[], groupOf: (value: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const group = groups.get(groupOf(value));
    if (group) group.push(value);
    else groups.set(groupOf(value), [value]);
  }
  return groups;
}
