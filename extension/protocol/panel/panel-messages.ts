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
  /** Because the settings say so, whatever key there is. */
  offlineBySetting: z.optional(z.boolean()),
  approvalMode: z.enum(APPROVAL_MODES),
  /** Absent where it is a line that opens. */
  thinking: z.optional(z.enum(THINKING_WAYS)),
  /** Who else has this session open, so that it can only be read here. */
  heldBy: z.optional(z.string()),
  /** Of a copy in a file of its own, when it was made, in ms since the epoch: it can be read, and nothing else. */
  replayOf: z.optional(z.number()),
  /** What happens in sessions that are not shown, in numbers of sessions; absent when nothing does. */
  elsewhere: z.optional(z.strictObject({ needYou: z.int(), running: z.int(), answered: z.int() })),
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
  /** From which share of the window on it is compressed by itself, and why it cannot be by hand at this moment. */
  compression: z.strictObject({ at: z.number(), cannot: z.optional(z.string()) }),
  /** What the session has used so far, in tokens; the cost in US dollars as far as prices are known. */
  spent: z.strictObject({ input: z.number(), output: z.number(), cost: z.optional(z.number()) }),
  /** The agent's list of steps; absent when there is none. */
  todos: z.optional(z.array(todoItemSchema)),
  /** Commands, by their calls, whose terminals are still there. */
  terminals: z.optional(z.array(z.string())),
  /** The folder was trusted a moment ago: what the next run can do because of it. */
  trustNews: z.optional(
    z.strictObject({
      lines: z.array(z.string()),
      actions: z.array(z.enum(['review-hooks', 'review-mcp-servers', 'review-agents', 'open-policies'])),
    }),
  ),
});

/** What of the editor would go with a message sent now. */
const editorChipSchema = z.strictObject({
  label: z.string(),
  /** All of it, in words. */
  summary: z.string(),
  included: z.boolean(),
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
  /** Of a proposal: the question that it is a file of. */
  requestId: z.optional(z.string()),
  /** Of a proposal: its diff is open in an editor, where all of it can be read. */
  isOpen: z.optional(z.boolean()),
  /** Why it cannot simply be accepted or rejected. */
  conflict: z.optional(z.string()),
});

/** The part of the conversation that the panel holds: these entries, of `total`, from the one at `start` on. */
const windowShape = { total: z.int(), start: z.int(), entries: z.array(entrySchema) };

/** What happened to the list of entries, in the terms of a reader who holds a part of it. */
const windowChangeSchema = z.discriminatedUnion('op', [
  /** One that is held, by its id; else a new one after the last, which is held then too. */
  z.strictObject({ op: z.literal('put'), entry: entrySchema }),
  z.strictObject({ op: z.literal('append'), id: z.string(), text: z.string() }),
  /** So many entries are gone, held or not, from this place on. */
  z.strictObject({ op: z.literal('cut'), at: z.int(), count: z.int() }),
  /** So many were added after the last one, and are not held. */
  z.strictObject({ op: z.literal('grow'), count: z.int() }),
]);

/** Something that does not continue before the user does something, wherever it is. */
const waitingSchema = z.strictObject({
  id: z.string(),
  index: z.int(),
  /** Of a card that asks; not of a command that waits for input. */
  requestId: z.optional(z.string()),
  title: z.string(),
  subject: z.string(),
});

/** What is true of the whole conversation, and cannot be seen in a part of it. */
const factsSchema = z.strictObject({
  waiting: z.array(waitingSchema),
  /** The newest questions that nobody answered in time. */
  unanswered: z.array(z.string()),
  /** Entries whose buttons still mean something. */
  open: z.array(z.string()),
  /** The last entry is a wait for the model. */
  retrying: z.boolean(),
  /** What the user said and the agent did not get yet: for its next step, or for after the run. */
  pending: z.array(z.strictObject({ messageId: z.string(), text: z.string(), delivery: z.enum(['steer', 'queue']) })),
});

/** A conversation, after `ready` and when another session is shown: what is at its end, or where the reader was. */
const transcriptSchema = z.strictObject({
  type: z.literal('transcript'),
  ...windowShape,
  facts: factsSchema,
  /** For a screen reader. */
  spoken: z.optional(z.string()),
  /** Whether the message that `ready` asked about is in it. */
  wasSaid: z.optional(z.boolean()),
});

/** The answer to `window`. */
const windowSchema = z.strictObject({ type: z.literal('window'), ...windowShape });

/** What changed since the last message, in order. */
const changesSchema = z.strictObject({
  type: z.literal('changes'),
  changes: z.array(windowChangeSchema),
  facts: z.optional(factsSchema),
  /** For a screen reader, once. */
  spoken: z.optional(z.string()),
  /** What was said is gone, or is back. */
  rewind: z.optional(z.enum(['made', 'undone'])),
  /** Messages of the user that came with them, also those that went again at once. */
  said: z.optional(z.array(z.string())),
});

export const toPanelSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('state'), state: panelStateSchema }),
  transcriptSchema,
  windowSchema,
  changesSchema,
  /** The same, of the thread of a subagent that the reader has opened. */
  z.strictObject({
    type: z.literal('thread'),
    threadId: z.string(),
    told: z.discriminatedUnion('type', [transcriptSchema, windowSchema, changesSchema]),
  }),
  /** The answer to `find`: how many there are, and the one to show, counted in all and in its entry, from 1 on. */
  z.strictObject({
    type: z.literal('found'),
    ref: z.int(),
    total: z.int(),
    current: z.optional(z.strictObject({ n: z.int(), id: z.string(), index: z.int(), nth: z.int() })),
  }),
  /** Is the page still there? Answered with `pong`. */
  z.strictObject({ type: z.literal('ping'), count: z.int() }),
  /** Open the find bar, or go to it. */
  z.strictObject({ type: z.literal('openFind') }),
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
  z.strictObject({ type: z.literal('attachments'), attachments: z.array(shownAttachmentSchema) }),
  /** Without a chip there is nothing of the editor to send. */
  z.strictObject({ type: z.literal('editor'), chip: z.optional(editorChipSchema) }),
  z.strictObject({ type: z.literal('review'), items: z.array(reviewEntrySchema) }),
  /** Bring the card of this question, or of the first that waits, into view and to the keyboard. */
  z.strictObject({ type: z.literal('focusApproval'), requestId: z.optional(z.string()) }),
  /** The answer to `contextShares`. */
  z.strictObject({ type: z.literal('contextShares'), shares: contextSharesSchema }),
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
