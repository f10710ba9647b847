import * as l10n from '@vscode/l10n';

type Environment = Readonly<Record<string, string | undefined>>;

export type OwnHeaders = Readonly<Record<string, string>>;

/** Headers that the transport writes itself. Conflicting values would allow request smuggling. */
const OF_TRANSPORT: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const VARIABLE = /\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** The headers with their variables filled in, or what is wrong with them. The text never repeats a value. */
export function ownHeaders(
  configured: OwnHeaders,
  environment: Environment,
): { readonly headers: OwnHeaders } | { readonly wrong: string } {
  const headers: [string, string][] = [];
  for (const [given, pattern] of Object.entries(configured)) {
    const name = given.toLowerCase();
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name)) return { wrong: l10n.t('has an invalid header name') };
    if (OF_TRANSPORT.has(name)) return { wrong: l10n.t('has {0}, which cannot be set', name) };
    const missing = headerVariables(pattern).find((variable) => !environment[variable]);
    if (missing !== undefined) return { wrong: l10n.t('has {0}, whose variable {1} is not set', name, missing) };
    const value = filledIn(pattern, environment);
    if (!/^[\x20-\x7e]*$/.test(value)) return { wrong: l10n.t('has {0}, whose value is invalid', name) };
    headers.push([name, value]);
  }
  return { headers: Object.fromEntries(headers) };
}

/**
 * The header values that must not be shown. Short values, such as numbers, are not secret and would match everywhere.
 */
export function headerSecrets(headers: OwnHeaders): readonly string[] {
  const words = Object.values(headers).flatMap((value) => [value, ...value.split(' ').slice(1)]);
  return words.filter((word) => word.length >= 8);
}

/** Fills in environment variables, so that the settings do not have to contain secrets. */
export function filledIn(pattern: string, environment: Environment): string {
  return pattern.replace(VARIABLE, (_, variable: string) => environment[variable] ?? '').trim();
}

export function headerVariables(pattern: string): readonly string[] {
  return [...pattern.matchAll(VARIABLE)].flatMap(([, variable]) => variable ?? []);
}
