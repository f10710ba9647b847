import type { AgentEvent } from '../agent/agent-event.ts';
import type { Attachment } from '../agent/attachment.ts';
import { plainText } from '../agent/content-part.ts';
import { attachmentOf, editorOf } from '../agent/reference.ts';
import type { Entry } from './transcript-entry.ts';

/** A message of the user as a reader sees it: their words, and what went with them by name. */
export function userEntry(event: Extract<AgentEvent, { type: 'message' }>): Extract<Entry, { kind: 'user' }> {
  const { id, content, timestamp } = event;
  const { messageId = id, pending } = event._meta ?? {};
  const attachments = distinct(content.flatMap((part) => attachmentOf(part) ?? []));
  const editor = content.map(editorOf).find((sent) => sent !== undefined)?.label;
  return {
    kind: 'user',
    id,
    text: plainText(content),
    messageId,
    at: Date.parse(timestamp),
    ...(attachments.length > 0 && { attachments }),
    ...(editor !== undefined && { editor }),
    ...(pending && { pending }),
  };
}

/** A prompt goes in several parts where other things stand between its words. */
function distinct(attachments: readonly Attachment[]): Attachment[] {
  return [...new Map(attachments.map((attachment) => [attachment.id, attachment])).values()];
}
