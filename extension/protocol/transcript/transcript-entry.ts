import * as z from 'zod/mini';
import { approvalRequestSchema } from '../agent/approval-schema.ts';
import { attachmentSchema } from '../agent/attachment.ts';
import { SANDBOX_KINDS } from '../agent/sandbox-block.ts';

/** The displayed conversation, entry by entry. Derived from events; never stored. */

const problemSchema = z.strictObject({
  kind: z.string(),
  title: z.string(),
  detail: z.string(),
  actions: z.array(
    z.enum([
      'retry',
      'retry-from-here',
      'compress',
      'new-session',
      'open-copy',
      'set-api-key',
      'sign-in',
      'switch-model',
      'open-settings',
      'review-hooks',
      'review-mcp-servers',
      'review-agents',
      'open-policies',
      'keep-going',
      'stop-detecting',
      'show-log',
    ]),
  ),
});

const texts = z.readonly(z.array(z.string()));
const sandboxBlockSchema = z.strictObject({
  paths: texts,
  hosts: texts,
  closedHosts: z.optional(texts),
  folders: z.optional(texts),
});

const agentWorkSchema = z.strictObject({
  threadId: z.string(),
  /** Empty until the name is known. */
  name: z.string(),
  turns: z.number(),
  maxTurns: z.optional(z.number()),
  tokens: z.number(),
  model: z.optional(z.string()),
  /** The number of earlier steps that are no longer listed. */
  earlier: z.number(),
  steps: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      subject: z.string(),
      summary: z.string(),
      status: z.enum(['running', 'success', 'error', 'cancelled']),
    }),
  ),
  /** The end of the subagent's text, and of its thoughts. */
  words: z.string(),
  thoughts: z.string(),
  /** True if the subagent waits for an answer of the user. */
  waits: z.boolean(),
});

