import type { GrepArguments } from './grep-query.ts';
import type { GrepFindings, LocatedFile } from './grep-run.ts';
import { type RipgrepHome, runRipgrep } from './ripgrep.ts';
import { FoundFiles } from './ripgrep-events.ts';

export type KeptFiles = { readonly files: readonly LocatedFile[] } | { readonly problem: string };

/**
 * Leaves out the matches that match `exclude_pattern`. ripgrep does that as well: its expressions take linear time, while
 * one of JavaScript can be made to block the whole extension host.
 */
export async function withoutExcluded(
  home: RipgrepHome,
  { exclude_pattern, case_sensitive }: GrepArguments,
  { files }: Pick<GrepFindings, 'files'>,
  folder: string,
  signal: AbortSignal,
): Promise<KeptFiles> {
  if (exclude_pattern === undefined || files.length === 0) return { files };
  const matches = files.flatMap(({ lines }) => lines.filter((line) => line.isMatch));
  const excluded = new Set<unknown>();
  const found = new FoundFiles(({ lines }) => {
    for (const { number } of lines) excluded.add(matches[number - 1]);
  });
  const { problem, timedOut } = await runRipgrep(home, {
    args: [
      '--json',
      '--text',
      '--encoding=none',
      case_sensitive ? '--case-sensitive' : '--ignore-case',
      `--regexp=${exclude_pattern}`,
    ],
    input: matches.map(({ text }) => `${text.replaceAll('\n', ' ')}\n`).join(''),
    folder,
    signal,
    onOutput: (chunk) => found.add(chunk),
  });
  if (problem !== undefined || timedOut) return { problem: problem ?? 'it took too long' };
  const kept = files.map((file) => ({ ...file, lines: file.lines.filter((line) => !excluded.has(line)) }));
  return { files: kept.filter(({ lines }) => lines.some((line) => line.isMatch)) };
}
