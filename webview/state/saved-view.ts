import * as z from 'zod/mini';
import type { ComposerState } from './composer-state.ts';
import type { Disclosures } from './disclosures.ts';
import { savedEdit } from './editing.ts';
import { draftSchema, type InputModel } from './input-model.ts';
import { type KeptAnswers, keptAnswerSchema } from './kept-answers.ts';
import { leftPlaceSchema, type Places, placeSchema, type ReadingPlace } from './places.ts';
import type { Sheets } from './sheets.ts';

/** The state that is kept while the view is hidden. The host sends the conversation itself again. */
const savedViewSchema = z.object({
  version: z.literal(1),
  /** In ms since the epoch. The newest state is used. */
  savedAt: z.optional(z.number()),
  draft: z.string(),
  held: z.optional(z.string()),
  lastRef: z.int(),
  /** The session of the draft; absent for the session that the next message starts. */
  session: z.optional(z.string()),
  /** The drafts of sessions that are not shown. */
  drafts: z.optional(z.array(draftSchema)),
  pending: z.optional(z.object({ ref: z.int(), text: z.string(), after: z.optional(z.string()) })),
  /** The reading position; absent at the end. */
  place: z.optional(placeSchema),
  /** The reading positions in sessions that are not shown. */
  places: z.optional(z.array(leftPlaceSchema)),
  opened: z.array(z.string()),
  /** The user message that is being edited in place. */
  editing: z.optional(z.object({ messageId: z.string(), text: z.string() })),
  /** The input on cards of pending questions. */
  answers: z.optional(z.array(keptAnswerSchema)),
});

export type SavedView = z.infer<typeof savedViewSchema>;

export const NOTHING_SAVED: SavedView = { version: 1, draft: '', lastRef: 0, opened: [] };

/** State that another version of the extension wrote is ignored. */
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

/** The part of the panel's state that is kept while it is hidden. */
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
