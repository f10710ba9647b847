import * as z from 'zod/mini';

/** The entry at the top of what a reader sees, and how far below the top it begins. */
export const placeSchema = z.object({ id: z.string(), offset: z.number() });
export type ReadingPlace = z.infer<typeof placeSchema>;

export const leftPlaceSchema = z.object({
  session: z.string(),
  place: placeSchema,
  /** Of its entry in the conversation, which only grows while nobody looks at it. */
  index: z.int(),
});
export type LeftPlace = z.infer<typeof leftPlaceSchema>;

/** Those of the sessions that were shown last. */
const MOST = 30;

/** Where the reader was in sessions that are not shown. Whoever was at the end comes back to the end. */
export class Places {
  constructor(private left: readonly LeftPlace[] = []) {}

  get list(): readonly LeftPlace[] {
    return this.left;
  }

  leave(session: string, place: ReadingPlace | undefined, index: number): void {
    const others = this.left.filter((other) => other.session !== session);
    const isKept = place !== undefined && index >= 0 && session !== '';
    this.left = isKept ? [...others, { session, place, index }].slice(-MOST) : others;
  }

  /** Once: from now on it is where the reader is. */
  takeBack(session: string): LeftPlace | undefined {
    const back = this.left.find((other) => other.session === session);
    this.left = this.left.filter((other) => other !== back);
    return back;
  }
}
