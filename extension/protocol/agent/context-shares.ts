import * as z from 'zod/mini';
import { once } from '../../base/once.ts';

/** The kinds of content in the model's window, in display order. */
export const CONTEXT_KINDS = [
  'instructions',
  'memory',
  'environment',
  'tools',
  'summary',
  'attachments',
  'messages',
  'answers',
  'results',
] as const;

export type ContextKind = (typeof CONTEXT_KINDS)[number];

/** Lists only kinds with content. The sum is the usage of the window. */
export const contextSharesSchema = once(() =>
  z.array(z.strictObject({ kind: z.enum(CONTEXT_KINDS), tokens: z.int() })),
);

export type ContextShares = z.infer<ReturnType<typeof contextSharesSchema>>;
