import { isObject } from '../../base/objects.ts';
import type { TokenColours, TokenRole } from '../../protocol/panel/token-roles.ts';

const COLOUR = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

export interface ColourRule {
  /** A scope without parents, such as "entity.name.type". */
  readonly scope: string;
  readonly colour: string;
}

/** The rules of a list in a theme or in the settings. Invalid rules are ignored, because anyone can write them. */
export function colourRules(list: readonly unknown[]): readonly ColourRule[] {
  return list.flatMap((rule) => {
    if (!isObject(rule) || !isObject(rule['settings'])) return [];
    const { foreground } = rule['settings'];
    if (typeof foreground !== 'string' || !COLOUR.test(foreground)) return [];
    return scopesOf(rule['scope']).map((scope) => ({ scope, colour: foreground }));
  });
}

/** Ignores scopes within other scopes, because the panel does not know the surrounding scope. */
function scopesOf(scope: unknown): readonly string[] {
  const texts = [scope].flat().filter((text) => typeof text === 'string');
  const scopes = texts.flatMap((text) => text.split(',')).map((text) => text.trim());
  return scopes.filter((text) => text !== '' && !/\s/.test(text));
}

/** The scopes for each of the panel's token roles. The first scope that a theme has a color for is used. */
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

/** Of equally specific rules, the last one wins. */
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

/** The scopes of the simple names in `editor.tokenColorCustomizations`. */
const SIMPLE: Readonly<Record<string, string>> = {
  comments: 'comment',
  strings: 'string',
  numbers: 'constant.numeric',
  keywords: 'keyword',
  types: 'entity.name.type',
  functions: 'entity.name.function',
  variables: 'variable',
};

/** The rules of `editor.tokenColorCustomizations` for all themes, followed by those for this theme. */
export function customRules(setting: unknown, theme: string): readonly ColourRule[] {
  if (!isObject(setting)) return [];
  const own = Object.entries(setting).flatMap(([key, value]) => (namesTheme(key, theme) ? rulesOf(value) : []));
  return [...rulesOf(setting), ...own];
}

function rulesOf(setting: unknown): readonly ColourRule[] {
  if (!isObject(setting)) return [];
  const simple = Object.entries(SIMPLE).flatMap(([name, scope]) => {
    const value = setting[name];
    const foreground = isObject(value) ? value['foreground'] : value;
    // "keyword" alone would be less specific than a theme's "keyword.control"; the same holds for types and classes.
    const scopes = [scope, ...(MORE[name] ?? [])];
    return foreground === undefined ? [] : [{ scope: scopes, settings: { foreground } }];
  });
  const rules = Array.isArray(setting['textMateRules']) ? setting['textMateRules'] : [];
  return colourRules([...simple, ...rules]);
}

const MORE: Readonly<Record<string, readonly string[]>> = {
  keywords: ['keyword.control', 'keyword.other', 'storage.type'],
  types: ['entity.name.type.class', 'support.type', 'support.class'],
  variables: ['variable.other.readwrite', 'variable.other.property'],
};

/** Whether a key such as `[Dark*][Light Modern]` contains the theme. */
function namesTheme(key: string, theme: string): boolean {
  const names = [...key.matchAll(/\[([^\]]+)\]/g)].map(([, name = '']) => name);
  return names.some((name) => {
    if (!name.endsWith('*')) return name === theme;
    return theme.startsWith(name.slice(0, -1));
  });
}
