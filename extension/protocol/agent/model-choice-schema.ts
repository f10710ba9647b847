import * as z from 'zod/mini';

/** `elicitation_request._meta.modelChoice`: a model does not answer, and the user decides what happens. */
export const modelChoiceSchema = z.strictObject({
  failed: z.string(),
  /** The one that could answer instead. */
  other: z.optional(z.string()),
  /** A page that helps, such as one about quotas. Opening it is no answer. */
  link: z.optional(z.strictObject({ label: z.string(), url: z.string() })),
});

export type ModelChoice = z.infer<typeof modelChoiceSchema>;
