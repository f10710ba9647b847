import * as z from 'zod/mini';
import type { ComposerState } from './composer-state.ts';

export const draftSchema = z.object({
  /** Empty for the session that the next message starts. */
  session: z.string(),
  draft: z.string(),
  held: z.optional(z.string()),
});

/** A draft in a session that is not shown. */
export type Draft = z.infer<typeof draftSchema>;

/** The maximum number of drafts; those of the most recently shown sessions are kept. */
const MOST = 30;

/** When another session is shown, stores the draft of the old session and restores that of the new one. */
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
