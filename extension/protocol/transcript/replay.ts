import * as z from 'zod/mini';
import { entrySchema } from './transcript-entry.ts';

/** A conversation in a file of its own, which can only be read. */
const replaySchema = z.strictObject({
  title: z.string(),
  /** When the file was made, in ms since the epoch. */
  madeAt: z.number(),
  entries: z.array(entrySchema),
});

export type Replay = z.infer<typeof replaySchema>;

/** Where the page keeps it, for its own script to read. */
export const REPLAY_DATA = 'gantry-replay';

/** Without `new Function`, which the policy of the page forbids. */
export function readReplay(text: string): Replay {
  return replaySchema.parse(JSON.parse(text), { jitless: true });
}
