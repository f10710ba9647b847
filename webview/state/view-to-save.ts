import type { ComposerState } from './composer-state.ts';
import type { Disclosures } from './disclosures.ts';
import { savedEdit } from './editing.ts';
import type { InputModel } from './input-model.ts';
import type { KeptAnswers } from './kept-answers.ts';
import type { Places, ReadingPlace } from './places.ts';
import type { SavedView } from './saved-view.ts';
import type { Sheets } from './sheets.ts';

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
