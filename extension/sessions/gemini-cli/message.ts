import type { Part } from '@google/genai';
import * as z from 'zod';
import { once } from '../../base/once.ts';

/** One message of a recording, in the same form for all versions of Gemini CLI. */
export interface GeminiMessage {
  readonly id: string;
  readonly type: 'user' | 'gemini' | 'info' | 'error' | 'warning';
  /** Milliseconds; undefined if it was not recorded. */
  readonly at: number | undefined;
  readonly parts: readonly Part[];
  /** What the user typed, if the model received something else. */
  readonly shown: readonly Part[] | undefined;
  readonly thoughts: readonly string[];
  readonly calls: readonly GeminiCall[];
  readonly tokens: GeminiTokens | undefined;
  readonly model: string | undefined;
}

export interface GeminiCall {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly status: string;
  readonly at: number | undefined;
  /** The result that the model received; undefined if none was recorded. */
  readonly result: readonly Part[] | undefined;
  readonly displayName: string;
  readonly description: string;
  /** A string or an object, depending on the tool. */
  readonly resultDisplay?: unknown;
}

export interface GeminiTokens {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly thoughts: number;
  readonly tool: number;
  readonly total: number;
}

export const messageSchema = once((): z.ZodType<GeminiMessage> => {
  const json = z.record(z.string(), z.unknown());
  const text = z.string().exactOptional();
  const media = {
    inlineData: z.object({ data: z.string(), mimeType: z.string() }).exactOptional(),
    fileData: z.object({ fileUri: z.string(), mimeType: text }).exactOptional(),
  };
  const part = z.object({
    text,
    thought: z.boolean().exactOptional(),
    thoughtSignature: text,
    ...media,
    functionCall: z.object({ id: text, name: z.string(), args: json.exactOptional() }).exactOptional(),
    functionResponse: z
      .object({ id: text, name: text, response: json.exactOptional(), parts: z.array(z.object(media)).exactOptional() })
      .exactOptional(),
  });

  /** A text, a part, or a list of both. Other values are ignored, so that one invalid part does not lose the message. */
  const parts = z
    .unknown()
    .optional()
    .transform((value): Part[] =>
      (Array.isArray(value) ? value : [value]).flatMap((item: unknown) => {
        const parsed = part.safeParse(typeof item === 'string' ? { text: item } : item);
        return parsed.success && hasData(parsed.data) ? [parsed.data] : [];
      }),
    );
  const optionalParts = z
    .unknown()
    .optional()
    .transform((value) => (value === undefined || value === null ? undefined : parts.parse(value)));

  const time = z
    .unknown()
    .optional()
    .transform((value): number | undefined => {
      const milliseconds = typeof value === 'string' ? Date.parse(value) : Number.NaN;
      return Number.isNaN(milliseconds) ? undefined : milliseconds;
    });
  const count = z.number().nonnegative().catch(0);

  const call = z
    .object({
      id: z.string().catch(''),
      name: z.string().min(1).catch('unknown_tool'),
      args: json.catch({}),
      status: z.string().catch(''),
      timestamp: time,
      result: optionalParts,
      displayName: z.string().catch(''),
      description: z.string().catch(''),
      resultDisplay: z.unknown().optional(),
    })
    .transform(({ timestamp, ...rest }): GeminiCall => ({ ...rest, at: timestamp }));

  const thought = z
    .object({ subject: z.string().catch(''), description: z.string().catch('') })
    .transform(({ subject, description }) => [subject && `**${subject}**`, description].filter(Boolean).join('\n'));

  return z
    .object({
      id: z.string().min(1),
      type: z.enum(['user', 'gemini', 'info', 'error', 'warning']),
      timestamp: time,
      content: parts,
      displayContent: optionalParts,
      thoughts: listOf(thought),
      toolCalls: listOf(call),
      tokens: z
        .object({ input: count, output: count, cached: count, thoughts: count, tool: count, total: count })
        .optional()
        .catch(undefined),
      model: z.string().optional().catch(undefined),
    })
    .transform(({ id, type, timestamp, content, displayContent, thoughts, toolCalls, tokens, model }) => ({
      id,
      type,
      at: timestamp,
      parts: content,
      shown: displayContent?.length ? displayContent : undefined,
      thoughts: thoughts.filter(Boolean),
      calls: toolCalls,
      tokens,
      model,
    }));
});

/** The API refuses a part without data, and a signature on an empty text is useless. */
function hasData({ text, inlineData, fileData, functionCall, functionResponse }: Part): boolean {
  return Boolean(text || inlineData || fileData || functionCall || functionResponse);
}

function listOf<Item>(item: z.ZodType<Item>): z.ZodType<Item[]> {
  return z
    .array(z.unknown())
    .catch([])
    .transform((values) => values.map((value) => item.safeParse(value)).flatMap(({ data }) => data ?? []));
}

/** Gemini CLI treats such messages as commands or added context, and not as messages to the model. */
const IGNORED_STARTS = ['/', '?', '<session_context>', '<hook_context>'];

/** Whether the message belongs to the conversation that a model can continue. */
export function isResumable(message: GeminiMessage): boolean {
  const { type, parts, thoughts, calls } = message;
  if (type === 'gemini') return parts.length + thoughts.length + calls.length > 0;
  if (type !== 'user' || isToolAnswer(message)) return false;
  const said = recordedText(parts).trim();
  if (IGNORED_STARTS.some((start) => said.startsWith(start))) return false;
  return said !== '' || parts.some((part) => part.inlineData || part.fileData);
}

/** Whether it is a user turn with the results of the calls before it, which the user did not write. */
export function isToolAnswer({ type, parts }: GeminiMessage): boolean {
  return type === 'user' && parts.some((part) => part.functionResponse);
}

export function recordedText(parts: readonly Part[]): string {
  return parts.map(({ text, thought }) => (thought ? '' : (text ?? ''))).join('');
}
