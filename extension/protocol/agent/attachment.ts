import * as z from 'zod/mini';
import { once } from '../../base/once.ts';

/** Something that the user attaches to a message. The host keeps its content until the message is sent. */
export const attachmentSchema = once(() =>
  z.strictObject({
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
    /** A short name, such as "auth.ts:10-20". */
    label: z.string(),
    /** The path relative to its workspace folder. */
    path: z.optional(z.string()),
    /** The first line, counted from 1. `endLine` is inclusive. */
    startLine: z.optional(z.int()),
    endLine: z.optional(z.int()),
  }),
);

export type Attachment = z.infer<ReturnType<typeof attachmentSchema>>;

/** An attachment before it is sent, with a preview. */
export const shownAttachmentSchema = once(() =>
  z.extend(attachmentSchema(), {
    /** The beginning of the text. */
    excerpt: z.optional(z.string()),
    /** A thumbnail as a data: URL. */
    picture: z.optional(z.string()),
  }),
);

export type ShownAttachment = z.infer<ReturnType<typeof shownAttachmentSchema>>;
