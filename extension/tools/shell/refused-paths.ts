import { resolve } from 'node:path';

/** Messages of programs that the system didn't allow to change something. */
export const REFUSED =
  /read-only file system|\bEROFS\b|permission denied|\bEACCES\b|operation not permitted|\bEPERM\b|device or resource busy|not writable/i;

/** Nobody looks at more, and each path is looked up on the disk. */
const MAX_PATHS = 20;
const MAX_PATH_CHARS = 1000;
/** Only the end of the output counts, because programs say last why they give up. */
const MAX_CHARS = 20_000;
const MAX_LINE_CHARS = 2000;
/** Cargo names the path above its reasons, with a blank line and "Caused by:" in between. */
const LINES_ABOVE = 3;

/**
 * The absolute paths that a program says it couldn't change, the last ones first. The program may be wrong or lie, so
 * the sandbox's policy decides whether it blocked each path.
 */
export function refusedPaths(output: string, folder: string): readonly string[] {
  const lines = output
    .slice(-MAX_CHARS)
    .split('\n')
    .map((line) => line.trim().slice(0, MAX_LINE_CHARS));
  const found = new Set<string>();
  for (const index of [...lines.keys()].reverse()) {
    if (found.size >= MAX_PATHS) break;
    for (const path of pathsAt(lines, index).filter(isPath)) found.add(resolve(folder, path));
  }
  return [...found].slice(0, MAX_PATHS);
}

/** npm gives the reason on a line above: "npm error code EROFS". */
const OF_NPM = /^npm (?:error|ERR!) path (\S.*)$/;

function pathsAt(lines: readonly string[], index: number): readonly string[] {
  const line = lines[index] ?? '';
  const ofNpm = OF_NPM.exec(line)?.[1];
  const above = lines.slice(Math.max(0, index - LINES_ABOVE), index);
  if (ofNpm !== undefined) return above.some((each) => REFUSED.test(each)) ? [ofNpm] : [];
  if (!REFUSED.test(line)) return [];
  return above.at(-1) === 'Caused by:' ? pathsAbove(above) : pathsIn(line);
}

/** The quotes of shells, coreutils, Python, Node and Cargo. */
const QUOTED = /'([^']+)'|‘([^’]+)’|"([^"]+)"|`([^`]+)`/g;
const ABSOLUTE = /(?<![\w/.])\/[^\s:'"`‘’()]+/g;
/** "tee: out/x: Read-only file system", "bash: line 1: x: Permission denied", "Cannot open x: …". */
const BEFORE_REASON =
  /([^\s:][^:]*?):\s*(?:cannot (?:open|mkdir|create)\s*:\s*)?(?:read-only file system|permission denied|operation not permitted|device or resource busy)/i;
/** "zsh:1: read-only file system: x". */
const AFTER_REASON = /(?:read-only file system|permission denied|operation not permitted)\s*:\s*(\S.*)$/i;

function pathsIn(line: string): readonly string[] {
  const quoted = [...line.matchAll(QUOTED)].flatMap((match) => match.slice(1).find((text) => text !== undefined) ?? []);
  if (quoted.length > 0) return quoted;
  // A program that prints its own name prints it first.
  const absolute = line.match(ABSOLUTE)?.at(-1);
  if (absolute !== undefined) return [absolute];
  // "could not lock config file .git/config: …"
  const before = BEFORE_REASON.exec(line)?.[1]?.trim().split(/\s+/).at(-1);
  return [AFTER_REASON.exec(line)?.[1] ?? before ?? []].flat();
}

function pathsAbove(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.match(ABSOLUTE)?.at(-1) ?? []).slice(-1);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a path that would be shown as another one is none to allow.
const CONTROLS = /[\0-\x1f\x7f]/;

function isPath(text: string): boolean {
  return text.length <= MAX_PATH_CHARS && !CONTROLS.test(text) && !/^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}
