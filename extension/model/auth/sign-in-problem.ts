import * as l10n from '@vscode/l10n';
import { ProblemError } from '../../protocol/agent/problem.ts';

/** The problem of a failed sign-in. `why` is a sentence without its full stop. */
export function notExchanged(why: string): ProblemError {
  return new ProblemError({
    kind: 'bad-credential',
    title: l10n.t('Sign-in failed'),
    detail: l10n.t('{0}. Nothing was changed.', why),
    actions: ['sign-in', 'open-settings'],
  });
}

/** Returns OAuth's error code if it is well-formed. Other text is not shown. */
export function plain(error: string): string {
  return /^[a-z_]{1,60}$/.test(error) ? error : l10n.t('an error');
}
