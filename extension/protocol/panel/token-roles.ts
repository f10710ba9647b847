import * as z from 'zod/mini';

/**
 * The roles of code tokens that get a colour. A theme has hundreds of scopes; readers can distinguish about this many.
 */
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

/** The colours that a theme defines. The panel has defaults for the others. */
export const tokenColoursSchema = z.partialRecord(
  z.enum(TOKEN_ROLES),
  z.string().check(z.regex(/^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i)),
);

export type TokenColours = z.infer<typeof tokenColoursSchema>;
