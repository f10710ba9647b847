import { createHash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { Problem } from '../../protocol/agent/problem.ts';

export function textVersion(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** The id contains the version of the text, so that a verdict applies only to the text that the user saw. */
export function itemId(key: string, version: string): string {
  return `${key}@${version}`;
}

/** Whether two ids belong to different versions of the same file. */
export function isOtherVersion(id: string, other: string): boolean {
  return id !== other && keyOf(id) === keyOf(other);
}

export const changedMeanwhile = (): Problem => ({
  kind: 'not-waiting',
  title: l10n.t('This change is no longer what you saw'),
  detail: l10n.t('It has already been decided, or the file has changed. Nothing was done. Review it again.'),
  actions: [],
});

function keyOf(id: string): string {
  return id.slice(0, id.lastIndexOf('@'));
}
