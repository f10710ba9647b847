import { createHmac, randomBytes } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { SecretKind } from './secret-kinds.ts';

/** What the model gets instead of a secret. Anything of this form counts as one, also what nobody has ever made. */
export const PLACEHOLDER = /\[\[gantry-secret-([\w-]{1,40})(?::[\w-]{0,40})?\]\]/g;

/** Eight digits: among a thousand secrets two have the same name once in 8,000 cases, and then neither is put back. */
const DIGITS = 8;

/** The key that names are made with. It never leaves the machine, so that nobody can try out secrets on a name. */
export function newNamingKey(): Uint8Array {
  return randomBytes(32);
}

/** The same secret has the same name in every request and session, also after a restart. */
export function secretId(value: string, key: Uint8Array): string {
  return createHmac('sha256', key).update(value).digest('hex').slice(0, DIGITS);
}

export function placeholderOf(id: string, kind: SecretKind): string {
  return `[[gantry-secret-${id}:${kind}]]`;
}

/** Enough to know which one it is, and far too little to use it. */
export function masked(value: string): string {
  const [line = ''] = value.split(/[\r\n]/, 1);
  const shown = value.length >= 16 ? line.slice(0, 4) : '';
  return l10n.t('{0}… ({1} characters)', shown, value.length);
}
