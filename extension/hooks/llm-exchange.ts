import type { Content, GenerateContentConfig, GenerateContentResponseUsageMetadata, Part } from '@google/genai';
import * as z from 'zod';
import { once } from '../base/once.ts';

/** A request to the model as hooks see it: its texts and four generation settings. */
export interface HookLlmRequest {
  readonly model: string;
  readonly messages: readonly HookMessage[];
  readonly config: HookGenerationConfig;
}

export interface HookMessage {
  readonly role: 'user' | 'model' | 'system';
  readonly content: string;
}

type HookGenerationConfig = Pick<GenerateContentConfig, (typeof SHAPING)[number]>;
const SHAPING = ['temperature', 'maxOutputTokens', 'topP', 'topK'] as const;

export interface LlmExchangeRequest {
  readonly model: string;
  readonly contents: readonly Content[];
  readonly config: GenerateContentConfig;
}

/** A piece of the model's answer, or its end. */
export interface LlmChunk {
  readonly parts: readonly Part[];
  readonly finishReason?: string | undefined;
  readonly usage?: GenerateContentResponseUsageMetadata | undefined;
}

export function toHookRequest({ model, contents, config }: LlmExchangeRequest): HookLlmRequest {
  const messages = contents.filter(hasText).map(
    (content): HookMessage => ({
      role: content.role === 'model' ? 'model' : 'user',
      content: wordsOf(content.parts ?? []),
    }),
  );
  return { model, messages, config: picked(config) };
}

const changes = once(() =>
  z.object({
    model: z.string().min(1).optional().catch(undefined),
    messages: z
      .array(z.object({ role: z.enum(['user', 'model', 'system']).catch('user'), content: z.string() }))
      .optional()
      .catch(undefined),
    config: z
      .object({
        temperature: z.number().optional(),
        maxOutputTokens: z.number().optional(),
        topP: z.number().optional(),
        topK: z.number().optional(),
      })
      .optional()
      .catch(undefined),
  }),
);

/**
 * Applies the changes of a hook to a request. Messages replace texts one by one, and further messages are appended.
 * Other parts (calls, their answers, media, thoughts) stay. The given contents are not changed.
 */
export function withHookRequest(base: LlmExchangeRequest, changed: unknown): LlmExchangeRequest {
  const { success, data } = changes().safeParse(changed);
  if (!success) return base;
  const { model, messages, config } = data;
  return {
    model: model ?? base.model,
    contents: messages ? withMessages(base.contents, messages) : base.contents,
    config: config ? withShape(base.config, config) : base.config,
  };
}

function withMessages(contents: readonly Content[], messages: readonly HookMessage[]): Content[] {
  let next = 0;
  const changed = contents.map((content) => {
    if (!hasText(content)) return content;
    const message = messages[next++];
    if (message === undefined || message.content === wordsOf(content.parts ?? [])) return content;
    const kept = (content.parts ?? []).filter((part) => !isWords(part));
    return { ...content, parts: [{ text: message.content }, ...kept] };
  });
  // The API knows only two roles, so a system message of a hook is sent with the user's role.
  const added = messages.slice(next).map(({ role, content }) => ({
    role: role === 'model' ? 'model' : 'user',
    parts: [{ text: content }],
  }));
  return [...changed, ...added];
}

function withShape(
  config: GenerateContentConfig,
  shape: z.infer<ReturnType<typeof changes>>['config'],
): GenerateContentConfig {
  const { temperature: _t, maxOutputTokens: _m, topP: _p, topK: _k, ...rest } = config;
  return { ...rest, ...picked(shape ?? {}) };
}

function picked(config: { readonly [Key in (typeof SHAPING)[number]]?: number | undefined }): HookGenerationConfig {
  return Object.fromEntries(SHAPING.flatMap((key) => (config[key] === undefined ? [] : [[key, config[key]]])));
}

/** A piece of an answer, as hooks see it. */
export function toHookResponse({ parts, finishReason, usage }: LlmChunk): Readonly<Record<string, unknown>> {
  const texts = parts.flatMap(({ text }) => text || []);
  const { promptTokenCount, candidatesTokenCount, totalTokenCount } = usage ?? {};
  return {
    text: wordsOf(parts),
    candidates: [{ content: { role: 'model', parts: texts }, ...(finishReason !== undefined && { finishReason }) }],
    ...(usage && { usageMetadata: { promptTokenCount, candidatesTokenCount, totalTokenCount } }),
  };
}

const response = once(() =>
  z.object({
    candidates: z.array(z.object({ content: z.object({ parts: z.array(z.unknown()).min(1) }) })).min(1),
  }),
);
const part = once(() => z.union([z.string(), z.object({ text: z.string() }).transform(({ text }) => text)]));

/** The texts that a hook answers with; undefined if there are none. */
export function textsOfHookResponse(value: unknown): readonly string[] | undefined {
  const { success, data } = response().safeParse(value);
  if (!success) return undefined;
  const texts = z.array(part()).safeParse(data.candidates[0]?.content.parts);
  return texts.success ? texts.data : undefined;
}

function hasText({ parts = [] }: Content): boolean {
  return parts.some(isWords);
}

function isWords({ text, thought }: Part): boolean {
  return Boolean(text) && !thought;
}

function wordsOf(parts: readonly Part[]): string {
  return parts.map((each) => (isWords(each) ? each.text : '')).join('');
}
