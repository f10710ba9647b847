import type { TestCounts } from '../reporter.ts';

/** Marks the lines of the suites in the console of a window. */
const linePrefix = '│ ';
const countsPrefix = `${linePrefix}counts `;

export type HostMessage = { readonly line: string } | { readonly counts: TestCounts };

export function encodeLine(line: string): string {
  return `${linePrefix}${line}`;
}

export function encodeCounts(counts: TestCounts): string {
  return `${countsPrefix}${JSON.stringify(counts)}`;
}

/** Undefined for text that is not from the suites. */
export function decodeHostMessage(text: string): HostMessage | undefined {
  if (text.startsWith(countsPrefix)) {
    return { counts: JSON.parse(text.slice(countsPrefix.length)) as TestCounts };
  }
  return text.startsWith(linePrefix) ? { line: text.slice(linePrefix.length) } : undefined;
}
