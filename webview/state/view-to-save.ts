import { savedEdit } from './editing.ts';
import type { PanelModel } from './panel-model.ts';
import type { SavedView } from './saved-view.ts';

type Kept = Pick<PanelModel, 'composer' | 'input' | 'place' | 'places' | 'sheets' | 'disclosures' | 'answers'>;

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
