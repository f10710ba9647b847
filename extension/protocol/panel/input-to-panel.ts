import * as z from 'zod/mini';

/** What the host says to the input: suggestions, settings and history, whose draft it is, what a command has to say. */

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

/** Something that can be taken into the message, or a command. */
const suggestionSchema = z.strictObject({
  /** What the panel names it by. */
  id: z.string(),
  icon: z.enum(SUGGESTION_ICONS),
  label: z.string(),
  /** Places of the label that match what was typed. */
  marks: z.array(z.int()),
  /** Of a command: what may be written after it. A command without it is complete. */
  hint: z.optional(z.string()),
  detail: z.string(),
  /** What stands in the input once it was taken. */
  insert: z.string(),
});

const suggestionGroupSchema = z.strictObject({
  /** Empty for a list without headings. */
  title: z.string(),
  items: z.array(suggestionSchema),
});

/** Which keys send. Shift+Enter breaks the line, unless it is the one. */
export const SEND_KEYS = ['enter', 'ctrlEnter', 'shiftEnter'] as const;

const noticeSchema = z.strictObject({
  title: z.string(),
  /** `link`: its name leads somewhere. The panel only knows what to call it by. */
  rows: z.array(z.strictObject({ name: z.string(), value: z.string(), link: z.optional(z.string()) })),
  /** What can be done about it. */
  actions: z.optional(z.array(z.strictObject({ label: z.string(), link: z.string() }))),
});

export const inputToPanel = [
  /** The answer to `suggest` with this id, and again when there is more. */
  z.strictObject({
    type: z.literal('suggestions'),
    id: z.int(),
    groups: z.array(suggestionGroupSchema),
    /** Some are still looked for. */
    pending: z.boolean(),
    /** What the command in the input does. */
    about: z.optional(z.string()),
  }),
  z.strictObject({
    type: z.literal('input'),
    sendKey: z.enum(SEND_KEYS),
    /** What was sent from this workspace, the newest last. */
    history: z.array(z.string()),
  }),
  /** Whose draft the input holds; without a session it is the one that the next message begins. */
  z.strictObject({
    type: z.literal('inputOf'),
    session: z.optional(z.string()),
    /** Another conversation took the place of the one before; else it is the same, which has a name now. */
    replaced: z.boolean(),
  }),
  /** What a command has to say. */
  z.strictObject({ type: z.literal('notice'), notice: noticeSchema }),
] as const;

export type Suggestion = z.infer<typeof suggestionSchema>;
export type SuggestionGroup = z.infer<typeof suggestionGroupSchema>;
export type SuggestionIcon = Suggestion['icon'];
export type SendKey = (typeof SEND_KEYS)[number];
export type Notice = z.infer<typeof noticeSchema>;
