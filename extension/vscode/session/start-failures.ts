import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Logger } from '../../ports/logger.ts';
import { type Problem, ProblemError } from '../../protocol/agent/problem.ts';
import { withoutLinks } from '../base/escape-ui-text.ts';
import type { RememberedSession } from './remembered-session.ts';

/** The last session could not be restored. It is forgotten, unless the runtime itself failed to load. */
export async function notRestored(error: unknown, remembered: RememberedSession, log: Logger): Promise<void> {
  if (!ProblemError.is(error)) {
    log.error('The agent could not be loaded', error);
    return;
  }
  await remembered.remember(undefined);
  log.warn(`The session of the last time could not be opened: ${error.message}`);
  void vscode.window.showWarningMessage(
    withoutLinks(l10n.t('Gantry started a new session, because the last one could not be opened. {0}', error.message)),
  );
}

export const agentNotStarted = (): Problem => ({
  kind: 'runtime-missing',
  title: l10n.t('The agent could not be started'),
  detail: l10n.t("Your text is back in the input. Reload the window. If that doesn't help, reinstall Gantry."),
  actions: ['show-log'],
});