export const entrySchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('user'),
    id: z.string(),
    text: z.string(),
    /** The id with which commands refer to this message. */
    messageId: z.string(),
    /** The attachments that the user added. */
    attachments: z.optional(z.array(attachmentSchema())),
    /** The editor context that was sent with the message, such as "auth.ts:10-20". */
    editor: z.optional(z.string()),
    /** When the message was sent, in ms since the epoch. */
    at: z.optional(z.number()),
    /** Set while the message waits for the next request of this run, or for a run of its own. */
    pending: z.optional(z.enum(['steer', 'queue'])),
    /** True if the message was delivered to a running run and did not start one. */
    steered: z.optional(z.boolean()),
  }),
  z.strictObject({
    kind: z.literal('answer'),
    id: z.string(),
    text: z.string(),
    state: z.enum(['streaming', 'done', 'interrupted']),
  }),
  z.strictObject({
    kind: z.literal('thinking'),
    id: z.string(),
    text: z.string(),
    running: z.boolean(),
    /** Whole seconds; 0 while the model thinks. */
    seconds: z.number(),
  }),
  z.strictObject({
    kind: z.literal('tool'),
    id: z.string(),
    /** The tool's name in requests, e.g. "read_file". */
    name: z.string(),
    /** e.g. "src/app.ts" */
    subject: z.string(),
    /** e.g. "1–118", or the reason of a failure. */
    summary: z.string(),
    status: z.enum(['running', 'success', 'error', 'cancelled']),
    /** The tool's result for display, shown when the step is expanded. Empty if there is nothing to add. */
    detail: z.string(),
    /** The change of a finished edit as a unified diff, cut if it is long. */
    patch: z.optional(z.string()),
    /** Set while the call requires approval. */
    approval: z.optional(
      z.strictObject({
        requestId: z.string(),
        title: z.string(),
        message: z.string(),
        /** The offered kinds of approval. */
        decisions: z.array(z.string()),
        request: z.optional(approvalRequestSchema()),
      }),
    ),
    /** Set if the user rejected the call: their reason, or empty if they gave none. */
    rejected: z.optional(z.string()),
    /** Set if the question was not answered in time. */
    unanswered: z.optional(z.strictObject({ requestId: z.string(), minutes: z.number() })),
    /** The state of a command. */
    command: z.optional(
      z.strictObject({
        /** `waiting`: for input. `background`: no call waits for it. `lost`: its window was closed while it ran. */
        state: z.enum(['running', 'waiting', 'background', 'ended', 'lost']),
        /** In ms since the epoch. */
        startedAt: z.optional(z.number()),
        /** The run time of the command. */
        durationMs: z.optional(z.number()),
        /** For a lost command, true if it still runs after its window was closed, so it can be stopped. */
        outlived: z.optional(z.boolean()),
        /** The whole command line, if the user typed it. */
        typed: z.optional(z.string()),
        /** The sandbox that confines the command; absent if none does. */
        confinedBy: z.optional(z.enum(SANDBOX_KINDS)),
        /** The accesses that the sandbox blocked. */
        blocked: z.optional(sandboxBlockSchema),
        /** The blocked folders and hosts that the user has allowed since. */
        allowed: z.optional(z.array(z.strictObject({ what: z.string(), always: z.boolean() }))),
      }),
    ),
    /** The progress of the subagent that works for this call. */
    agent: z.optional(agentWorkSchema),
    /** When the call started, in ms since the epoch, and its duration. */
    at: z.optional(z.number()),
    tookMs: z.optional(z.number()),
    /** The decision of the rules: why the call ran, asked or was denied. */
    why: z.optional(z.string()),
  }),
  z.strictObject({ kind: z.literal('problem'), id: z.string(), problem: problemSchema }),
  z.strictObject({
    kind: z.literal('note'),
    id: z.string(),
    icon: z.enum(['stop', 'limit', 'info']),
    text: z.string(),
    /** True if the user can continue the conversation from here. */
    canContinue: z.optional(z.boolean()),
    /** True for a note that says nothing about the run before it, so that run's buttons stay enabled. */
    quiet: z.optional(z.boolean()),
  }),
  /** Protected files changed without approval while a command ran. */
  z.strictObject({
    kind: z.literal('protected'),
    id: z.string(),
    /** The id with which commands refer to this change. */
    change: z.string(),
    command: z.string(),
    files: z.array(
      z.strictObject({
        path: z.string(),
        name: z.string(),
        what: z.string(),
        how: z.enum(['created', 'deleted', 'changed', 'linked', 'mode']),
        /** True if the earlier content can be restored. */
        restorable: z.boolean(),
        /** As the command left it, restored, changed again since, or not restored for a reason. */
        state: z.enum(['there', 'back', 'again', 'failed']),
        reason: z.optional(z.string()),
      }),
    ),
    /** The number of changed files that `files` omits. */
    more: z.optional(z.number()),
  }),
  /** In requests from here on, a summary replaces the earlier conversation. */
  z.strictObject({
    kind: z.literal('compacted'),
    id: z.string(),
    trigger: z.enum(['auto', 'manual']),
    /** In ms since the epoch. */
    at: z.number(),
    tokensBefore: z.number(),
    tokensAfter: z.number(),
    summary: z.string(),
    /** The first message that is still sent unchanged. */
    keptFrom: z.optional(z.string()),
  }),
  /** The model did not answer, and the request will be repeated. */
  z.strictObject({
    kind: z.literal('retry'),
    id: z.string(),
    /** What went wrong. */
    why: z.string(),
    /** The time of the next attempt, in ms since the epoch. */
    until: z.number(),
    /** The number of the next attempt. */
    attempt: z.number(),
    attempts: z.number(),
  }),
  /** The model does not answer, and the user decides how to proceed. The id is that of the question. */
  z.strictObject({
    kind: z.literal('choice'),
    id: z.string(),
    title: z.string(),
    message: z.string(),
    options: z.array(z.strictObject({ decision: z.string(), label: z.string() })),
    link: z.optional(z.strictObject({ label: z.string(), url: z.string() })),
  }),
  z.strictObject({
    kind: z.literal('usage'),
    id: z.string(),
    inputTokens: z.number(),
    outputTokens: z.number(),
    seconds: z.number(),
    /** The cost of all requests of the turn; absent if the price of a request is unknown. */
    cost: z.optional(z.strictObject({ amount: z.number(), currency: z.optional(z.string()) })),
    /** When the turn ended, in ms since the epoch. */
    at: z.optional(z.number()),
  }),
]);

export type Entry = z.infer<typeof entrySchema>;

/** A change to the entries: an entry added or replaced, text appended to an entry, or entries removed. */
export type TranscriptChange =
  | { readonly op: 'put'; readonly entry: Entry }
  | { readonly op: 'append'; readonly id: string; readonly text: string }
  | { readonly op: 'remove'; readonly ids: readonly string[] };
