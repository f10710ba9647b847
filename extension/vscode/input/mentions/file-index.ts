import { type FuzzyMatch, fuzzyMatch, LONGEST_QUERY } from '../../suggestions/fuzzy.ts';

/** A file or folder that matches a query. */
export interface FoundPath {
  /** The path as it was added, with forward slashes. */
  readonly path: string;
  readonly isFolder: boolean;
  /** The positions of the matching characters in the path. */
  readonly positions: readonly number[];
  readonly score: number;
}

/** The number of rough matches that are scored precisely. All others match worse by a rough measure. */
const CLOSE_LOOK = 80;

/**
 * An index of the files of a workspace and their folders. A search visits all paths: one number encodes which
 * characters a path contains, so a single comparison rules out nine of ten paths.
 */
export class FileIndex {
  private readonly paths: string[] = [];
  private readonly lower: string[] = [];
  private readonly letters: number[] = [];
  private readonly nameLetters: number[] = [];
  /** The index of the last segment of each path. */
  private readonly names: number[] = [];
  private readonly folders = new Set<string>();
  private files = 0;
  /** The paths that matched the previous query: while the user types, the next query usually extends it. */
  private last: { readonly wanted: string; readonly fitting: Uint32Array; readonly size: number } | undefined;

  get fileCount(): number {
    return this.files;
  }

  /** Adds a file and its parent folders. */
  add(path: string): void {
    this.files += 1;
    this.push(path);
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      // Its parent folders are known as well.
      if (this.folders.has(folder)) return;
      this.folders.add(folder);
      this.push(folder);
    }
  }

  /** Returns the best matches first. Open files, for which `isPreferred` is true, come before equal matches. */
  search(query: string, limit: number, isPreferred: (path: string) => boolean = () => false): readonly FoundPath[] {
    const typed = query.slice(0, LONGEST_QUERY).replaceAll('\\', '/');
    const rough = this.roughMatches(typed.toLowerCase());
    const found = rough.flatMap(({ index, score }): FoundPath[] => {
      const path = this.paths[index] ?? '';
      const match = this.closeMatch(typed, path, this.names[index] ?? 0);
      const preferred = isPreferred(path) ? PREFERRED : 0;
      const isFolder = this.folders.has(path);
      return match ? [{ path, isFolder, positions: match.positions, score: score + match.score + preferred }] : [];
    });
    return found.sort(byScore).slice(0, limit);
  }

  private push(path: string): void {
    const lower = path.toLowerCase();
    this.paths.push(path);
    this.lower.push(lower);
    const nameStart = lower.lastIndexOf('/') + 1;
    const nameLetters = lettersOf(lower, nameStart, lower.length);
    this.names.push(nameStart);
    this.nameLetters.push(nameLetters);
    this.letters.push(nameLetters | lettersOf(lower, 0, nameStart));
  }

  private roughMatches(wanted: string): readonly Rough[] {
    const letters = lettersOf(wanted, 0, wanted.length);
    const { last } = this;
    // A path that does not match the beginning of a query does not match the query.
    const within = last && wanted.startsWith(last.wanted) && last.size === this.paths.length ? last.fitting : undefined;
    const count = within?.length ?? this.paths.length;
    const fitting = new Uint32Array(count);
    let fits = 0;
    const best: Rough[] = [];
    let worst = 0;
    for (let at = 0; at < count; at++) {
      const index = within?.[at] ?? at;
      if (((this.letters[index] ?? 0) & letters) !== letters) continue;
      const isInName = ((this.nameLetters[index] ?? 0) & letters) === letters;
      const score = roughScore(wanted, this.lower[index] ?? '', isInName ? (this.names[index] ?? 0) : undefined);
      if (score === 0) continue;
      fitting[fits++] = index;
      if (score <= worst) continue;
      best.push({ index, score });
      if (best.length < 4 * CLOSE_LOOK) continue;
      // Sorts only now and then, because most queries match thousands of paths.
      best.sort(byScore).splice(CLOSE_LOOK);
      worst = best.at(-1)?.score ?? 0;
    }
    this.last = { wanted, fitting: fitting.subarray(0, fits), size: this.paths.length };
    return best.sort(byScore).slice(0, CLOSE_LOOK);
  }

  /** Matches the name if it contains the whole query, else the whole path. */
  private closeMatch(query: string, path: string, nameStart: number): FuzzyMatch | undefined {
    const inName = fuzzyMatch(query, path.slice(nameStart));
    if (inName) return { ...inName, positions: inName.positions.map((at) => at + nameStart) };
    return fuzzyMatch(query, path);
  }
}

interface Rough {
  readonly index: number;
  readonly score: number;
}

const PREFERRED = 60;
const IN_NAME = 200;
const IN_PATH = 100;
const SCATTERED_IN_NAME = 120;
const SCATTERED = 20;
/** A short path is meant more often than one with a thousand neighbors. */
const LENGTH_COST = 0.2;

/** Returns 0 if the path does not match. `nameStart` is undefined if the name lacks characters of the query. */
function roughScore(wanted: string, path: string, nameStart: number | undefined): number {
  const kind = (nameStart === undefined ? 0 : nameKind(wanted, path, nameStart)) || pathKind(wanted, path);
  return kind === 0 ? 0 : Math.max(1, kind - path.length * LENGTH_COST);
}

function nameKind(wanted: string, path: string, nameStart: number): number {
  const at = path.indexOf(wanted, nameStart);
  if (at >= 0) {
    const isWhole = path.length === nameStart + wanted.length;
    return IN_NAME + (at === nameStart ? IN_PATH : 0) + (isWhole ? IN_PATH : 0);
  }
  return isScattered(wanted, path, nameStart) ? SCATTERED_IN_NAME : 0;
}

function pathKind(wanted: string, path: string): number {
  if (path.includes(wanted)) return IN_PATH;
  return isScattered(wanted, path, 0) ? SCATTERED : 0;
}

/** Compares inline, because this runs for every path and a function call per character would dominate the time. */
function isScattered(wanted: string, path: string, start: number): boolean {
  let next = 0;
  for (let at = start; at < path.length && next < wanted.length; at++) {
    if (path.charCodeAt(at) === wanted.charCodeAt(next)) next += 1;
  }
  return next === wanted.length;
}

function byScore(left: { readonly score: number }, right: { readonly score: number }): number {
  return right.score - left.score;
}

const FIRST_LETTER = 97;
const LETTERS = 26;
const FIRST_DIGIT = 48;
const LAST_DIGIT = 57;

/** One bit for each letter and one each for digits, dots, slashes and all others. More would not be a small integer. */
function lettersOf(text: string, from: number, to: number): number {
  let bits = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code >= FIRST_LETTER && code < FIRST_LETTER + LETTERS) bits |= 1 << (code - FIRST_LETTER);
    else if (code >= FIRST_DIGIT && code <= LAST_DIGIT) bits |= 1 << 26;
    else if (code === DOT) bits |= 1 << 27;
    else if (code === SLASH) bits |= 1 << 28;
    else bits |= 1 << 29;
  }
  return bits;
}

const DOT = 46;
const SLASH = 47;
