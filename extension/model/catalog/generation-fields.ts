import { HarmBlockThreshold, HarmCategory, ThinkingLevel } from '@google/genai';
import { z } from 'zod';

/** The four numbers that shape an answer. */
export const shapingFields = {
  temperature: z.number().min(0).max(2),
  topP: z.number().min(0).max(1),
  topK: z.int().min(1),
  maxOutputTokens: z.int().min(1),
} as const;

/**
 * What users may configure for a model. Not among it is what the product itself decides for each request: instruction,
 * tools, schemas, and everything about the connection, which could send a conversation elsewhere.
 */
export const generationFields = {
  ...shapingFields,
  seed: z.int(),
  stopSequences: z.array(z.string().min(1)).max(5),
  presencePenalty: z.number(),
  frequencyPenalty: z.number(),
  thinkingConfig: z.strictObject({
    includeThoughts: z.boolean().optional(),
    thinkingBudget: z.int().min(-1).optional(),
    thinkingLevel: z.enum(ThinkingLevel).optional(),
  }),
  safetySettings: z.array(z.strictObject({ category: z.enum(HarmCategory), threshold: z.enum(HarmBlockThreshold) })),
} as const;
