import type { Entry } from './transcript-entry.ts';

/** A change to the entries: one replaced or added whole, text appended at its end, or some gone. */
export type TranscriptChange =
  | { readonly op: 'put'; readonly entry: Entry }
  | { readonly op: 'append'; readonly id: string; readonly text: string }
  | { readonly op: 'remove'; readonly ids: readonly string[] };
