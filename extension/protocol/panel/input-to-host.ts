import * as z from 'zod/mini';

/** Messages from the input to the host: searches, choices, pasted and dropped content, and commands. */

/** Longer than any sensible query or file name. */
const MAX_QUERY = 1000;
/** The maximum number of files in one drop. */
const MAX_URIS = 100;
/** The base64 size of the largest attachment that fits into a request (`attached-media.ts`), with some room. */
const MAX_DATA = 16 * 1024 * 1024;
const MAX_PREVIEW = 64 * 1024;

/** Creates the schemas for the first message, as for all messages that the host parses. */
export function inputToHost() {
  const short = z.string().check(z.maxLength(MAX_QUERY));
  return [
    /** Answered with `suggestions`. Only the latest request counts. */
    z.strictObject({
      type: z.literal('suggest'),
      id: z.int(),
      about: z.enum(['mention', 'command']),
      query: short,
    }),
    /** Adds a suggested item as an attachment. */
    z.strictObject({ type: z.literal('mention'), id: short }),
    /** A message that begins with a slash. Answered with `sent`, as `send` is. */
    z.strictObject({
      type: z.literal('slash'),
      ref: z.int(),
      text: z.string().check(z.maxLength(MAX_DATA)),
    }),
    /** Opens the link of the last notice that has this name. */
    z.strictObject({ type: z.literal('openNotice'), link: short }),
    /** Attaches files dropped from the Explorer or from another list of VS Code. */
    z.strictObject({
      type: z.literal('attachUris'),
      uris: z.array(z.string().check(z.maxLength(8192))).check(z.maxLength(MAX_URIS)),
    }),
    /** Attaches data that was pasted, or dropped from outside VS Code. */
    z.strictObject({
      type: z.literal('attachData'),
      name: short,
      /** The content in base64. */
      data: z.string().check(z.maxLength(MAX_DATA)),
      /** A thumbnail as a data: URL. */
      preview: z.optional(z.string().check(z.maxLength(MAX_PREVIEW))),
    }),
  ] as const;
}
