/** Where in what was sent before the user is; none while they write something of their own. */
export interface HistoryPlace {
  readonly at: number;
  /** What they had written before they went back. */
  readonly own: string;
}

export interface HistoryStep {
  readonly place: HistoryPlace | undefined;
  readonly text: string;
}

/** Undefined where there is nothing further. */
export function older(
  history: readonly string[],
  place: HistoryPlace | undefined,
  text: string,
): HistoryStep | undefined {
  const at = (place?.at ?? history.length) - 1;
  const entry = history[at];
  return entry === undefined ? undefined : { place: { at, own: place?.own ?? text }, text: entry };
}

/** Behind the newest comes what the user had written themselves. */
export function newer(history: readonly string[], place: HistoryPlace | undefined): HistoryStep | undefined {
  if (!place) return undefined;
  const at = place.at + 1;
  const entry = history[at];
  return entry === undefined ? { place: undefined, text: place.own } : { place: { ...place, at }, text: entry };
}

/** The arrow keys belong to the text where there is a line to go to. */
export function isOnFirstLine(text: string, caret: number): boolean {
  return !text.slice(0, caret).includes('\n');
}

export function isOnLastLine(text: string, caret: number): boolean {
  return !text.slice(caret).includes('\n');
}
