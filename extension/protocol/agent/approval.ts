import * as z from 'zod/mini';

/** What a person is told before they answer, and what they can answer. */

const questionSchema = z.strictObject({
  question: z.string(),
  /** A word or two, for a narrow place. */
  header: z.string(),
  type: z.enum(['choice', 'text', 'yesno']),
  options: z.optional(z.array(z.strictObject({ label: z.string(), description: z.string() }))),
  multiSelect: z.optional(z.boolean()),
  placeholder: z.optional(z.string()),
});

const detailsSchema = z.discriminatedUnion('type', [
  /** A change to files. `patch` is a unified diff, cut when it is very long. */
  z.strictObject({
    type: z.literal('edit'),
    files: z.array(
      z.strictObject({
        /** As people call it. */
        path: z.string(),
        /** From the root of the disk. */
        fullPath: z.optional(z.string()),
        isNew: z.boolean(),
        patch: z.string(),
        /** The patch does not have all of the change. */
        isCut: z.optional(z.boolean()),
        added: z.number(),
        removed: z.number(),
      }),
    ),
  }),
  z.strictObject({
    type: z.literal('exec'),
    command: z.string(),
    folder: z.string(),
    reason: z.optional(z.string()),
    /** Where there is a sandbox: whether the command would run in it. */
    sandbox: z.optional(z.enum(['inside', 'outside'])),
  }),
  z.strictObject({ type: z.literal('fetch'), urls: z.array(z.string()) }),
  z.strictObject({ type: z.literal('ask_user'), questions: z.array(questionSchema) }),
  z.strictObject({ type: z.literal('plan'), path: z.string(), text: z.string() }),
  z.strictObject({ type: z.literal('mcp'), server: z.string(), tool: z.string(), args: z.string() }),
  z.strictObject({ type: z.literal('info'), text: z.string() }),
]);

/** What "for this session" and "always" may cover. */
const grantSchema = z.strictObject({
  id: z.string(),
  /** What to call it, such as "git status". */
  label: z.string(),
  /** What it covers, in words. */
  covers: z.string(),
});

/** `elicitation_request._meta.approval`. */
export const approvalRequestSchema = z.strictObject({
  details: detailsSchema,
  /** Why this is asked: the rule with its file and line, or the gate that no rule can open. */
  why: z.string(),
  /** The narrowest first. Empty when only this one call can be allowed. */
  grants: z.array(grantSchema),
  /** It also offers to ask no more about commands that run in the sandbox. */
  offersAutoAllow: z.optional(z.boolean()),
  /** The name of the agent that wants it, when that is not the main one. */
  agent: z.optional(z.string()),
});

export type ApprovalRequest = z.infer<typeof approvalRequestSchema>;
export type ApprovalDetails = z.infer<typeof detailsSchema>;
export type UserQuestion = z.infer<typeof questionSchema>;
export type Grant = z.infer<typeof grantSchema>;

/** What an accepting answer carries, depending on what was asked. */
export interface ApprovalAnswer {
  readonly decision: ApprovalDecision;
  /** Which of the grants; the first one unless named. For `session` and `always`. */
  readonly grant?: string;
  /** Where an `always` is saved. */
  readonly scope?: 'workspace' | 'user';
  /** The texts the user made of proposed edits, by the path of the proposal. The others are as proposed. */
  readonly contents?: Readonly<Record<string, string>>;
  /** What the user has to say about what they allow, for the model. */
  readonly feedback?: string;
  /** The arguments the user made of the proposed ones. */
  readonly args?: Readonly<Record<string, unknown>>;
  /** Answers to questions, by their index. */
  readonly answers?: Readonly<Record<string, string>>;
  /** What the user made of a plan before they approved it. */
  readonly plan?: string;
  /** With which mode an approved plan is carried out. */
  readonly approvalMode?: 'default' | 'autoEdit';
}

export type ApprovalDecision = 'once' | 'session' | 'always';

/** `elicitation_request._meta.modelChoice`: a model does not answer, and the user decides what happens. */
export const modelChoiceSchema = z.strictObject({
  failed: z.string(),
  /** The one that could answer instead. */
  other: z.optional(z.string()),
  /** A page that helps, such as one about quotas. Opening it is no answer. */
  link: z.optional(z.strictObject({ label: z.string(), url: z.string() })),
});

export type ModelChoice = z.infer<typeof modelChoiceSchema>;
