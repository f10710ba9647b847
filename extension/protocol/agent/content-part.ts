/** One piece of what a user, the agent or a tool says. `_meta` is free for the producer. */
export type ContentPart = TextPart | ThoughtPart | MediaPart | ReferencePart;

interface PartBase {
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface TextPart extends PartBase {
  readonly type: 'text';
  readonly text: string;
}

export interface ThoughtPart extends PartBase {
  readonly type: 'thought';
  readonly thought: string;
  readonly thoughtSignature?: string;
}

export interface MediaPart extends PartBase {
  readonly type: 'media';
  readonly data?: string;
  readonly uri?: string;
  readonly mimeType?: string;
}

export interface ReferencePart extends PartBase {
  readonly type: 'reference';
  readonly text: string;
  readonly data?: string;
  readonly uri?: string;
  readonly mimeType?: string;
}

export function textPart(text: string): TextPart {
  return { type: 'text', text };
}

/** The plain words of a message: thoughts, media and references omitted. */
export function plainText(parts: readonly ContentPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** When a message that is sent during a turn arrives: at its next step, or after it. */
export type Delivery = 'steer' | 'queue';
