import { join } from 'node:path';
import { looksSecret } from '../../policy/secret-files.ts';
import { grepArguments, type IgnoreSources } from './grep-arguments.ts';
import { type GrepArguments, MOST_MATCHES, maxMatches } from './grep-query.ts';
import { plainFiles, type RipgrepEnd, type RipgrepHome, runRipgrep } from './ripgrep.ts';
import { type MatchedFile, MatchedFiles } from './ripgrep-events.ts';
import type { SearchPlace } from './search-place.ts';

/** The results of a search before they are limited to the requested number. */
export interface GrepFindings {
  readonly files: readonly LocatedFile[];
  readonly problem?: string;
  /** The search ended early because it found more than enough. */
  readonly hasMore: boolean;
  readonly timedOut: boolean;
  readonly skippedSome: boolean;
  readonly binary: number;
  readonly tooLong: number;
}

export interface LocatedFile extends MatchedFile {
  /** Real and absolute. */
  readonly realPath: string;
  readonly label: string;
}

/** Searches one place and keeps the results that may be shown. */
export async function grepPlace(
  home: RipgrepHome,
  asked: GrepArguments,
  place: SearchPlace,
  signal: AbortSignal,
): Promise<GrepFindings> {
  const args = place.isExempt ? { ...asked, no_ignore: true } : asked;
  const files = await ruleFiles(args, place);
  const found = await searchOnce(home, args, place, { files, inFolders: true }, signal);
  return found.isHeldUp ? searchOnce(home, args, place, { files, inFolders: false }, signal) : found;
}

async function searchOnce(
  home: RipgrepHome,
  args: GrepArguments,
  place: SearchPlace,
  ignore: IgnoreSources,
  signal: AbortSignal,
): Promise<GrepFindings & Pick<RipgrepEnd, 'isHeldUp'>> {
  const files: LocatedFile[] = [];
  const enough = args.exclude_pattern === undefined ? maxMatches(args) : MOST_MATCHES;
  let matches = 0;
  let judging = Promise.resolve();
  let stop = (): void => undefined;
  const take = async (file: MatchedFile): Promise<void> => {
    if (matches > enough || !(await mayShow(file.path, place))) return;
    files.push({ ...file, realPath: join(place.realRoot, file.path), label: place.label(file.path) });
    matches += matchesIn(file);
    if (matches > enough) stop();
  };
  const found = new MatchedFiles((file) => {
    judging = judging.then(() => take(file));
  });
  const end = await runRipgrep(home, {
    args: grepArguments(args, place, ignore),
    paths: [`./${place.relativePath}`],
    folder: place.realRoot,
    signal,
    onOutput: (chunk, stopRipgrep) => {
      stop = stopRipgrep;
      found.add(chunk);
    },
  });
  await judging;
  return {
    files,
    ...(end.problem === undefined ? {} : { problem: end.problem }),
    hasMore: matches > enough || end.overflowed,
    timedOut: end.timedOut,
    isHeldUp: end.isHeldUp,
    skippedSome: end.skippedSome,
    binary: found.binary,
    tooLong: found.tooLong,
  };
}

export function matchesIn({ lines }: MatchedFile): number {
  return lines.reduce((count, line) => (line.isMatch ? count + 1 : count), 0);
}

/** A single file was already checked when the place was found. */
async function mayShow(path: string, place: SearchPlace): Promise<boolean> {
  if (place.isFile) return true;
  return !looksSecret(path) && !(await place.judge(path)).hidden;
}

/** Relative to the root, where ripgrep starts. */
async function ruleFiles(
  { no_ignore }: GrepArguments,
  { realRoot, isExempt }: SearchPlace,
): Promise<readonly string[]> {
  if (isExempt) return [];
  return plainFiles(realRoot, no_ignore ? ['.geminiignore'] : ['.gitignore', '.geminiignore']);
}
