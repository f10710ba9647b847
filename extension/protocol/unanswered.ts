/** What is said of a question whose time was over. */
export function nobodyAnswered(minutes: number): string {
  return `Nobody answered within ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
}

/** After how many minutes it was given up; undefined for what ended in another way. */
export function timeoutOf(data: Readonly<Record<string, unknown>> | undefined): number | undefined {
  const minutes = data?.['timeout'];
  return typeof minutes === 'number' ? minutes : undefined;
}
