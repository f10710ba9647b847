/** One piece of a message or a tool's output. Producers can put anything into `_meta`. */
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

/** The text of a message without thoughts, media and references. */
export function plainText(parts: readonly ContentPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** When a message that is sent during a run reaches the agent: with its next request, or after the run. */
export type Delivery = 'steer' | 'queue';
