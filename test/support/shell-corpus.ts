import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { repoRoot } from './repo.ts';

const entrySchema = z.strictObject({
  command: z.string(),
  /** Allowed beginnings of commands. */
  rules: z.array(z.string()),
  /** Everything is allowed by a rule, as the mode yolo does. */
  allow: z.boolean().optional(),
  mode: z.enum(['default', 'yolo']).optional(),
  expected: z.enum(['ask', 'allow']),
  /** The advisory or incident it comes from, or what it shows. */
  lesson: z.string(),
  /** Whether it makes a file called PWN here when bash runs it. */
  fires: z.boolean(),
  /** Why it is not run. */
  why: z.string().optional(),
  /** Where it is run, below the scratch folder. */
  folder: z.string().optional(),
});
/** A command of the corpus, with what should happen to it. */
export type ShellAttempt = z.infer<typeof entrySchema>;

/** Commands that look harmless, most of them from advisories, and harmless ones. */
export function shellCorpus(): readonly ShellAttempt[] {
  return z
    .array(entrySchema)
    .parse(JSON.parse(readFileSync(join(repoRoot, 'test', 'security', 'shell.corpus.json'), 'utf8')));
}
