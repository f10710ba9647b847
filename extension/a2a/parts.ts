import { type Message, type Part, Role } from '@a2a-js/sdk';
import type { ContentPart } from '../protocol/agent/content-part.ts';

/** The texts and data that tasks are made of. */

export function a2aText(value: string): Part {
  return { content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType: '' };
}

export function a2aData(value: Readonly<Record<string, unknown>>): Part {
  return { content: { $case: 'data', value }, metadata: undefined, filename: '', mediaType: '' };
}

/** Undefined for content that is not part of an answer. */
export function answerPart(part: ContentPart): Part | undefined {
  if (part.type === 'text') return part.text === '' ? undefined : a2aText(part.text);
  if (part.type !== 'media') return undefined;
  const { data, uri, mimeType = '' } = part;
  const base = { metadata: undefined, filename: '', mediaType: mimeType };
  if (data !== undefined) return { ...base, content: { $case: 'raw', value: Buffer.from(data, 'base64') } };
  return uri === undefined ? undefined : { ...base, content: { $case: 'url', value: uri } };
}

/** Consecutive texts become one. */
export function joined(parts: readonly Part[]): Part[] {
  const all: Part[] = [];
  let texts: string[] = [];
  const flush = (): void => {
    if (texts.length > 0) all.push(a2aText(texts.join('')));
    texts = [];
  };
  for (const part of parts) {
    if (part.content?.$case === 'text') texts.push(part.content.value);
    else {
      flush();
      all.push(part);
    }
  }
  flush();
  return all;
}

interface MessageFacts {
  readonly messageId: string;
  readonly contextId: string;
  readonly taskId: string;
  readonly role: 'user' | 'agent';
  readonly parts: readonly Part[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export function a2aMessage({ role, parts, metadata, ...ids }: MessageFacts): Message {
  return {
    ...ids,
    role: role === 'user' ? Role.ROLE_USER : Role.ROLE_AGENT,
    parts: [...parts],
    metadata: metadata && { ...metadata },
    extensions: [],
    referenceTaskIds: [],
  };
}
