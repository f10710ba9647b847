import { createHmac, randomBytes } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { SecretKind } from './secret-kinds.ts';

/** Replaces a secret in requests. Any text of this form counts as a placeholder, even if Gantry never created it. */
export const PLACEHOLDER = /\[\[gantry-secret-([\w-]{1,40})(?::[\w-]{0,40})?\]\]/g;

/** Eight digits: among a thousand secrets, two get the same id in one of 8,000 cases, and then neither is filled in. */
const DIGITS = 8;

/** The key for creating ids. It never leaves the machine, so that nobody can test guesses of a secret against an id. */
export function newNamingKey(): Uint8Array {
  return randomBytes(32);
}

/** The same secret has the same id in all requests and sessions, even after a restart. */
export function secretId(value: string, key: Uint8Array): string {
  return createHmac('sha256', key).update(value).digest('hex').slice(0, DIGITS);
}

export function placeholderOf(id: string, kind: SecretKind): string {
  return `[[gantry-secret-${id}:${kind}]]`;
}

/** Enough to recognize the secret, but far too little to use it. */
export function masked(value: string): string {
  const [line = ''] = value.split(/[\r\n]/, 1);
  const shown = value.length >= 16 ? line.slice(0, 4) : '';
  return l10n.t('{0}… ({1} characters)', shown, value.length);
}
