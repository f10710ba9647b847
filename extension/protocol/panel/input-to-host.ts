import * as z from 'zod/mini';

/** What the input says to the host: what is searched for, chosen, pasted and dropped, and commands. */

/** More is no query and no name of a file. */
const MAX_QUERY = 1000;
/** Files of one drop. */
const MAX_URIS = 100;
/** Base64 of what fits into a request (`attached-media.ts`), and what belongs to it. */
const MAX_DATA = 16 * 1024 * 1024;
const MAX_PREVIEW = 64 * 1024;

/** Made for the first message, as all that the host parses. */
export function inputToHost() {
  const short = z.string().check(z.maxLength(MAX_QUERY));
  return [
    /** Answered with `suggestions`; only the last one asked for counts. */
    z.strictObject({
      type: z.literal('suggest'),
      id: z.int(),
      about: z.enum(['mention', 'command']),
      query: short,
    }),
    /** Puts what was suggested beside the input. */
    z.strictObject({ type: z.literal('mention'), id: short }),
    /** A message that begins with a slash. Answered as `send` is. */
    z.strictObject({
      type: z.literal('slash'),
      ref: z.int(),
      text: z.string().check(z.maxLength(MAX_DATA)),
    }),
    /** What the last notice offered under this name. */
    z.strictObject({ type: z.literal('openNotice'), link: short }),
    /** Dropped from the Explorer or from a list of VS Code. */
    z.strictObject({
      type: z.literal('attachUris'),
      uris: z.array(z.string().check(z.maxLength(8192))).check(z.maxLength(MAX_URIS)),
    }),
    /** Pasted, or dropped from outside of VS Code. */
    z.strictObject({
      type: z.literal('attachData'),
      name: short,
      /** Base64. */
      data: z.string().check(z.maxLength(MAX_DATA)),
      /** A small picture of it, as a data: address. */
      preview: z.optional(z.string().check(z.maxLength(MAX_PREVIEW))),
    }),
  ] as const;
}
