import * as z from 'zod/mini';

/** The first visible entry, and the distance of its top from the top of the viewport. */
export const placeSchema = z.object({ id: z.string(), offset: z.number() });
export type ReadingPlace = z.infer<typeof placeSchema>;

export const leftPlaceSchema = z.object({
  session: z.string(),
  place: placeSchema,
  /** The index of the entry in the conversation, which only grows while it is not shown. */
  index: z.int(),
});
export type LeftPlace = z.infer<typeof leftPlaceSchema>;

/** The maximum number of places; those of the most recently shown sessions are kept. */
const MOST = 30;

/** The reading positions in sessions that are not shown. A reader who was at the end returns to the end. */
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

  /** Removes and returns the place, which becomes the current reading position. */
  takeBack(session: string): LeftPlace | undefined {
    const back = this.left.find((other) => other.session === session);
    this.left = this.left.filter((other) => other !== back);
    return back;
  }
}
