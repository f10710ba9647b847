import * as z from 'zod/mini';
import { APPROVAL_MODES } from './approval-mode.ts';
import { attachmentSchema } from './attachment.ts';
import { entrySchema } from './transcript-entry.ts';

/**
 * The whole language between the panel's webview and the extension host. Both sides parse what they receive: a webview
 * message is hostile input, and a host message may come from another version after an update.
 */

/** Larger than any message worth sending, small enough that a runaway paste cannot wedge the host. */
const MAX_TEXT = 16 * 1024 * 1024;
const text = z.string().check(z.maxLength(MAX_TEXT));

/** More files than one session changes. */
const MAX_CHANGES = 10_000;

/** From the webview. */
export const toHostSchema = z.discriminatedUnion('type', [
  /** Nothing is posted to a webview before it has said this. */
  z.strictObject({ type: z.literal('ready') }),
  /** Answered with `sent` carrying the same `ref`. */
  z.strictObject({ type: z.literal('send'), ref: z.int(), text, delivery: z.optional(z.enum(['steer', 'queue'])) }),
  /** What the user typed behind an exclamation mark. Answered as `send` is. */
  z.strictObject({ type: z.literal('runCommand'), ref: z.int(), command: text }),
  /** About a command of the session shown, by its call; the host checks that there is one. */
  z.strictObject({ type: z.literal('openTerminal'), callId: text }),
  z.strictObject({ type: z.literal('moveToBackground'), callId: text }),
  z.strictObject({ type: z.literal('stopCommand'), callId: text }),
  z.strictObject({ type: z.literal('stop') }),
  z.strictObject({ type: z.literal('removeAttachment'), id: text }),
  /** Whether what is open in the editor goes with messages, from now on and in this workspace. */
  z.strictObject({ type: z.literal('includeEditor'), included: z.boolean() }),
  z.strictObject({ type: z.literal('retry') }),
  z.strictObject({ type: z.literal('continue') }),
  /** The answer to an approval; `decision` is one of those that were offered, and absent for a no. */
  z.strictObject({
    type: z.literal('answer'),
    requestId: text,
    decision: z.optional(text),
    /** What a `session` or `always` covers: one of the grants that were offered. */
    grant: z.optional(text),
    scope: z.optional(z.enum(['workspace', 'user'])),
    /** Answers to questions, by their index. */
    answers: z.optional(z.record(z.string().check(z.maxLength(4)), text)),
    /** With which mode an approved plan is carried out. */
    approvalMode: z.optional(z.enum(['default', 'autoEdit'])),
    /** Why not, for the model. */
    reason: z.optional(text),
    /** Given with a key of the card and not with a button. */
    by: z.optional(z.literal('keyboard')),
  }),
  /** Shows the edits of a question that waits in a diff editor. */
  z.strictObject({ type: z.literal('openDiff'), requestId: text }),
  /** Takes back a message that still waits; its text comes back with `insertText`. */
  z.strictObject({ type: z.literal('withdraw'), messageId: text }),
  z.strictObject({ type: z.literal('rewind'), messageId: text }),
  z.strictObject({ type: z.literal('undoRewind') }),
  /** Answered with `sessions`. */
  z.strictObject({ type: z.literal('listSessions') }),
  z.strictObject({ type: z.literal('resume'), id: text }),
  /** To the trash; the host offers to undo it and sends `sessions` again. */
  z.strictObject({ type: z.literal('deleteSession'), id: text }),
  /** A copy of a session that another window holds. */
  z.strictObject({ type: z.literal('openCopy') }),
  /** Verdicts on changed files, by the ids of `review`. */
  z.strictObject({ type: z.literal('acceptChange'), id: text }),
  z.strictObject({ type: z.literal('rejectChange'), id: text }),
  /** Those that were on the list when the button was pressed: one that came since, nobody has seen. */
  z.strictObject({ type: z.literal('acceptAllChanges'), ids: z.array(text).check(z.maxLength(MAX_CHANGES)) }),
  z.strictObject({ type: z.literal('rejectAllChanges'), ids: z.array(text).check(z.maxLength(MAX_CHANGES)) }),
  z.strictObject({ type: z.literal('openChange'), id: text }),
  z.strictObject({ type: z.literal('reviewChanges') }),
  z.strictObject({ type: z.literal('setApiKey') }),
  z.strictObject({ type: z.literal('selectModel') }),
  z.strictObject({ type: z.literal('setApprovalMode') }),
  z.strictObject({ type: z.literal('openSettings') }),
  z.strictObject({ type: z.literal('reviewHooks') }),
  z.strictObject({ type: z.literal('openPolicies') }),
  z.strictObject({ type: z.literal('showLog') }),
  z.strictObject({ type: z.literal('manageTrust') }),
  /** A file link in an answer or on a card; the host checks it against the workspace. */
  z.strictObject({ type: z.literal('openFile'), path: text, line: z.optional(z.int()) }),
  /** The rule that a card names, such as "write.toml:4 (shipped)"; the host opens only files that have rules. */
  z.strictObject({ type: z.literal('openRule'), file: text, tier: text, line: z.optional(z.int()) }),
  /** A web link in an answer; the host shows the whole address and asks. */
  z.strictObject({ type: z.literal('openLink'), url: text }),
  z.strictObject({ type: z.literal('copy'), text }),
  /** Something broke in the view: for the log. */
  z.strictObject({ type: z.literal('viewError'), message: text }),
]);

const panelStateSchema = z.strictObject({
  title: z.string(),
  running: z.boolean(),
  /** When the running turn began, in ms since the epoch; a view that was hidden meanwhile cannot know. */
  startedAt: z.optional(z.number()),
  /** "offline guide", or a model id, or "auto". */
  model: z.string(),
  /** True when the offline guide answers. */
  offline: z.boolean(),
  approvalMode: z.enum(APPROVAL_MODES),
  /** Who else has this session open, so that it can only be read here. */
  heldBy: z.optional(z.string()),
  canUndoRewind: z.boolean(),
  /** Restricted Mode. */
  readOnly: z.boolean(),
  hasFolder: z.boolean(),
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

/** To the webview. */
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
]);

export type ToHost = z.infer<typeof toHostSchema>;
export type ToPanel = z.infer<typeof toPanelSchema>;
export type PanelState = z.infer<typeof panelStateSchema>;
export type EditorChip = z.infer<typeof editorChipSchema>;
export type SessionItem = z.infer<typeof sessionItemSchema>;
export type ReviewEntry = z.infer<typeof reviewEntrySchema>;
export type TranscriptChange = z.infer<typeof changeSchema>;
