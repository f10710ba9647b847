import * as z from 'zod';
import { once } from '../../base/once.ts';

export const DEFAULT_MAX_MATCHES = 100;
/** Nobody reads more matches, and they are kept in memory. */
export const MOST_MATCHES = 20_000;
const MAX_CONTEXT_LINES = 1000;

const contextLines = once(() => z.int().min(0).max(MAX_CONTEXT_LINES).optional());

export const grepSchema = once(() =>
  z.strictObject({
    pattern: z
      .string()
      .min(1)
      .describe('Regular expression in the syntax of Rust, without look-around and backreferences.'),
    dir_path: z
      .string()
      .min(1)
      .optional()
      .describe('Folder or file to search, relative to the workspace folder or absolute. Default: all open folders.'),
    include_pattern: z
      .string()
      .min(1)
      .optional()
      .describe('Only files that match this glob, such as "*.ts" or "src/**/*.{ts,tsx}".'),
    exclude_pattern: z
      .string()
      .min(1)
      .optional()
      .describe('Regular expression: matching lines that also match it are dropped from the result.'),
    names_only: z.boolean().optional().describe('Return only the paths of files with a match. Default: false.'),
    case_sensitive: z.boolean().optional().describe('Distinguish upper and lower case. Default: false.'),
    fixed_strings: z.boolean().optional().describe('Take pattern as plain text. Default: false.'),
    context: contextLines().describe('Lines to show before and after each match.'),
    before: contextLines().describe('Lines to show before each match.'),
    after: contextLines().describe('Lines to show after each match.'),
    no_ignore: z
      .boolean()
      .optional()
      .describe('Also search what .gitignore hides, and folders such as node_modules, dist and build. Default: false.'),
    max_matches_per_file: z.int().min(1).optional().describe('At most this many matches of each file.'),
    total_max_matches: z
      .int()
      .min(1)
      .optional()
      .describe(`At most this many matches in all. Default: ${DEFAULT_MAX_MATCHES}, at most ${MOST_MATCHES}.`),
  }),
);

export type GrepArguments = z.infer<ReturnType<typeof grepSchema>>;

export function maxMatches({ total_max_matches }: GrepArguments): number {
  return Math.min(total_max_matches ?? DEFAULT_MAX_MATCHES, MOST_MATCHES);
}
