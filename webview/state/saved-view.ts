import * as z from 'zod/mini';
import type { ComposerState } from './composer-state.ts';
import type { Disclosures } from './disclosures.ts';
import { draftSchema } from './drafts.ts';
import { savedEdit } from './editing.ts';
import type { InputModel } from './input-model.ts';
import { type KeptAnswers, keptAnswerSchema } from './kept-answers.ts';
import { leftPlaceSchema, type Places, placeSchema, type ReadingPlace } from './places.ts';
import type { Sheets } from './sheets.ts';

/** What survives while the view is hidden. The conversation itself comes again from the host. */
const savedViewSchema = z.object({
  version: z.literal(1),
  /** In ms since the epoch: the newest counts. */
  savedAt: z.optional(z.number()),
  draft: z.string(),
  held: z.optional(z.string()),
  lastRef: z.int(),
  /** Whose draft it is; absent for the session that the next message begins. */
  session: z.optional(z.string()),
  /** Of sessions that are not shown. */
  drafts: z.optional(z.array(draftSchema)),
  pending: z.optional(z.object({ ref: z.int(), text: z.string(), after: z.optional(z.string()) })),
  /** Where the reader is; absent at the end. */
  place: z.optional(placeSchema),
  /** And where they were in sessions that are not shown. */
  places: z.optional(z.array(leftPlaceSchema)),
  opened: z.array(z.string()),
  /** A message of the user's that is being changed where it stands. */
  editing: z.optional(z.object({ messageId: z.string(), text: z.string() })),
  /** Of questions that wait. */
  answers: z.optional(z.array(keptAnswerSchema)),
});

export type SavedView = z.infer<typeof savedViewSchema>;

export const NOTHING_SAVED: SavedView = { version: 1, draft: '', lastRef: 0, opened: [] };

/** State written by another version of the extension counts as none. */
export function parseSavedView(value: unknown): SavedView {
  const parsed = savedViewSchema.safeParse(value);
  return parsed.success ? parsed.data : NOTHING_SAVED;
}

interface Kept {
  readonly composer: ComposerState;
  readonly input: InputModel;
  readonly place: ReadingPlace | undefined;
  readonly places: Places;
  readonly sheets: Sheets;
  readonly disclosures: Disclosures;
  readonly answers: KeptAnswers;
}

/** What of the panel survives while it is hidden. */
export function viewToSave({ composer, input, place, places, sheets, disclosures, answers }: Kept): SavedView {
  const { draft, held, lastRef, pending } = composer;
  return {
    version: 1,
    draft,
    lastRef,
    ...(input.session !== '' && { session: input.session }),
    drafts: [...input.drafts],
    ...(held !== undefined && { held }),
    ...(pending && { pending: { ...pending } }),
    ...(place && { place }),
    ...(places.list.length > 0 && { places: [...places.list] }),
    ...savedEdit(sheets.editing),
    opened: disclosures.list(),
    answers: answers.list(),
  };
}
