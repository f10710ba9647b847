import * as z from 'zod/mini';
import { once } from '../../base/once.ts';
import type { ApprovalDetails, ApprovalRequest, Grant, ModelChoice, UserQuestion } from './approval.ts';

/** Approvals as they are read back from the log and in the panel. */

const questionSchema: () => z.ZodMiniType<UserQuestion> = once(() =>
  z.strictObject({
    question: z.string(),
    header: z.string(),
    type: z.enum(['choice', 'text', 'yesno']),
    options: z.optional(z.array(z.strictObject({ label: z.string(), description: z.string() }))),
    multiSelect: z.optional(z.boolean()),
    placeholder: z.optional(z.string()),
  }),
);

const detailsSchema: () => z.ZodMiniType<ApprovalDetails> = once(() =>
  z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('edit'),
      files: z.array(
        z.strictObject({
          path: z.string(),
          fullPath: z.optional(z.string()),
          isNew: z.boolean(),
          patch: z.string(),
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
      sandbox: z.optional(z.enum(['inside', 'outside'])),
    }),
    z.strictObject({ type: z.literal('fetch'), urls: z.array(z.string()) }),
    z.strictObject({ type: z.literal('ask_user'), questions: z.array(questionSchema()) }),
    z.strictObject({ type: z.literal('plan'), path: z.string(), text: z.string() }),
    z.strictObject({
      type: z.literal('mcp'),
      server: z.string(),
      tool: z.string(),
      args: z.string(),
      runsInClient: z.optional(z.literal(true)),
    }),
    z.strictObject({ type: z.literal('info'), text: z.string() }),
  ]),
);

const grantSchema: () => z.ZodMiniType<Grant> = once(() =>
  z.strictObject({ id: z.string(), label: z.string(), covers: z.string() }),
);

export const approvalRequestSchema: () => z.ZodMiniType<ApprovalRequest> = once(() =>
  z.strictObject({
    details: detailsSchema(),
    why: z.string(),
    grants: z.array(grantSchema()),
    offersAutoAllow: z.optional(z.boolean()),
    agent: z.optional(z.string()),
  }),
);

export const modelChoiceSchema: () => z.ZodMiniType<ModelChoice> = once(() =>
  z.strictObject({
    failed: z.string(),
    other: z.optional(z.string()),
    link: z.optional(z.strictObject({ label: z.string(), url: z.string() })),
  }),
);
