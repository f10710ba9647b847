import * as z from 'zod/mini';
import { approvalRequestSchema } from '../agent/approval.ts';
import { attachmentSchema } from '../agent/attachment.ts';
import { SANDBOX_KINDS } from '../agent/sandbox-block.ts';

/** What a reader sees of a conversation, entry by entry. Derived from events; never stored. */

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
  /** Empty until it is known. */
  name: z.string(),
  turns: z.number(),
  maxTurns: z.optional(z.number()),
  tokens: z.number(),
  model: z.optional(z.string()),
  /** Steps that are not listed any more. */
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
  /** What it said and thought last. */
  words: z.string(),
  thoughts: z.string(),
  /** It has asked the user something. */
  waits: z.boolean(),
});

export const entrySchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('user'),
    id: z.string(),
    text: z.string(),
    /** What commands about this message name it by. */
    messageId: z.string(),
    /** What the user gave with it. */
    attachments: z.optional(z.array(attachmentSchema)),
    /** What of the editor went with it, such as "auth.ts:10-20". */
    editor: z.optional(z.string()),
    /** When it was said, in ms since the epoch. */
    at: z.optional(z.number()),
    /** It waits: for the next request of this run, or for a run of its own. */
    pending: z.optional(z.enum(['steer', 'queue'])),
    /** It came into a run that was on, and did not begin one. */
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
    /** Whole seconds; 0 while it runs. */
    seconds: z.number(),
  }),
  z.strictObject({
    kind: z.literal('tool'),
    id: z.string(),
    /** Wire name, e.g. "read_file". */
    name: z.string(),
    /** e.g. "src/app.ts" */
    subject: z.string(),
    /** e.g. "1–118", or the reason of a failure. */
    summary: z.string(),
    status: z.enum(['running', 'success', 'error', 'cancelled']),
    /** What the tool returned for people, shown when the step is opened. Empty when there is nothing to add. */
    detail: z.string(),
    /** What a finished edit changed: a unified diff, cut when it is long. */
    patch: z.optional(z.string()),
    /** It requires approval. */
    approval: z.optional(
      z.strictObject({
        requestId: z.string(),
        title: z.string(),
        message: z.string(),
        /** The kinds of approval on offer. */
        decisions: z.array(z.string()),
        request: z.optional(approvalRequestSchema),
      }),
    ),
    /** The user said no, with these words; empty when they gave none. */
    rejected: z.optional(z.string()),
    /** Nobody answered this question in time. */
    unanswered: z.optional(z.strictObject({ requestId: z.string(), minutes: z.number() })),
    /** Of a command: how it is doing. */
    command: z.optional(
      z.strictObject({
        /** `waiting`: for somebody to type. `background`: nobody waits for it. `lost`: its window was closed meanwhile. */
        state: z.enum(['running', 'waiting', 'background', 'ended', 'lost']),
        /** In ms since the epoch. */
        startedAt: z.optional(z.number()),
        /** How long it ran. */
        durationMs: z.optional(z.number()),
        /** Of one that is lost: it has outlived its window and can be stopped. */
        outlived: z.optional(z.boolean()),
        /** The whole of it, when the user typed it themselves. */
        typed: z.optional(z.string()),
        /** By what the operating system holds it back; absent when it does not. */
        confinedBy: z.optional(z.enum(SANDBOX_KINDS)),
        /** What that kept it from. */
        blocked: z.optional(sandboxBlockSchema),
        /** What of it the user has allowed since. */
        allowed: z.optional(z.array(z.strictObject({ what: z.string(), always: z.boolean() }))),
      }),
    ),
    /** Of a call that a subagent works for: how far it is. */
    agent: z.optional(agentWorkSchema),
    /** When it began, in ms since the epoch, and how long it took. */
    at: z.optional(z.number()),
    tookMs: z.optional(z.number()),
    /** What the rules said of it: why it ran, was asked about or did not run. */
    why: z.optional(z.string()),
  }),
  z.strictObject({ kind: z.literal('problem'), id: z.string(), problem: problemSchema }),
  z.strictObject({
    kind: z.literal('note'),
    id: z.string(),
    icon: z.enum(['stop', 'limit', 'info']),
    text: z.string(),
    /** The conversation can be taken up from here. */
    canContinue: z.optional(z.boolean()),
    /** It says nothing about the run before it, whose buttons mean what they did. */
    quiet: z.optional(z.boolean()),
  }),
  /** While a command ran, protected files changed, and nobody had approved that. */
  z.strictObject({
    kind: z.literal('protected'),
    id: z.string(),
    /** What commands about this change name it by. */
    change: z.string(),
    command: z.string(),
    files: z.array(
      z.strictObject({
        path: z.string(),
        name: z.string(),
        what: z.string(),
        how: z.enum(['created', 'deleted', 'changed', 'linked', 'mode']),
        /** It can be put back. */
        restorable: z.boolean(),
        /** As the command left it, put back, changed by somebody since, or not put back for a reason. */
        state: z.enum(['there', 'back', 'again', 'failed']),
        reason: z.optional(z.string()),
      }),
    ),
    /** How many are not listed. */
    more: z.optional(z.number()),
  }),
  /** From here on a summary replaces what was said before. */
  z.strictObject({
    kind: z.literal('compacted'),
    id: z.string(),
    trigger: z.enum(['auto', 'manual']),
    /** In ms since the epoch. */
    at: z.number(),
    tokensBefore: z.number(),
    tokensAfter: z.number(),
    summary: z.string(),
    /** The first message that is still sent as it was. */
    keptFrom: z.optional(z.string()),
  }),
  /** The model did not answer and is asked again. */
  z.strictObject({
    kind: z.literal('retry'),
    id: z.string(),
    /** What went wrong. */
    why: z.string(),
    /** When it is asked again, in ms since the epoch. */
    until: z.number(),
    /** The one that follows. */
    attempt: z.number(),
    attempts: z.number(),
  }),
  /** The model does not answer, and the user decides what happens. The id is that of the question. */
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
    /** Of all requests of the turn; absent when the price of one is not known. */
    cost: z.optional(z.strictObject({ amount: z.number(), currency: z.optional(z.string()) })),
    /** When it ended, in ms since the epoch. */
    at: z.optional(z.number()),
  }),
]);

export type Entry = z.infer<typeof entrySchema>;

/** A change to the entries: one replaced or added whole, text appended at its end, or some gone. */
export type TranscriptChange =
  | { readonly op: 'put'; readonly entry: Entry }
  | { readonly op: 'append'; readonly id: string; readonly text: string }
  | { readonly op: 'remove'; readonly ids: readonly string[] };
