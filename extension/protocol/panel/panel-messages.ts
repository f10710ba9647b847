import * as z from 'zod/mini';
import { APPROVAL_MODES } from '../agent/approval-mode.ts';
import { shownAttachmentSchema } from '../agent/attachment.ts';
import { contextSharesSchema } from '../agent/context-shares.ts';
import { THINKING_WAYS } from '../agent/thinking.ts';
import { todoItemSchema } from '../agent/todo-list.ts';
import { entrySchema } from '../transcript/transcript-entry.ts';
import { inputToPanel } from './input-to-panel.ts';
import { sheetsToPanel } from './sheets-to-panel.ts';
import { tokenColoursSchema } from './token-roles.ts';

/**
 * Messages from the host to the panel's webview, which parses them: after an update, the host may be another version.
 */

const panelStateSchema = z.strictObject({
  title: z.string(),
  running: z.boolean(),
  /** When the running turn started, in ms since the epoch. A view that was hidden meanwhile cannot know it. */
  startedAt: z.optional(z.number()),
  /** True while the turn creates a snapshot of the conversation. */
  compacting: z.optional(z.boolean()),
  /** "offline guide", a model id, or "auto". */
  model: z.string(),
  /** The service that answers, and the credentials that are used. */
  method: z.optional(z.string()),
  /** True if the offline guide answers. */
  offline: z.boolean(),
  /** True if the setting selects the offline guide, even if there is an API key. */
  offlineBySetting: z.optional(z.boolean()),
  approvalMode: z.enum(APPROVAL_MODES),
  /** Absent for the default: a line that can be expanded. */
  thinking: z.optional(z.enum(THINKING_WAYS)),
  /** The name of the other window that has this session open, which makes it read-only here. */
  heldBy: z.optional(z.string()),
  /** For an exported copy, which is read-only, the time of its creation in ms since the epoch. */
  replayOf: z.optional(z.number()),
  /** The numbers of other sessions in each state; absent if all are zero. */
  elsewhere: z.optional(z.strictObject({ needYou: z.int(), running: z.int(), answered: z.int() })),
  canUndoRewind: z.boolean(),
  /** True in Restricted Mode. */
  readOnly: z.boolean(),
  hasFolder: z.boolean(),
  /** The usage of the model's window, in tokens. */
  context: z.strictObject({
    used: z.number(),
    window: z.number(),
    /** Old tool outputs that were moved to files. */
    masked: z.number(),
    /** Old pictures, documents and other media that are no longer sent. */
    leftOut: z.number(),
  }),
  /** The share of the window at which compaction starts automatically, and why it can't be started manually now. */
  compression: z.strictObject({ at: z.number(), cannot: z.optional(z.string()) }),
  /** The usage of the session so far, in tokens. The cost is in US dollars, as far as prices are known. */
  spent: z.strictObject({
    input: z.number(),
    /** The tokens of the input that the service had cached. */
    cached: z.optional(z.number()),
    output: z.number(),
    cost: z.optional(z.number()),
  }),
  /** The agent's todo list; absent if there is none. */
  todos: z.optional(z.array(todoItemSchema())),
  /** The call ids of commands whose terminals still exist. */
  terminals: z.optional(z.array(z.string())),
  /** Set shortly after the folder was trusted: what the next run can do because of it. */
  trustNews: z.optional(
    z.strictObject({
      lines: z.array(z.string()),
      actions: z.array(z.enum(['review-hooks', 'review-mcp-servers', 'review-agents', 'open-policies'])),
    }),
  ),
});

/** The editor context that would be sent with a message now. */
const editorChipSchema = z.strictObject({
  label: z.string(),
  /** A description of everything that would be sent. */
  summary: z.string(),
  included: z.boolean(),
});

/** A file with a pending change. */
const reviewEntrySchema = z.strictObject({
  id: z.string(),
  label: z.string(),
  /** Whether the change is proposed, or already applied to the file. */
  style: z.enum(['proposed', 'applied']),
  isNew: z.boolean(),
  added: z.number(),
  removed: z.number(),
  /** For a proposal, the id of its question. */
  requestId: z.optional(z.string()),
  /** For a proposal, true if its diff is open in an editor, where all of it can be read. */
  isOpen: z.optional(z.boolean()),
  /** Why the change cannot simply be accepted or rejected. */
  conflict: z.optional(z.string()),
});

/** The part of the conversation that the panel has: `entries`, which begin at the index `start` of `total`. */
const windowShape = { total: z.int(), start: z.int(), entries: z.array(entrySchema) };

/** A change to the list of entries, for a reader that has only a part of it. */
const windowChangeSchema = z.discriminatedUnion('op', [
  /** Replaces the entry with the same id if the panel has it. Otherwise appends a new entry, which the panel keeps. */
  z.strictObject({ op: z.literal('put'), entry: entrySchema }),
  z.strictObject({ op: z.literal('append'), id: z.string(), text: z.string() }),
  /** This number of entries was removed from this index on, whether the panel has them or not. */
  z.strictObject({ op: z.literal('cut'), at: z.int(), count: z.int() }),
  /** This number of entries was appended. The panel does not have them. */
  z.strictObject({ op: z.literal('grow'), count: z.int() }),
]);

