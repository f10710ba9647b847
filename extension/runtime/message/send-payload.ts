import type { Part } from '@google/genai';
import * as z from 'zod';
import { once } from '../../base/once.ts';
import type { AgentSend, MessageSend } from '../../protocol/agent/agent-protocol.ts';
import { type ContentPart, textPart } from '../../protocol/agent/content-part.ts';
import { attachmentOf, shownPart } from '../../protocol/agent/reference.ts';
import { badInput, checkMessageSize } from '../problems/message-limits.ts';
import { mediaText, referenceText } from './reference-text.ts';

const KINDS = ['message', 'elicitations', 'update', 'action'] as const;

/** Callers without type checks may send anything. */
export function checkOneKind(payload: AgentSend): void {
  const given = typeof payload === 'object' && payload !== null ? KINDS.filter((kind) => kind in payload) : [];
  const [kind] = given;
  if (!kind || given.length !== 1) throw badInput(`Exactly one of ${KINDS.join(', ')} can be sent at a time.`);
  const { success, error } = SCHEMAS[kind]().safeParse(payload);
  if (success) return;
  const [issue] = error.issues;
  throw badInput(`"${issue?.path.join('.')}" is not valid for a session: ${issue?.message}`);
}

/** Check only the fields that are written to the log, where an invalid shape could not be read again. */
const SCHEMAS = {
  message: once(() => {
    const parts = z.array(
      z.discriminatedUnion('type', [
        z.looseObject({ type: z.literal('text'), text: z.string() }),
        z.looseObject({ type: z.literal('reference'), text: z.string(), uri: text() }),
        z.looseObject({ type: z.literal('thought'), thought: z.string() }),
        z.looseObject({ type: z.literal('media'), data: text(), uri: text(), mimeType: text() }),
      ]),
    );
    const delivery = z.optional(z.enum(['steer', 'queue']));
    const model = z.optional(z.string().min(1));
    return z.looseObject({
      message: z.looseObject({ content: parts, displayContent: text(), delivery, model }),
      _meta: meta(),
    });
  }),
  elicitations: once(() => {
    const action = z.enum(['accept', 'decline', 'cancel']);
    const answer = z.looseObject({ requestId: z.string(), action, content: z.record(z.string(), z.unknown()) });
    return z.looseObject({ elicitations: z.array(answer), _meta: meta() });
  }),
  update: once(() => z.looseObject({ update: z.looseObject({ title: text(), model: text() }), _meta: meta() })),
  action: once(() => z.looseObject({ action: z.looseObject({ type: z.string() }), _meta: meta() })),
};

function text(): z.ZodOptional<z.ZodString> {
  return z.optional(z.string());
}

function meta(): z.ZodType {
  return z.optional(z.record(z.string(), z.unknown()));
}

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
