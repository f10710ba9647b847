import * as z from 'zod/mini';

/** Messages from the host to the sheets of the panel: the stored sessions, and the effects of a rewind. */

/** The states of a session that the list shows. */
export const SESSION_TAGS = ['needsYou', 'running', 'newAnswer', 'commandRuns', 'otherWindow', 'stopped'] as const;

/** A stored session in a list. */
const sessionItemSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  /** The time of the last change, in ms since the epoch. */
  updatedAt: z.number(),
  messages: z.number(),
  pinned: z.boolean(),
  /** The name of its folder, if that isn't the open one. */
  elsewhere: z.optional(z.string()),
  /** True for the session that the panel shows. */
  current: z.boolean(),
  tag: z.optional(z.enum(SESSION_TAGS)),
  /** A short reason why the session stopped. */
  why: z.optional(z.string()),
  /** The title of the session that this one was forked from. */
  forkOf: z.optional(z.string()),
  /** Why the session cannot be opened. It can only be deleted. */
  problem: z.optional(z.string()),
});

/** A match in the messages of a session, with its context. */
const sessionHitSchema = z.strictObject({ id: z.string(), before: z.string(), match: z.string(), after: z.string() });

export const REWIND_FILE_KINDS = ['restore', 'remove', 'changed', 'lost', 'blocked'] as const;

const rewindFileSchema = z.strictObject({
  path: z.string(),
  /** The path as it is displayed, relative to the workspace. */
  label: z.string(),
  kind: z.enum(REWIND_FILE_KINDS),
  /** The numbers of lines that restoring the file would add and remove, if known. */
  lines: z.optional(z.strictObject({ added: z.number(), removed: z.number() })),
  /** True if the file did not exist then, so a rewind removes it. */
  removes: z.boolean(),
  /** Why the file cannot be restored. */
  reason: z.optional(z.string()),
});

const rewindPreviewSchema = z.strictObject({
  messageId: z.string(),
  text: z.string(),
  /** When the message was sent, in ms since the epoch. */
  at: z.optional(z.number()),
  /** The position of the message among the user's messages, counted from 1, and their number. */
  turn: z.int(),
  turns: z.int(),
  /** The number of tool calls that the rewind removes from the conversation. */
  calls: z.int(),
  /** Grants for the session that were given since and become void. */
  grants: z.array(z.string()),
  files: z.array(rewindFileSchema),
  /** Commands that ran since the message. */
  commands: z.array(z.string()),
  /** Why files are not restored, whatever the user chooses. */
  filesStay: z.optional(z.string()),
});

export const sheetsToPanel = [
  z.strictObject({ type: z.literal('sessions'), sessions: z.array(sessionItemSchema) }),
  /** The answer to `searchSessions` with the same `ref`. */
  z.strictObject({ type: z.literal('sessionsFound'), ref: z.int(), hits: z.array(sessionHitSchema) }),
  /** The answer to `rewindPreview`. */
  z.strictObject({ type: z.literal('rewindPreview'), preview: rewindPreviewSchema }),
  z.strictObject({
    type: z.literal('rewindRefused'),
    messageId: z.string(),
    title: z.string(),
    detail: z.string(),
  }),
  /** The answer to `rewind` if it succeeded. */
  z.strictObject({ type: z.literal('rewound'), messageId: z.string() }),
] as const;

export type SessionItem = z.infer<typeof sessionItemSchema>;
export type SessionTag = NonNullable<SessionItem['tag']>;
export type SessionHit = z.infer<typeof sessionHitSchema>;
export type RewindPreview = z.infer<typeof rewindPreviewSchema>;
export type RewindFile = z.infer<typeof rewindFileSchema>;
