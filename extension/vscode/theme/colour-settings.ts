import { isObject } from '../../base/objects.ts';
import { type ColourRule, colourRules } from './token-palette.ts';

/** What the simple names of `editor.tokenColorCustomizations` stand for. */
const SIMPLE: Readonly<Record<string, string>> = {
  comments: 'comment',
  strings: 'string',
  numbers: 'constant.numeric',
  keywords: 'keyword',
  types: 'entity.name.type',
  functions: 'entity.name.function',
  variables: 'variable',
};

/** What `editor.tokenColorCustomizations` says for all themes, and then for this one. */
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
    // "keyword" alone would lose to a theme's "keyword.control", and types to its classes.
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

/** `[Dark*][Light Modern]` */
function namesTheme(key: string, theme: string): boolean {
  const names = [...key.matchAll(/\[([^\]]+)\]/g)].map(([, name = '']) => name);
  return names.some((name) => {
    if (!name.endsWith('*')) return name === theme;
    return theme.startsWith(name.slice(0, -1));
  });
}
