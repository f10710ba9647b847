import type { Part } from '@google/genai';
import type { AgentSend, MessageSend } from '../protocol/agent-protocol.ts';
import { type ContentPart, textPart } from '../protocol/content-part.ts';
import { badInput, checkMessageSize } from './message-limits.ts';

const KINDS = ['message', 'elicitations', 'update', 'action'] as const;

/** Callers outside TypeScript may send anything. */
export function checkOneKind(payload: AgentSend): void {
  const given = KINDS.filter((kind) => kind in payload);
  if (given.length !== 1) throw badInput(`Exactly one of ${KINDS.join(', ')} can be sent at a time.`);
}

export interface TakenMessage {
  /** What the model is sent. */
  readonly parts: Part[];
  /** What the user is shown. */
  readonly shown: ContentPart[];
  readonly meta: Record<string, unknown> | undefined;
}

export function takeMessage({ message }: MessageSend, meta: AgentSend['_meta']): TakenMessage {
  const { content, displayContent } = message;
  checkMessageSize(content);
  const shown = displayContent === undefined ? [...content] : [textPart(displayContent)];
  return { parts: content.flatMap(toPart), shown, meta: meta && { ...meta } };
}

function toPart(part: ContentPart): Part[] {
  switch (part.type) {
    case 'text':
    case 'reference':
      return [{ text: part.text }];
    case 'thought':
      return [];
    case 'media': {
      const mimeType = part.mimeType ?? 'application/octet-stream';
      if (part.data !== undefined) return [{ inlineData: { data: part.data, mimeType } }];
      return part.uri === undefined ? [] : [{ fileData: { fileUri: part.uri, mimeType } }];
    }
  }
}
