/** A line of `extension-enablement.json`: for which folders an extension is on or off. */
export interface PathRule {
  readonly isOn: boolean;
  /** With slashes, also on Windows; `*` stands for anything. */
  readonly pattern: string;
}

export function parseRule(written: string): PathRule {
  return written.startsWith('!') ? { isOn: false, pattern: written.slice(1) } : { isOn: true, pattern: written };
}

/** For a folder and all below it. */
export function ruleFor(folder: string, isOn: boolean): PathRule {
  return { isOn, pattern: `${asPattern(folder)}*` };
}

export function writeRule({ isOn, pattern }: PathRule): string {
  return isOn ? pattern : `!${pattern}`;
}

/** Whether the rules switch something on for a folder: the last one about it counts, and without any it is on. */
export function isOnFor(folder: string, rules: readonly PathRule[]): boolean {
  return rules.findLast(({ pattern }) => matches(pattern, asPattern(folder)))?.isOn ?? true;
}

/** With the new one behind the others, without those that it makes meaningless. */
export function withRule(rules: readonly PathRule[], added: PathRule): readonly PathRule[] {
  const base = baseOf(added.pattern);
  return [
    ...rules.filter(({ pattern }) => baseOf(pattern) !== base && !matches(added.pattern, baseOf(pattern))),
    added,
  ];
}

function baseOf(pattern: string): string {
  return pattern.endsWith('*') ? pattern.slice(0, -1) : pattern;
}

function asPattern(folder: string): string {
  const slashes = folder.replaceAll('\\', '/');
  return `${slashes.startsWith('/') ? '' : '/'}${slashes}${slashes.endsWith('/') ? '' : '/'}`;
}

/**
 * As in Gemini CLI `/*` also stands for nothing at all. Not by a regular expression: many stars would take it for ever.
 * Keeps the places in the path that the pattern can have come to.
 */
function matches(pattern: string, path: string): boolean {
  let places = new Set([0]);
  for (let at = 0; at < pattern.length; at++) {
    const isSlashStar = pattern.startsWith('/*', at);
    if (isSlashStar) at++;
    places = pattern[at] === '*' ? afterStar(places, path, isSlashStar) : afterSign(places, path, pattern[at]);
  }
  return places.has(path.length);
}

function afterSign(places: ReadonlySet<number>, path: string, sign: string | undefined): Set<number> {
  return new Set([...places].filter((place) => path[place] === sign && place < path.length).map((place) => place + 1));
}

function afterStar(places: ReadonlySet<number>, path: string, needsSlash: boolean): Set<number> {
  const begins = [...places].filter((place) => !needsSlash || path[place] === '/');
  const first = Math.min(...begins, Number.POSITIVE_INFINITY);
  const after = new Set(places);
  for (let place = first; place <= path.length; place++) after.add(place);
  return after;
}
