import * as z from 'zod/mini';
import { APPROVAL_MODES } from './approval-mode.ts';
import { attachmentSchema } from './attachment.ts';
import { todoItemSchema } from './todo-list.ts';
import { tokenColoursSchema } from './token-roles.ts';
import { entrySchema } from './transcript-entry.ts';

/** What the extension host says to the panel's webview, which parses it: the host may be another version after an update. */

const panelStateSchema = z.strictObject({
  title: z.string(),
  running: z.boolean(),
  /** When the running turn began, in ms since the epoch; a view that was hidden meanwhile cannot know. */
  startedAt: z.optional(z.number()),
  /** What the turn does now is to make a snapshot of the conversation. */
  compacting: z.optional(z.boolean()),
  /** "offline guide", or a model id, or "auto". */
  model: z.string(),
  /** Where it is asked and who vouches for the requests. */
  method: z.optional(z.string()),
  /** True when the offline guide answers. */
  offline: z.boolean(),
  approvalMode: z.enum(APPROVAL_MODES),
  /** Who else has this session open, so that it can only be read here. */
  heldBy: z.optional(z.string()),
  canUndoRewind: z.boolean(),
  /** Restricted Mode. */
  readOnly: z.boolean(),
  hasFolder: z.boolean(),
  /** How much of the model's window the conversation fills, in tokens. */
  context: z.strictObject({
    used: z.number(),
    window: z.number(),
    /** Old tool outputs that are in files instead. */
    masked: z.number(),
    /** Old pictures, documents and so on that are not sent any more. */
    leftOut: z.number(),
  }),
  /** The agent's list of steps; absent when there is none. */
  todos: z.optional(z.array(todoItemSchema)),
  /** The folder was trusted a moment ago: what the next run can do because of it. */
  trustNews: z.optional(
    z.strictObject({ lines: z.array(z.string()), actions: z.array(z.enum(['review-hooks', 'open-policies'])) }),
  ),
});

/** What of the editor would go with a message sent now. */
const editorChipSchema = z.strictObject({
  label: z.string(),
  /** All of it, in words. */
  summary: z.string(),
  included: z.boolean(),
});

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
});

/** A file whose change waits for a verdict. */
const reviewEntrySchema = z.strictObject({
  id: z.string(),
  label: z.string(),
  /** Whether it is in the file already. */
  style: z.enum(['proposed', 'applied']),
  isNew: z.boolean(),
  added: z.number(),
  removed: z.number(),
  /** Why it cannot simply be accepted or rejected. */
  conflict: z.optional(z.string()),
});

/** A change to the entries: one replaced or added whole, text appended at its end, or some gone. */
const changeSchema = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('put'), entry: entrySchema }),
  z.strictObject({ op: z.literal('append'), id: z.string(), text: z.string() }),
  z.strictObject({ op: z.literal('remove'), ids: z.array(z.string()) }),
]);

export const toPanelSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('state'), state: panelStateSchema }),
  /** The whole conversation: after `ready`, and when another session is shown. */
  z.strictObject({ type: z.literal('transcript'), entries: z.array(entrySchema) }),
  /** What changed since the last message, in order. */
  z.strictObject({ type: z.literal('changes'), changes: z.array(changeSchema) }),
  /** The answer to `send`. When it was refused the webview puts the text back into the input and shows why. */
  z.strictObject({
    type: z.literal('sent'),
    ref: z.int(),
    refused: z.optional(z.strictObject({ title: z.string(), detail: z.string() })),
  }),
  /** Put this text into the input (appended to a draft, never over it). */
  z.strictObject({ type: z.literal('insertText'), text: z.string() }),
  z.strictObject({ type: z.literal('focusInput') }),
  /** What goes with the next message. */
  z.strictObject({ type: z.literal('attachments'), attachments: z.array(attachmentSchema) }),
  /** Without a chip there is nothing of the editor to send. */
  z.strictObject({ type: z.literal('editor'), chip: z.optional(editorChipSchema) }),
  z.strictObject({ type: z.literal('review'), items: z.array(reviewEntrySchema) }),
  /** Bring the card of this question, or of the first that waits, into view and to the keyboard. */
  z.strictObject({ type: z.literal('focusApproval'), requestId: z.optional(z.string()) }),
  z.strictObject({ type: z.literal('sessions'), sessions: z.array(sessionItemSchema) }),
  /** The answer to `tokenColours`. */
  z.strictObject({ type: z.literal('tokenColours'), colours: tokenColoursSchema }),
]);

export type ToPanel = z.infer<typeof toPanelSchema>;
export type PanelState = z.infer<typeof panelStateSchema>;
export type EditorChip = z.infer<typeof editorChipSchema>;
export type SessionItem = z.infer<typeof sessionItemSchema>;
export type ReviewEntry = z.infer<typeof reviewEntrySchema>;
export type TranscriptChange = z.infer<typeof changeSchema>;
