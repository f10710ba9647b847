import * as z from 'zod/mini';
import { BLOCKED_KINDS } from '../agent/sandbox-block.ts';
import { THINKING_WAYS } from '../agent/thinking.ts';
import { sheetsToHost } from './sheets-to-host.ts';

/** Messages from the input to the host: searches, choices, pasted and dropped content, and commands. */

/** Longer than any sensible query or file name. */
const MAX_QUERY = 1000;
/** The maximum number of files in one drop. */
const MAX_URIS = 100;
/** The base64 size of the largest attachment that fits into a request (`attached-media.ts`), with some room. */
const MAX_DATA = 16 * 1024 * 1024;
const MAX_PREVIEW = 64 * 1024;

/** Creates the schemas for the first message, as for all messages that the host parses. */
function inputToHost() {
  const short = z.string().check(z.maxLength(MAX_QUERY));
  return [
    /** The input got the focus for the first time in this page, so `suggest` may follow soon. */
    z.strictObject({ type: z.literal('inputFocused') }),
    /** Answered with `suggestions`. Only the latest request counts. */
    z.strictObject({
      type: z.literal('suggest'),
      id: z.int(),
      about: z.enum(['mention', 'command']),
      query: short,
    }),
    /** Adds a suggested item as an attachment. */
    z.strictObject({ type: z.literal('mention'), id: short }),
    /** A message that begins with a slash. Answered with `sent`, as `send` is. */
    z.strictObject({
      type: z.literal('slash'),
      ref: z.int(),
      text: z.string().check(z.maxLength(MAX_DATA)),
    }),
    /** Opens the link of the last notice that has this name. */
    z.strictObject({ type: z.literal('openNotice'), link: short }),
    /** Attaches files dropped from the Explorer or from another list of VS Code. */
    z.strictObject({
      type: z.literal('attachUris'),
      uris: z.array(z.string().check(z.maxLength(8192))).check(z.maxLength(MAX_URIS)),
    }),
    /** Attaches data that was pasted, or dropped from outside VS Code. */
    z.strictObject({
      type: z.literal('attachData'),
      name: short,
      /** The content in base64. */
      data: z.string().check(z.maxLength(MAX_DATA)),
      /** A thumbnail as a data: URL. */
      preview: z.optional(z.string().check(z.maxLength(MAX_PREVIEW))),
    }),
  ] as const;
}

/**
 * Messages from the panel's webview to the extension host. Both sides parse what they receive: a webview message is
 * hostile input. The other direction is in panel-messages.ts, a separate file because the host never parses it.
 */

/** Larger than any useful message, and small enough that an accidental paste cannot block the host. */
const MAX_TEXT = 16 * 1024 * 1024;
const text = z.string().check(z.maxLength(MAX_TEXT));

/** More files than one session changes. */
const MAX_CHANGES = 10_000;

