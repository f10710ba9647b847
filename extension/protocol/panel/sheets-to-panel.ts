import * as z from 'zod/mini';

/** What the host says to the sheets of the panel: the stored sessions, and what going back to a message would do. */

/** What a session is at, when there is something to say of it. */
export const SESSION_TAGS = ['needsYou', 'running', 'newAnswer', 'commandRuns', 'otherWindow', 'stopped'] as const;

/** A stored session in a list. */
const sessionItemSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  /** In ms since the epoch. */
  updatedAt: z.number(),
  messages: z.number(),
  pinned: z.boolean(),
  /** The name of its folder, when that is not the one open here. */
  elsewhere: z.optional(z.string()),
  /** The one in the panel. */
  current: z.boolean(),
  tag: z.optional(z.enum(SESSION_TAGS)),
  /** Why it stopped, in a few words. */
  why: z.optional(z.string()),
  /** The title of the one that it is a copy of. */
  forkOf: z.optional(z.string()),
  /** Why it cannot be opened; it can only be thrown away. */
  problem: z.optional(z.string()),
});

/** Where the words are in what was said in a session. */
const sessionHitSchema = z.strictObject({ id: z.string(), before: z.string(), match: z.string(), after: z.string() });

export const REWIND_FILE_KINDS = ['restore', 'remove', 'changed', 'lost', 'blocked'] as const;

const rewindFileSchema = z.strictObject({
  path: z.string(),
  /** As people read it: relative to the workspace. */
  label: z.string(),
  kind: z.enum(REWIND_FILE_KINDS),
  /** What putting it back would do to its lines, where that is known. */
  lines: z.optional(z.strictObject({ added: z.number(), removed: z.number() })),
  /** It was not there then. */
  removes: z.boolean(),
  /** Why it cannot be put back. */
  reason: z.optional(z.string()),
});

const rewindPreviewSchema = z.strictObject({
  messageId: z.string(),
  text: z.string(),
  /** When it was said, in ms since the epoch. */
  at: z.optional(z.number()),
  /** Which message of the user's it is, counted from 1, and how many there are. */
  turn: z.int(),
  turns: z.int(),
  /** Calls of tools that leave the conversation. */
  calls: z.int(),
  /** What was allowed for the session since, and counts no more. */
  grants: z.array(z.string()),
  files: z.array(rewindFileSchema),
  /** Commands that ran since. */
  commands: z.array(z.string()),
  /** Why files stay as they are, whatever is chosen. */
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
  /** The answer to `rewind`: what was wanted is done. */
  z.strictObject({ type: z.literal('rewound'), messageId: z.string() }),
] as const;

export type SessionItem = z.infer<typeof sessionItemSchema>;
export type SessionTag = NonNullable<SessionItem['tag']>;
export type SessionHit = z.infer<typeof sessionHitSchema>;
export type RewindPreview = z.infer<typeof rewindPreviewSchema>;
export type RewindFile = z.infer<typeof rewindFileSchema>;
