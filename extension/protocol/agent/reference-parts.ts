import type { Attachment } from './attachment.ts';
import type { MediaPart, ReferencePart } from './content-part.ts';
import type { SentEditor } from './reference.ts';

/** Creates message parts from attachments. reference.ts reads them; it is separate because it requires schemas. */

/** `text` is what the model receives, as data. */
export function attachmentPart(attachment: Attachment, text: string, uri?: string): ReferencePart {
  return { type: 'reference', text, ...(uri !== undefined && { uri }), _meta: { attachment } };
}

/** A picture or document. `data` is base64. */
export function mediaPart(attachment: Attachment, data: string, mimeType: string): MediaPart {
  return { type: 'media', data, mimeType, _meta: { attachment } };
}

export function editorPart(editor: SentEditor, text: string): ReferencePart {
  return { type: 'reference', text, _meta: { editor } };
}
