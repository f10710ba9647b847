import * as z from 'zod/mini';

/** Something the user gives the agent with a message. Its content stays with the host until the message is sent. */
export const attachmentSchema = z.strictObject({
  id: z.string(),
  kind: z.enum(['file', 'folder', 'selection', 'terminal', 'problem', 'changes']),
  /** Short, such as "auth.ts:10-20". */
  label: z.string(),
  /** Relative to its workspace folder. */
  path: z.optional(z.string()),
  /** Lines from 1, the last one included. */
  startLine: z.optional(z.int()),
  endLine: z.optional(z.int()),
});

export type Attachment = z.infer<typeof attachmentSchema>;
