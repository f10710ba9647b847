import { ProblemError } from '../../protocol/problem.ts';

/** Signing in came to no end. `why` is a sentence without its full stop. */
export function notExchanged(why: string): ProblemError {
  return new ProblemError({
    kind: 'bad-credential',
    title: 'Signing in did not work',
    detail: `${why}. Nothing was changed; try Gantry: Sign In with Google… again.`,
    actions: ['sign-in', 'open-settings'],
  });
}

/** Words of OAuth are plain; what else stands in their place is not shown. */
export function plain(error: string): string {
  return /^[a-z_]{1,60}$/.test(error) ? error : 'an error';
}
