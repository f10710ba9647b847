import * as z from 'zod/mini';
import type { ComposerState } from './composer-state.ts';

export const draftSchema = z.object({
  /** Empty for the session that the next message begins. */
  session: z.string(),
  draft: z.string(),
  held: z.optional(z.string()),
});

/** What was written and not sent in a session that is not shown. */
export type Draft = z.infer<typeof draftSchema>;

/** Those of the sessions that were shown last. */
const MOST = 30;

/** Another session is shown: what was written stays with its own, and what was written in the other one is there again. */
export function switchedDrafts(
  drafts: readonly Draft[],
  from: string,
  to: string,
  composer: ComposerState,
): { readonly drafts: readonly Draft[]; readonly composer: ComposerState } {
  const others = drafts.filter(({ session }) => session !== from && session !== to);
  const { draft, held } = composer;
  const left: Draft = { session: from, draft, ...(held !== undefined && { held }) };
  const back = drafts.find(({ session }) => session === to);
  const isWritten = draft !== '' || held !== undefined;
  return {
    drafts: [...others, ...(isWritten ? [left] : [])].slice(-MOST),
    composer: { ...composer, draft: back?.draft ?? '', held: back?.held, refusal: undefined },
  };
}
