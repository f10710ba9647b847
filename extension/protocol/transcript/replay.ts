import * as z from 'zod/mini';
import { entrySchema } from './transcript-entry.ts';

/** An exported conversation in a file, which is read-only. */
const replaySchema = z.strictObject({
  title: z.string(),
  /** When the file was created, in ms since the epoch. */
  madeAt: z.number(),
  entries: z.array(entrySchema),
});

export type Replay = z.infer<typeof replaySchema>;

/** The id of the element in which the page keeps the conversation for its own script. */
export const REPLAY_DATA = 'gantry-replay';

/** `jitless` avoids `new Function`, which the content security policy of the page forbids. */
export function readReplay(text: string): Replay {
  return replaySchema.parse(JSON.parse(text), { jitless: true });
}
