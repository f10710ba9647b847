import type { ServerPrompt } from './connection-types.ts';

type PromptArgument = ServerPrompt['arguments'][number];

export type ReadArguments =
  | { readonly values: Readonly<Record<string, string>> }
  /** Names of required arguments that are missing. */
  | { readonly missing: readonly string[] }
  | { readonly unknown: string };

const TOKEN = /(?:--)?([\w.-]+)=(?:"([^"]*)"|(\S*))|"([^"]*)"|(\S+)/g;

/**
 * Parses the text after a prompt's name: `name=value` in any order, the rest in the order of the arguments. The last
 * argument takes all remaining words, so a single argument needs no quotes.
 */
export function readArguments(text: string, wanted: readonly PromptArgument[]): ReadArguments {
  const values: Record<string, string> = {};
  const isKnown = (name: string | undefined): name is string => wanted.some((each) => each.name === name);
  const loose: string[] = [];
  for (const [token, name, inQuotes, plain, quoted, word] of text.matchAll(TOKEN)) {
    if (isKnown(name)) values[name] = inQuotes ?? plain ?? '';
    else loose.push(quoted ?? word ?? token);
  }
  const open = wanted.filter(({ name }) => !(name in values));
  for (const [at, { name }] of open.entries()) {
    const given = at === open.length - 1 ? loose.slice(at).join(' ') : loose[at];
    if (given) values[name] = given;
  }
  const [surplus] = open.length === 0 ? loose : [];
  if (surplus !== undefined) return { unknown: surplus };
  const missing = wanted.filter(({ name, required }) => required && !values[name]).map(({ name }) => name);
  return missing.length > 0 ? { missing } : { values };
}

/** For example "<topic> [style]". */
export function argumentHint(wanted: readonly PromptArgument[]): string | undefined {
  if (wanted.length === 0) return undefined;
  return wanted.map(({ name, required }) => (required ? `<${name}>` : `[${name}]`)).join(' ');
}
