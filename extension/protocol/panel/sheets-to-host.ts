import * as z from 'zod/mini';

/** Messages from the sheets of the panel to the host: about stored sessions, and about rewinding to a message. */

/** Longer than any sensible query, title or id. */
const MAX_SHORT = 1000;
const MAX_PATH = 32_768;
const MAX_TEXT = 16 * 1024 * 1024;
/** More files than one session changes. */
const MAX_FILES = 10_000;

/** What to rewind: the conversation, the files, or both. `fork` changes neither and starts a new session from there. */
export const REWIND_WAYS = ['both', 'conversation', 'files', 'fork'] as const;
export type RewindWay = (typeof REWIND_WAYS)[number];

/** Creates the schemas for the first message, as for all messages that the host parses. */
export function sheetsToHost() {
  const short = z.string().check(z.maxLength(MAX_SHORT));
  const paths = z.array(z.string().check(z.maxLength(MAX_PATH))).check(z.maxLength(MAX_FILES));
  return [
    /** Answered with `sessions`, and again whenever they change. */
    z.strictObject({ type: z.literal('listSessions') }),
    /**
     * Searches the messages of all sessions. Answered with `sessionsFound` with the same `ref`; only the last one
     * counts.
     */
    z.strictObject({ type: z.literal('searchSessions'), ref: z.int(), query: short }),
    z.strictObject({ type: z.literal('resume'), id: short }),
    z.strictObject({ type: z.literal('renameSession'), id: short, title: short }),
    z.strictObject({ type: z.literal('pinSession'), id: short, pinned: z.boolean() }),
    /** Creates a copy that continues from the current state. */
    z.strictObject({ type: z.literal('forkSession'), id: short }),
    z.strictObject({ type: z.literal('exportSession'), id: short }),
    /** Moves the session to the trash. The host offers to undo it and sends `sessions` again. */
    z.strictObject({ type: z.literal('deleteSession'), id: short }),
    /** Requests the effects of a rewind to before this message. Answered with `rewindPreview` or `rewindRefused`. */
    z.strictObject({ type: z.literal('rewindPreview'), messageId: short }),
    /** Answered with `rewound` or `rewindRefused`. */
    z.strictObject({
      type: z.literal('rewind'),
      messageId: short,
      what: z.enum(REWIND_WAYS),
      /** The paths of files to restore although they were changed by somebody else. */
      overwrite: paths,
    }),
    /** Shows the effect on one file, or on all files, as a diff. */
    z.strictObject({
      type: z.literal('compareRewind'),
      messageId: short,
      path: z.optional(z.string().check(z.maxLength(MAX_PATH))),
    }),
    /**
     * Opens the thread of a subagent. Answered with `thread`, repeatedly, until it is closed or another one is opened.
     */
    z.strictObject({ type: z.literal('openThread'), threadId: short }),
    /** Like `window`, for the open thread. */
    z.strictObject({ type: z.literal('threadWindow'), around: z.int() }),
    z.strictObject({ type: z.literal('closeThread') }),
    /** Rewinds to before a message and sends this text instead. Answered with `sent`, as `send` is. */
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
