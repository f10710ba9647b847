import * as z from 'zod/mini';

/** What fills the model's window, in the order it is shown in. */
export const CONTEXT_KINDS = [
  'instructions',
  'memory',
  'tools',
  'summary',
  'attachments',
  'messages',
  'answers',
  'results',
] as const;

export type ContextKind = (typeof CONTEXT_KINDS)[number];

/** Only kinds of which there is something. Together they are what is used. */
export const contextSharesSchema = z.array(z.strictObject({ kind: z.enum(CONTEXT_KINDS), tokens: z.int() }));

export type ContextShares = z.infer<typeof contextSharesSchema>;
