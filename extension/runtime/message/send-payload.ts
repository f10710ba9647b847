import type { Part } from '@google/genai';
import * as z from 'zod';
import type { AgentSend, MessageSend } from '../../protocol/agent/agent-protocol.ts';
import { type ContentPart, textPart } from '../../protocol/agent/content-part.ts';
import { attachmentOf, shownPart } from '../../protocol/agent/reference.ts';
import { badInput, checkMessageSize } from '../problems/message-limits.ts';
import { mediaText, referenceText } from './reference-text.ts';

const KINDS = ['message', 'elicitations', 'update', 'action'] as const;

/** Callers without type checks may send anything. */
export function checkOneKind(payload: AgentSend): void {
  const given = typeof payload === 'object' && payload !== null ? KINDS.filter((kind) => kind in payload) : [];
  if (given.length !== 1) throw badInput(`Exactly one of ${KINDS.join(', ')} can be sent at a time.`);
  const { success, error } = payloads.safeParse(payload);
  if (success) return;
  const [issue] = error.issues;
  throw badInput(`"${issue?.path.join('.')}" is not valid for a session: ${issue?.message}`);
}

/** Checks only the fields that are written to the log, where an invalid shape could not be read again. */
const text = z.optional(z.string());
const part = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.literal('reference'), text: z.string(), uri: text }),
  z.looseObject({ type: z.literal('thought'), thought: z.string() }),
  z.looseObject({ type: z.literal('media'), data: text, uri: text, mimeType: text }),
]);
const answer = z.looseObject({
  requestId: z.string(),
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.record(z.string(), z.unknown()),
});
const payloads = z.looseObject({
  message: z.optional(
    z.looseObject({
      content: z.array(part),
      displayContent: text,
      delivery: z.optional(z.enum(['steer', 'queue'])),
      model: z.optional(z.string().min(1)),
    }),
  ),
  elicitations: z.optional(z.array(answer)),
  update: z.optional(z.looseObject({ title: text, model: text })),
  action: z.optional(z.looseObject({ type: z.string() })),
  _meta: z.optional(z.record(z.string(), z.unknown())),
});

export interface TakenMessage {
  /** The parts for the model. */
  readonly parts: Part[];
  /** The parts that the user sees. */
  readonly shown: ContentPart[];
  readonly meta: Record<string, unknown> | undefined;
}

/** `fits` throws if the message is too long for the model. */
export function takeMessage(
  { message }: MessageSend,
  meta: AgentSend['_meta'],
  fits: (parts: readonly Part[]) => void = () => undefined,
): TakenMessage {
  const { content, displayContent } = message;
  checkMessageSize(content);
  const shown = displayContent === undefined ? content.map(shownPart) : [textPart(displayContent)];
  const parts = content.flatMap(toPart);
  fits(parts);
  return { parts, shown, meta: meta && { ...meta } };
}

function toPart(part: ContentPart): Part[] {
  switch (part.type) {
    case 'text':
      return [{ text: part.text }];
    case 'reference':
      return [{ text: referenceText(part) }];
    case 'thought':
      return [];
    case 'media': {
      const mimeType = part.mimeType ?? 'application/octet-stream';
      const attachment = attachmentOf(part);
      const head = attachment ? [{ text: mediaText(attachment) }] : [];
      if (part.data !== undefined) return [...head, { inlineData: { data: part.data, mimeType } }];
      return part.uri === undefined ? [] : [{ fileData: { fileUri: part.uri, mimeType } }];
    }
  }
}