const schemaOf = () =>
  z.discriminatedUnion('type', [
    /** The host posts nothing to a webview before it gets this message. */
    z.strictObject({
      type: z.literal('ready'),
      /** The id of the entry that the reader was at; absent if they were at the end. */
      place: z.optional(text),
      /** A message that an earlier page sent without getting a reply, and the last permanent entry before it. */
      sent: z.optional(z.strictObject({ text, after: z.optional(text) })),
    }),
    /**
     * Requests entries that the panel does not have, around the index to which the reader scrolled. Answered with
     * `window`.
     */
    z.strictObject({ type: z.literal('window'), around: z.int() }),
    /** Searches the whole conversation. Answered with `found` with the same `ref`. */
    z.strictObject({
      type: z.literal('find'),
      ref: z.int(),
      query: z.string().check(z.maxLength(MAX_QUERY)),
      /** The match that the reader is at, or the first visible entry. */
      from: z.optional(z.strictObject({ id: text, nth: z.int() })),
      go: z.enum(['here', 'next', 'previous']),
    }),
    /** Answered with `sent` with the same `ref`. */
    z.strictObject({ type: z.literal('send'), ref: z.int(), text, delivery: z.optional(z.enum(['steer', 'queue'])) }),
    /** Runs a command that the user typed after an exclamation mark. Answered with `sent`, as `send` is. */
    z.strictObject({ type: z.literal('runCommand'), ref: z.int(), command: text }),
    /** Compacts the conversation. */
    z.strictObject({ type: z.literal('compress') }),
    /** Requests the usage of the model's window by kind. Answered with `contextShares`. */
    z.strictObject({ type: z.literal('contextShares') }),
    /** Opens the last request to the model in an editor. */
    z.strictObject({ type: z.literal('showRequest') }),
    /** Opens the snapshot of a compaction, by the id of its entry, in an editor. */
    z.strictObject({ type: z.literal('openSnapshot'), id: text }),
    /**
     * These refer to a command of the shown session or of its subagents, by its call. The host checks that it exists.
     */
    z.strictObject({ type: z.literal('openTerminal'), callId: text, threadId: z.optional(text) }),
    z.strictObject({ type: z.literal('moveToBackground'), callId: text, threadId: z.optional(text) }),
    z.strictObject({ type: z.literal('stopCommand'), callId: text, threadId: z.optional(text) }),
    z.strictObject({ type: z.literal('stop') }),
    /** Stops a subagent, by its call, without stopping the run. */
    z.strictObject({ type: z.literal('stopAgent'), callId: text }),
    z.strictObject({ type: z.literal('removeAttachment'), id: text }),
    /** Whether the editor context is sent with messages from now on, in this workspace. */
    z.strictObject({ type: z.literal('includeEditor'), included: z.boolean() }),
    z.strictObject({ type: z.literal('retry') }),
    z.strictObject({ type: z.literal('continue') }),
    z.strictObject({ type: z.literal('newSession') }),
    /** Turns it off in this session and continues the run. */
    z.strictObject({ type: z.literal('turnOffLoopDetection') }),
    /** The answer to an approval. `decision` is one of the offered decisions, and absent for a rejection. */
    z.strictObject({
      type: z.literal('answer'),
      requestId: text,
      decision: z.optional(text),
      /** The scope of `session` or `always`: one of the offered grants. */
      grant: z.optional(text),
      scope: z.optional(z.enum(['workspace', 'user'])),
      /** The answers to questions, by the index of the question. */
      answers: z.optional(z.record(z.string().check(z.maxLength(4)), text)),
      /** The text of the plan, if the user changed it. */
      plan: z.optional(text),
      /** The approval mode in which an approved plan is carried out. */
      approvalMode: z.optional(z.enum(['default', 'autoEdit'])),
      /** The reason of a rejection, for the model. */
      reason: z.optional(text),
      /** Set if the user answered with a key instead of a button. */
      by: z.optional(z.literal('keyboard')),
    }),
    /**
     * The answer to a card's offer to stop asking about commands in the sandbox. Accepting it also runs this command.
     */
    z.strictObject({ type: z.literal('answerOffer'), requestId: text, accepted: z.boolean() }),
    /** Allows a folder or host that the sandbox blocked, by its index on the card, for this session or always. */
    z.strictObject({
      type: z.literal('allowBlocked'),
      callId: text,
      threadId: z.optional(text),
      kind: z.enum(BLOCKED_KINDS),
      index: z.int(),
      always: z.boolean(),
    }),
    /** Runs a command that the sandbox blocked again, outside the sandbox. The host asks first. */
    z.strictObject({ type: z.literal('runOutside'), callId: text, threadId: z.optional(text) }),
    /** Opens a rule about the call of a pending question in an editor. */
    z.strictObject({ type: z.literal('writeRule'), requestId: text }),
    /** Shows the edits of a pending question in a diff editor. */
    z.strictObject({ type: z.literal('openDiff'), requestId: text }),
    /** Opens the plan of a pending question in an editor, where the user can change it and comment on it. */
    z.strictObject({ type: z.literal('openPlan'), requestId: text }),
    /** Withdraws a pending message. Its text returns with `insertText`, unless `forget` is set. */
    z.strictObject({ type: z.literal('withdraw'), messageId: text, forget: z.optional(z.boolean()) }),
    /** These refer to protected files that changed while a command ran, by the id of the change. */
    z.strictObject({ type: z.literal('putBack'), change: text }),
    z.strictObject({ type: z.literal('showProtectedChange'), change: text, path: text }),
    z.strictObject({ type: z.literal('undoRewind') }),
    /** Opens a copy of a session that another window has open. */
    z.strictObject({ type: z.literal('openCopy') }),
    /** Accept or reject changed files, by their ids in `review`. */
    z.strictObject({ type: z.literal('acceptChange'), id: text }),
    z.strictObject({ type: z.literal('rejectChange'), id: text }),
    /** The ids that were listed when the button was pressed: the user has not seen changes that were added since. */
    z.strictObject({ type: z.literal('acceptAllChanges'), ids: z.array(text).check(z.maxLength(MAX_CHANGES)) }),
    z.strictObject({ type: z.literal('rejectAllChanges'), ids: z.array(text).check(z.maxLength(MAX_CHANGES)) }),
    z.strictObject({ type: z.literal('openChange'), id: text }),
    z.strictObject({ type: z.literal('reviewChanges') }),
    z.strictObject({ type: z.literal('setApiKey') }),
    z.strictObject({ type: z.literal('signIn') }),
    z.strictObject({ type: z.literal('selectModel') }),
    z.strictObject({ type: z.literal('setApprovalMode') }),
    /** Sets how thinking is shown from now on, in every panel. */
    z.strictObject({ type: z.literal('setThinking'), way: z.enum(THINKING_WAYS) }),
    /** Opens all settings of Gantry, or this one. */
    z.strictObject({ type: z.literal('openSettings'), setting: z.optional(z.literal('auth.method')) }),
    z.strictObject({ type: z.literal('reviewHooks') }),
    z.strictObject({ type: z.literal('reviewMcpServers') }),
    z.strictObject({ type: z.literal('reviewAgents') }),
    z.strictObject({ type: z.literal('openPolicies') }),
    z.strictObject({ type: z.literal('showLog') }),
    z.strictObject({ type: z.literal('manageTrust') }),
    /** Opens a file link of an answer or a card. The host checks that the path is in the workspace. */
    z.strictObject({ type: z.literal('openFile'), path: text, line: z.optional(z.int()) }),
    /**
     * Opens the rule that a card names, such as "write.toml:4 (shipped)". The host opens only files that contain rules.
     */
    z.strictObject({ type: z.literal('openRule'), file: text, tier: text, line: z.optional(z.int()) }),
    /** Opens a web link of an answer. The host shows the whole URL and asks first. */
    z.strictObject({ type: z.literal('openLink'), url: text }),
    z.strictObject({ type: z.literal('copy'), text }),
    z.strictObject({ type: z.literal('pong'), count: z.int() }),
    /** The typed text and the open details, as JSON. A page that is opened in another place starts with them. */
    z.strictObject({ type: z.literal('saved'), view: text }),
    /** Copies the answer of the turn that ends with this entry, as Markdown. */
    z.strictObject({ type: z.literal('copyTurn'), id: text }),
    /** Sends the last message again and replaces its answer. */
    z.strictObject({ type: z.literal('tryAgain') }),
    /** Inserts code of an answer at the cursor of the editor. */
    z.strictObject({ type: z.literal('insertCode'), text }),
    /** Proposes code as a change to a file. If the answer names no file, the user chooses one. */
    z.strictObject({ type: z.literal('applyCode'), text, path: z.optional(text) }),
    /** Opens code in a new untitled editor. */
    z.strictObject({ type: z.literal('openCode'), text, language: text }),
    /** Requests the token colours of the theme with this name. Answered with `tokenColours`. */
    z.strictObject({ type: z.literal('tokenColours'), theme: text }),
    /** An error in the view, for the log. */
    z.strictObject({ type: z.literal('viewError'), message: text }),
    ...inputToHost(),
    ...sheetsToHost(),
  ]);

export type ToHost = z.infer<ReturnType<typeof schemaOf>>;

let schema: ReturnType<typeof schemaOf> | undefined;

/** The schema is created for the first message, because creating it would take a fifth of the activation time. */
export function readHostMessage(message: unknown): ReturnType<ReturnType<typeof schemaOf>['safeParse']> {
  schema ??= schemaOf();
  return schema.safeParse(message);
}

/** A handler for each message. */
export type PanelHandlers = {
  readonly [Type in ToHost['type']]: (message: Extract<ToHost, { type: Type }>) => unknown;
};
