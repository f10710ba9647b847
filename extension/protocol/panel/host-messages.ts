import * as z from 'zod/mini';
import { BLOCKED_KINDS } from '../agent/sandbox-block.ts';
import { THINKING_WAYS } from '../agent/thinking.ts';
import { inputToHost } from './input-to-host.ts';
import { sheetsToHost } from './sheets-to-host.ts';

/**
 * What the panel's webview says to the extension host. Both sides parse what they receive: a webview message is hostile
 * input. The other direction is in panel-messages.ts, apart from this, because the host never parses it.
 */

/** Larger than any message worth sending, small enough that a runaway paste cannot wedge the host. */
const MAX_TEXT = 16 * 1024 * 1024;
const text = z.string().check(z.maxLength(MAX_TEXT));

/** More than anybody looks for. */
const MAX_QUERY = 1000;

/** More files than one session changes. */
const MAX_CHANGES = 10_000;

const schemaOf = () =>
  z.discriminatedUnion('type', [
    /** Nothing is posted to a webview before it has said this. */
    z.strictObject({
      type: z.literal('ready'),
      /** The entry that the reader was at; absent at the end. */
      place: z.optional(text),
      /** A message that an earlier page sent and had no answer to, and the last lasting entry before it. */
      sent: z.optional(z.strictObject({ text, after: z.optional(text) })),
    }),
    /** The reader comes to where the panel holds no entries: those around this one are wanted. Answered with `window`. */
    z.strictObject({ type: z.literal('window'), around: z.int() }),
    /** Where these words are in the whole conversation. Answered with `found` carrying the same `ref`. */
    z.strictObject({
      type: z.literal('find'),
      ref: z.int(),
      query: z.string().check(z.maxLength(MAX_QUERY)),
      /** The match that the reader is at, or the entry that they see first. */
      from: z.optional(z.strictObject({ id: text, nth: z.int() })),
      go: z.enum(['here', 'next', 'previous']),
    }),
    /** Answered with `sent` carrying the same `ref`. */
    z.strictObject({ type: z.literal('send'), ref: z.int(), text, delivery: z.optional(z.enum(['steer', 'queue'])) }),
    /** What the user typed after an exclamation mark. Answered as `send` is. */
    z.strictObject({ type: z.literal('runCommand'), ref: z.int(), command: text }),
    /** The conversation is to be compressed. */
    z.strictObject({ type: z.literal('compress') }),
    /** What fills the model's window is wanted by kind. Answered with `contextShares`. */
    z.strictObject({ type: z.literal('contextShares') }),
    /** The snapshot of a compaction, by its entry, in an editor. */
    z.strictObject({ type: z.literal('openSnapshot'), id: text }),
    /** About a command of the session shown, or of a subagent of it, by its call; the host checks that there is one. */
    z.strictObject({ type: z.literal('openTerminal'), callId: text, threadId: z.optional(text) }),
    z.strictObject({ type: z.literal('moveToBackground'), callId: text, threadId: z.optional(text) }),
    z.strictObject({ type: z.literal('stopCommand'), callId: text, threadId: z.optional(text) }),
    z.strictObject({ type: z.literal('stop') }),
    /** Ends a subagent by its call, and leaves the run alone. */
    z.strictObject({ type: z.literal('stopAgent'), callId: text }),
    z.strictObject({ type: z.literal('removeAttachment'), id: text }),
    /** Whether what is open in the editor goes with messages, from now on and in this workspace. */
    z.strictObject({ type: z.literal('includeEditor'), included: z.boolean() }),
    z.strictObject({ type: z.literal('retry') }),
    z.strictObject({ type: z.literal('continue') }),
    z.strictObject({ type: z.literal('newSession') }),
    /** In this session, which then continues. */
    z.strictObject({ type: z.literal('turnOffLoopDetection') }),
    /** The answer to an approval; `decision` is one of those that were offered, and absent for a rejection. */
    z.strictObject({
      type: z.literal('answer'),
      requestId: text,
      decision: z.optional(text),
      /** What a `session` or `always` covers: one of the grants that were offered. */
      grant: z.optional(text),
      scope: z.optional(z.enum(['workspace', 'user'])),
      /** Answers to questions, by their index. */
      answers: z.optional(z.record(z.string().check(z.maxLength(4)), text)),
      /** What the user made of a plan. */
      plan: z.optional(text),
      /** With which mode an approved plan is carried out. */
      approvalMode: z.optional(z.enum(['default', 'autoEdit'])),
      /** Why not, for the model. */
      reason: z.optional(text),
      /** Given with a key of the card and not with a button. */
      by: z.optional(z.literal('keyboard')),
    }),
    /** The answer to what the card of a command offers: to ask no more about those in the sandbox. Approval runs this one. */
    z.strictObject({ type: z.literal('answerOffer'), requestId: text, accepted: z.boolean() }),
    /** Opens to commands what the sandbox kept one from, by its place on the card, for this session or always. */
    z.strictObject({
      type: z.literal('allowBlocked'),
      callId: text,
      threadId: z.optional(text),
      kind: z.enum(BLOCKED_KINDS),
      index: z.int(),
      always: z.boolean(),
    }),
    /** Runs a command once more that the sandbox kept from something, outside it; the host asks. */
    z.strictObject({ type: z.literal('runOutside'), callId: text, threadId: z.optional(text) }),
    /** Shows the edits of a question that waits in a diff editor. */
    z.strictObject({ type: z.literal('openDiff'), requestId: text }),
    /** Shows the plan of a question that waits in an editor, to be changed and commented on. */
    z.strictObject({ type: z.literal('openPlan'), requestId: text }),
    /** Takes back a message that still waits; its text comes back with `insertText`, unless it is not wanted any more. */
    z.strictObject({ type: z.literal('withdraw'), messageId: text, forget: z.optional(z.boolean()) }),
    /** About protected files that changed while a command ran, by the id of the change. */
    z.strictObject({ type: z.literal('putBack'), change: text }),
    z.strictObject({ type: z.literal('showProtectedChange'), change: text, path: text }),
    z.strictObject({ type: z.literal('undoRewind') }),
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
    z.strictObject({ type: z.literal('signIn') }),
    z.strictObject({ type: z.literal('selectModel') }),
    z.strictObject({ type: z.literal('setApprovalMode') }),
    /** How thinking is shown from now on, in every panel. */
    z.strictObject({ type: z.literal('setThinking'), way: z.enum(THINKING_WAYS) }),
    /** All of ours, or this one. */
    z.strictObject({ type: z.literal('openSettings'), setting: z.optional(z.literal('auth.method')) }),
    z.strictObject({ type: z.literal('reviewHooks') }),
    z.strictObject({ type: z.literal('reviewMcpServers') }),
    z.strictObject({ type: z.literal('reviewAgents') }),
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
    z.strictObject({ type: z.literal('pong'), count: z.int() }),
    /** What was typed and opened, as JSON: a page in another place begins with it. */
    z.strictObject({ type: z.literal('saved'), view: text }),
    /** The answer of the turn that ends with this entry, as Markdown. */
    z.strictObject({ type: z.literal('copyTurn'), id: text }),
    /** The last message once more, in place of what was answered. */
    z.strictObject({ type: z.literal('tryAgain') }),
    /** Code of an answer, into the editor at its cursor. */
    z.strictObject({ type: z.literal('insertCode'), text }),
    /** As a change to a file, which waits for a verdict; the user chooses one where the answer names none. */
    z.strictObject({ type: z.literal('applyCode'), text, path: z.optional(text) }),
    /** In an editor of its own, as a text that is nowhere yet. */
    z.strictObject({ type: z.literal('openCode'), text, language: text }),
    /** What the theme of this name colours code with. Answered with `tokenColours`. */
    z.strictObject({ type: z.literal('tokenColours'), theme: text }),
    /** Something broke in the view: for the log. */
    z.strictObject({ type: z.literal('viewError'), message: text }),
    ...inputToHost(),
    ...sheetsToHost(),
  ]);

export type ToHost = z.infer<ReturnType<typeof schemaOf>>;

let schema: ReturnType<typeof schemaOf> | undefined;

/** The schema is made for the first message: making it would take a fifth of the activation. */
export function readHostMessage(message: unknown): ReturnType<ReturnType<typeof schemaOf>['safeParse']> {
  schema ??= schemaOf();
  return schema.safeParse(message);
}

/** What is done about each message. */
export type PanelHandlers = {
  readonly [Type in ToHost['type']]: (message: Extract<ToHost, { type: Type }>) => unknown;
};
