import * as l10n from '@vscode/l10n';
import { ProblemError } from '../../protocol/problem.ts';

/** VS Code takes no edit of a document while it reads it anew, and does not say when it is done. */
const WAIT_MS = 50;

/** Ten seconds: no document is read anew for that long, so the edit will never be accepted. */
const ATTEMPTS = 200;

/** Repeats an edit as long as VS Code is busy, which is undefined. Rejects with a `ProblemError` when that has no end. */
export async function whileBusy(
  edit: () => Promise<boolean | undefined>,
  wait: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const outcome = await edit();
    if (outcome !== undefined) return outcome;
    await wait(WAIT_MS);
  }
  throw new ProblemError({
    kind: 'bad-input',
    title: l10n.t('The proposal was not updated'),
    detail: l10n.t(
      'VS Code did not accept the edit. Your text is kept. Close the editor of the proposal, then try again.',
    ),
    actions: [],
  });
}
