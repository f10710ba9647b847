import * as z from 'zod/mini';
import type { TokenColours, TokenRole } from '../../protocol/token-roles.ts';

const colour = z.string().check(z.regex(/^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i));

const ruleSchema = z.object({
  scope: z.optional(z.union([z.string(), z.array(z.string())])),
  settings: z.object({ foreground: z.optional(z.string()) }),
});

/** A theme file, as far as it matters for the colours of code. Themes of strangers say many other things. */
export const themeSchema = z.object({
  include: z.optional(z.string()),
  /** A text names a file in a format of its own, which is not read. */
  tokenColors: z.optional(z.union([z.string(), z.array(z.unknown())])),
});

export interface ColourRule {
  /** A scope without parents, such as "entity.name.type". */
  readonly scope: string;
  readonly colour: string;
}

/** The rules of a list in a theme or in the settings; what is no rule is left out. */
export function colourRules(list: readonly unknown[]): readonly ColourRule[] {
  return list.flatMap((item) => {
    const rule = ruleSchema.safeParse(item).data;
    const foreground = colour.safeParse(rule?.settings.foreground).data;
    if (!rule || foreground === undefined) return [];
    const scopes = [rule.scope ?? []].flat().flatMap((scope) => scope.split(','));
    // A scope in another one is about a place that the panel does not know.
    const alone = scopes.map((scope) => scope.trim()).filter((scope) => scope !== '' && !/\s/.test(scope));
    return alone.map((scope) => ({ scope, colour: foreground }));
  });
}

/** The scopes that grammars give to what the panel calls so; the first that a theme has a colour for. */
const SCOPES: Readonly<Record<TokenRole, readonly string[]>> = {
  comment: ['comment.line'],
  string: ['string.quoted.double'],
  escape: ['constant.character.escape', 'string.quoted.double'],
  number: ['constant.numeric.decimal'],
  constant: ['constant.language'],
  keyword: ['storage.type', 'keyword.other'],
  control: ['keyword.control'],
  type: ['entity.name.type.class', 'support.type', 'support.class'],
  function: ['entity.name.function', 'support.function'],
  variable: ['variable.other.readwrite'],
  property: ['variable.other.property', 'support.type.property-name', 'variable.other.readwrite'],
  tag: ['entity.name.tag'],
  attribute: ['entity.other.attribute-name'],
  inserted: ['markup.inserted'],
  deleted: ['markup.deleted'],
  heading: ['markup.heading', 'entity.name.section'],
};

/** Later rules win over earlier ones that say as much. */
export function paletteOf(rules: readonly ColourRule[]): TokenColours {
  const colours: TokenColours = {};
  for (const role of Object.keys(SCOPES) as TokenRole[]) {
    const found = SCOPES[role].map((scope) => bestRule(rules, scope)).find((rule) => rule !== undefined);
    if (found) colours[role] = found.colour;
  }
  return colours;
}

function bestRule(rules: readonly ColourRule[], scope: string): ColourRule | undefined {
  let best: ColourRule | undefined;
  for (const rule of rules) {
    const matches = scope === rule.scope || scope.startsWith(`${rule.scope}.`);
    if (matches && rule.scope.length >= (best?.scope.length ?? 0)) best = rule;
  }
  return best;
}
