import * as z from 'zod/mini';

/** Something the user gives the agent with a message. Its content stays with the host until the message is sent. */
export const attachmentSchema = z.strictObject({
  id: z.string(),
  kind: z.enum([
    'file',
    'folder',
    'selection',
    'terminal',
    'problem',
    'changes',
    'resource',
    'prompt',
    'piped',
    'image',
    'document',
  ]),
  /** Short, such as "auth.ts:10-20". */
  label: z.string(),
  /** Relative to its workspace folder. */
  path: z.optional(z.string()),
  /** Lines from 1, the last one included. */
  startLine: z.optional(z.int()),
  endLine: z.optional(z.int()),
});

export type Attachment = z.infer<typeof attachmentSchema>;

/** Before it is sent: with something to recognise it by. */
export const shownAttachmentSchema = z.extend(attachmentSchema, {
  /** The beginning of its text. */
  excerpt: z.optional(z.string()),
  /** A small picture, as a data: address. */
  picture: z.optional(z.string()),
});

export type ShownAttachment = z.infer<typeof shownAttachmentSchema>;
