import * as z from 'zod/mini';

/** The colours a theme has for code. A theme knows hundreds of scopes; a reader tells about this many apart. */
export const TOKEN_ROLES = [
  'comment',
  'string',
  'escape',
  'number',
  'constant',
  'keyword',
  'control',
  'type',
  'function',
  'variable',
  'property',
  'tag',
  'attribute',
  'inserted',
  'deleted',
  'heading',
] as const;

export type TokenRole = (typeof TOKEN_ROLES)[number];

/** What a theme says; the others are as the panel has them. */
export const tokenColoursSchema = z.partialRecord(
  z.enum(TOKEN_ROLES),
  z.string().check(z.regex(/^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i)),
);

export type TokenColours = z.infer<typeof tokenColoursSchema>;
