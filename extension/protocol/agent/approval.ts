import * as z from 'zod/mini';

/** The details of an approval request that the user sees, and the possible answers. */

const questionSchema = z.strictObject({
  question: z.string(),
  /** A word or two, for narrow places. */
  header: z.string(),
  type: z.enum(['choice', 'text', 'yesno']),
  options: z.optional(z.array(z.strictObject({ label: z.string(), description: z.string() }))),
  multiSelect: z.optional(z.boolean()),
  placeholder: z.optional(z.string()),
});

const detailsSchema = z.discriminatedUnion('type', [
  /** A change to files. `patch` is a unified diff, cut if it is very long. */
  z.strictObject({
    type: z.literal('edit'),
    files: z.array(
      z.strictObject({
        /** The path as it is displayed. */
        path: z.string(),
        /** The absolute path. */
        fullPath: z.optional(z.string()),
        isNew: z.boolean(),
        patch: z.string(),
        /** True if the patch does not contain the whole change. */
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
    /** Whether the command would run in the sandbox; absent if there is no sandbox. */
    sandbox: z.optional(z.enum(['inside', 'outside'])),
  }),
  z.strictObject({ type: z.literal('fetch'), urls: z.array(z.string()) }),
  z.strictObject({ type: z.literal('ask_user'), questions: z.array(questionSchema) }),
  z.strictObject({ type: z.literal('plan'), path: z.string(), text: z.string() }),
  z.strictObject({ type: z.literal('mcp'), server: z.string(), tool: z.string(), args: z.string() }),
  z.strictObject({ type: z.literal('info'), text: z.string() }),
]);

/** A scope that "for this session" and "always" can cover. */
const grantSchema = z.strictObject({
  id: z.string(),
  /** A short name, such as "git status". */
  label: z.string(),
  /** A description of everything that the grant covers. */
  covers: z.string(),
});

/** `elicitation_request._meta.approval`. */
export const approvalRequestSchema = z.strictObject({
  details: detailsSchema,
  /** Why approval is required: the rule with its file and line, or the gate that no rule can open. */
  why: z.string(),
  /** The narrowest grant first. Empty if only this one call can be allowed. */
  grants: z.array(grantSchema),
  /** True if the question also offers to stop asking about commands that run in the sandbox. */
  offersAutoAllow: z.optional(z.boolean()),
  /** The name of the agent that made the call, unless it is the main agent. */
  agent: z.optional(z.string()),
});

export type ApprovalRequest = z.infer<typeof approvalRequestSchema>;
export type ApprovalDetails = z.infer<typeof detailsSchema>;
export type UserQuestion = z.infer<typeof questionSchema>;
export type Grant = z.infer<typeof grantSchema>;

/** The content of an accepting answer. Which fields are set depends on the question. */
export interface ApprovalAnswer {
  readonly decision: ApprovalDecision;
  /** The id of the chosen grant, for `session` and `always`; the first grant by default. */
  readonly grant?: string;
  /** Where the rule of an `always` is saved. */
  readonly scope?: 'workspace' | 'user';
  /** The texts of edits that the user changed, by the path of the proposal. Other files are written as proposed. */
  readonly contents?: Readonly<Record<string, string>>;
  /** A comment of the user for the model. */
  readonly feedback?: string;
  /** The arguments of the call, if the user changed them. */
  readonly args?: Readonly<Record<string, unknown>>;
  /** The answers to questions, by the index of the question. */
  readonly answers?: Readonly<Record<string, string>>;
  /** The text of the plan, if the user changed it before approving it. */
  readonly plan?: string;
  /** The approval mode in which an approved plan is carried out. */
  readonly approvalMode?: 'default' | 'autoEdit';
}

export type ApprovalDecision = 'once' | 'session' | 'always';

/** `elicitation_request._meta.modelChoice`: a model does not answer, and the user decides how to proceed. */
export const modelChoiceSchema = z.strictObject({
  failed: z.string(),
  /** The model that could answer instead. */
  other: z.optional(z.string()),
  /**
   * A helpful page: where to upgrade, if Google names that page for a limit that does not end soon, or one about quotas.
   * Opening it does not answer the question.
   */
  link: z.optional(z.strictObject({ label: z.string(), url: z.string() })),
});

export type ModelChoice = z.infer<typeof modelChoiceSchema>;
