import * as z from 'zod/mini';

/**
 * Messages from the host to the input: suggestions, settings and history, the session of the draft, and command output.
 */

const SUGGESTION_ICONS = [
  'file',
  'folder',
  'symbol',
  'problem',
  'terminal',
  'changes',
  'agent',
  'resource',
  'command',
] as const;

/** Something that can be added to the message, or a command. */
const suggestionSchema = z.strictObject({
  /** The id with which the panel refers to the suggestion. */
  id: z.string(),
  icon: z.enum(SUGGESTION_ICONS),
  label: z.string(),
  /** The indices of the characters of the label that match the typed text. */
  marks: z.array(z.int()),
  /** For a command, the arguments that may follow it. A command without a hint is complete. */
  hint: z.optional(z.string()),
  detail: z.string(),
  /** The text that the input contains after the suggestion is accepted. */
  insert: z.string(),
});

const suggestionGroupSchema = z.strictObject({
  /** Empty for a list without headings. */
  title: z.string(),
  items: z.array(suggestionSchema),
});

/** The keys that send a message. Shift+Enter inserts a line break unless it is the chosen key. */
export const SEND_KEYS = ['enter', 'ctrlEnter', 'shiftEnter'] as const;

const noticeSchema = z.strictObject({
  title: z.string(),
  /** If `link` is set, the name of the row is a link. The panel only knows the link's id. */
  rows: z.array(z.strictObject({ name: z.string(), value: z.string(), link: z.optional(z.string()) })),
  /** Actions that the notice offers. */
  actions: z.optional(z.array(z.strictObject({ label: z.string(), link: z.string() }))),
});

export const inputToPanel = [
  /** The answer to the `suggest` with this id; sent again when there are more results. */
  z.strictObject({
    type: z.literal('suggestions'),
    id: z.int(),
    groups: z.array(suggestionGroupSchema),
    /** True while some results are still being searched for. */
    pending: z.boolean(),
    /** A description of the command in the input. */
    about: z.optional(z.string()),
  }),
  z.strictObject({
    type: z.literal('input'),
    sendKey: z.enum(SEND_KEYS),
    /** Messages that were sent from this workspace, newest last. */
    history: z.array(z.string()),
  }),
  /** The session of the draft in the input. If it is absent, the next message starts the session. */
  z.strictObject({
    type: z.literal('inputOf'),
    session: z.optional(z.string()),
    /** True if another conversation replaced the shown one; false if the same conversation got its id. */
    replaced: z.boolean(),
  }),
  /** The output of a command. */
  z.strictObject({ type: z.literal('notice'), notice: noticeSchema }),
] as const;

export type Suggestion = z.infer<typeof suggestionSchema>;
export type SuggestionGroup = z.infer<typeof suggestionGroupSchema>;
export type SuggestionIcon = Suggestion['icon'];
export type SendKey = (typeof SEND_KEYS)[number];
export type Notice = z.infer<typeof noticeSchema>;
