import * as z from 'zod/mini';

/** What the sheets of the panel say to the host: about stored sessions, and about going back to a message. */

/** More is no query, no title and no id. */
const MAX_SHORT = 1000;
const MAX_PATH = 32_768;
const MAX_TEXT = 16 * 1024 * 1024;
/** More files than one session changes. */
const MAX_FILES = 10_000;

/** What goes back: the conversation, the files, both; or neither, and a session of its own begins there. */
export const REWIND_WAYS = ['both', 'conversation', 'files', 'fork'] as const;
export type RewindWay = (typeof REWIND_WAYS)[number];

/** Made for the first message, as all that the host parses. */
export function sheetsToHost() {
  const short = z.string().check(z.maxLength(MAX_SHORT));
  const paths = z.array(z.string().check(z.maxLength(MAX_PATH))).check(z.maxLength(MAX_FILES));
  return [
    /** Answered with `sessions`, and again whenever they change. */
    z.strictObject({ type: z.literal('listSessions') }),
    /** Words that are in what was said. Answered with `sessionsFound` carrying the same `ref`; only the last one counts. */
    z.strictObject({ type: z.literal('searchSessions'), ref: z.int(), query: short }),
    z.strictObject({ type: z.literal('resume'), id: short }),
    z.strictObject({ type: z.literal('renameSession'), id: short, title: short }),
    z.strictObject({ type: z.literal('pinSession'), id: short, pinned: z.boolean() }),
    /** A copy that continues from where it is now. */
    z.strictObject({ type: z.literal('forkSession'), id: short }),
    z.strictObject({ type: z.literal('exportSession'), id: short }),
    /** To the trash; the host offers to undo it and sends `sessions` again. */
    z.strictObject({ type: z.literal('deleteSession'), id: short }),
    /** What going back to before this message would do. Answered with `rewindPreview` or `rewindRefused`. */
    z.strictObject({ type: z.literal('rewindPreview'), messageId: short }),
    /** Answered with `rewound` or `rewindRefused`. */
    z.strictObject({
      type: z.literal('rewind'),
      messageId: short,
      what: z.enum(REWIND_WAYS),
      /** Files to put back although somebody else changed them, by their paths. */
      overwrite: paths,
    }),
    /** Shows what would become of a file, or of all of them, as a diff. */
    z.strictObject({
      type: z.literal('compareRewind'),
      messageId: short,
      path: z.optional(z.string().check(z.maxLength(MAX_PATH))),
    }),
    /** All that a subagent does. Answered with `thread`, and again as it continues, until it is closed or another is opened. */
    z.strictObject({ type: z.literal('openThread'), threadId: short }),
    /** As `window`, in the thread that is open. */
    z.strictObject({ type: z.literal('threadWindow'), around: z.int() }),
    z.strictObject({ type: z.literal('closeThread') }),
    /** Goes back to before a message and says this instead of it. Answered as `send` is. */
    z.strictObject({
      type: z.literal('resend'),
      ref: z.int(),
      messageId: short,
      text: z.string().check(z.maxLength(MAX_TEXT)),
      what: z.enum(['both', 'conversation']),
      overwrite: paths,
    }),
  ] as const;
}
