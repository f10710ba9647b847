import * as z from 'zod/mini';
import { once } from '../../base/once.ts';
import { type Attachment, attachmentSchema } from './attachment.ts';
import type { ContentPart, ReferencePart } from './content-part.ts';

/** The editor context of a message: a label for display, and what the model knows for the next message. */
const sentEditorSchema = once(() =>
  z.object({
    label: z.string(),
    /** A fingerprint for each section of the text. */
    sections: z.record(z.string(), z.string()),
  }),
);

export type SentEditor = z.infer<ReturnType<typeof sentEditorSchema>>;

/** The `_meta` of a reference. It may come from a log that somebody edited. */
const metaSchema = once(() =>
  z.object({ attachment: z.optional(attachmentSchema()), editor: z.optional(sentEditorSchema()) }),
);

export function attachmentOf(part: ContentPart): Attachment | undefined {
  return metaOf(part).attachment;
}

export function editorOf(part: ContentPart): SentEditor | undefined {
  return metaOf(part).editor;
}

/** A short name for display. */
export function referenceLabel(part: ReferencePart): string {
  const { attachment, editor } = metaOf(part);
  return attachment?.label ?? editor?.label ?? part.uri ?? part.text;
}

/** The part as it is displayed, without its content: that may be long and is stored only once, as the model got it. */
export function shownPart(part: ContentPart): ContentPart {
  const { attachment, editor } = metaOf(part);
  if (part.type === 'media' && attachment) {
    const { data: _, ...known } = part;
    return known;
  }
  const label = attachment?.label ?? editor?.label;
  return part.type === 'reference' && label !== undefined ? { ...part, text: label } : part;
}

function metaOf(part: ContentPart): z.infer<ReturnType<typeof metaSchema>> {
  const parsed =
    part.type === 'reference' || part.type === 'media' ? metaSchema().safeParse(part._meta ?? {}) : undefined;
  return parsed?.success ? parsed.data : {};
}
