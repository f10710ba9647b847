import type { Event } from '@google/adk';
import { z } from 'zod';

/** What is written down with an answer about the request it was given to. */
const noteSchema = z.object({
  model: z.string(),
  /** Tokens, before the server counted them. */
  estimated: z.number(),
  masked: z.object({ outputs: z.number(), tokens: z.number() }),
  /** How many pictures, documents and so on were omitted. */
  leftOut: z.number(),
});

export type ContextNote = z.infer<typeof noteSchema>;

const KEY = 'context';

export function noteMetadata(note: ContextNote): Record<string, unknown> {
  return { [KEY]: note };
}

/** Undefined for an event that is no answer, or was written by another version. */
export function contextNote({ customMetadata }: Pick<Event, 'customMetadata'>): ContextNote | undefined {
  const note = customMetadata?.[KEY];
  return note === undefined ? undefined : noteSchema.safeParse(note).data;
}