/** An entry, anywhere in the conversation, that waits for the user. */
const waitingSchema = z.strictObject({
  id: z.string(),
  index: z.int(),
  /** Set for a card that asks; absent for a command that waits for input. */
  requestId: z.optional(z.string()),
  title: z.string(),
  subject: z.string(),
});

/** Facts about the whole conversation, which can't be derived from a part of it. */
const factsSchema = z.strictObject({
  waiting: z.array(waitingSchema),
  /** The newest questions that were not answered in time. */
  unanswered: z.array(z.string()),
  /** The ids of the entries whose buttons are still enabled. */
  open: z.array(z.string()),
  /** True if the last entry is a wait for the model. */
  retrying: z.boolean(),
  /** Messages that the agent has not received yet: for its next step, or for after the run. */
  pending: z.array(z.strictObject({ messageId: z.string(), text: z.string(), delivery: z.enum(['steer', 'queue']) })),
});

/** A conversation, sent after `ready` and when another session is shown: its end, or the place where the reader was. */
const transcriptSchema = z.strictObject({
  type: z.literal('transcript'),
  ...windowShape,
  facts: factsSchema,
  /** The announcement for screen readers. */
  spoken: z.optional(z.string()),
  /** Whether the conversation contains the message that `ready` asked about. */
  wasSaid: z.optional(z.boolean()),
});

/** The answer to `window`. */
const windowSchema = z.strictObject({ type: z.literal('window'), ...windowShape });

/** The changes since the last message, in order. */
const changesSchema = z.strictObject({
  type: z.literal('changes'),
  changes: z.array(windowChangeSchema),
  facts: z.optional(factsSchema),
  /** An announcement for screen readers, made once. */
  spoken: z.optional(z.string()),
  /** Set if a rewind removed entries, or undoing it restored them. */
  rewind: z.optional(z.enum(['made', 'undone'])),
  /** User messages among the changes, including those that were removed again at once. */
  said: z.optional(z.array(z.string())),
});

export const toPanelSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('state'), state: panelStateSchema }),
  transcriptSchema,
  windowSchema,
  changesSchema,
  /** The same messages for the thread of a subagent that the reader opened. */
  z.strictObject({
    type: z.literal('thread'),
    threadId: z.string(),
    told: z.discriminatedUnion('type', [transcriptSchema, windowSchema, changesSchema]),
  }),
  /**
   * The answer to `find`: the number of matches, and the match to show, counted from 1 in all entries and in its own.
   */
  z.strictObject({
    type: z.literal('found'),
    ref: z.int(),
    total: z.int(),
    current: z.optional(z.strictObject({ n: z.int(), id: z.string(), index: z.int(), nth: z.int() })),
  }),
  /** Checks whether the page still responds. Answered with `pong`. */
  z.strictObject({ type: z.literal('ping'), count: z.int() }),
  /** Opens the find bar, or focuses it. */
  z.strictObject({ type: z.literal('openFind') }),
  /**
   * The answer to `send`. If the message was refused, the webview restores the text in the input and shows the reason.
   */
  z.strictObject({
    type: z.literal('sent'),
    ref: z.int(),
    refused: z.optional(z.strictObject({ title: z.string(), detail: z.string() })),
  }),
  /** Inserts this text into the input. It is appended to a draft and never replaces it. */
  z.strictObject({ type: z.literal('insertText'), text: z.string() }),
  z.strictObject({ type: z.literal('focusInput') }),
  /** The attachments of the next message. */
  z.strictObject({ type: z.literal('attachments'), attachments: z.array(shownAttachmentSchema()) }),
  /** Without a chip, there is no editor context to send. */
  z.strictObject({ type: z.literal('editor'), chip: z.optional(editorChipSchema) }),
  z.strictObject({ type: z.literal('review'), items: z.array(reviewEntrySchema) }),
  /** Reveals and focuses the card of this question, or of the first pending one. */
  z.strictObject({ type: z.literal('focusApproval'), requestId: z.optional(z.string()) }),
  /** The answer to `contextShares`. */
  z.strictObject({ type: z.literal('contextShares'), shares: contextSharesSchema() }),
  /** The answer to `tokenColours`. */
  z.strictObject({ type: z.literal('tokenColours'), colours: tokenColoursSchema }),
  ...inputToPanel,
  ...sheetsToPanel,
]);

export type ToPanel = z.infer<typeof toPanelSchema>;
export type PanelState = z.infer<typeof panelStateSchema>;
export type EditorChip = z.infer<typeof editorChipSchema>;
export type ReviewEntry = z.infer<typeof reviewEntrySchema>;
export type WindowChange = z.infer<typeof windowChangeSchema>;
export type TranscriptFacts = z.infer<typeof factsSchema>;
export type Found = Extract<ToPanel, { type: 'found' }>;
export type Waiting = z.infer<typeof waitingSchema>;
export type PendingMessage = TranscriptFacts['pending'][number];
