import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { namedFailure } from '../../files/file-failure.ts';
import type { Logger } from '../../ports/logger.ts';
import { type Problem, ProblemError, problemText } from '../../protocol/agent/problem.ts';
import { Commands } from '../names.ts';
import { withoutLinks } from './escape-ui-text.ts';

/** Reports to the user that an action failed. */
export async function reportFailure(what: string, error: unknown, log: Logger): Promise<void> {
  if (ProblemError.is(error)) {
    await reportProblem(error.problem);
    return;
  }
  log.error(`${what} failed`, error);
  const showLog = l10n.t('Show Log');
  const reason = namedFailure(error);
  const choice = await vscode.window.showErrorMessage(withoutLinks(`Gantry: ${reason}`), showLog);
  if (choice === showLog) await vscode.commands.executeCommand(Commands.showLog);
}

/** Reports to the user why an action was refused. */
export async function reportProblem(problem: Problem | undefined): Promise<void> {
  if (problem) await vscode.window.showWarningMessage(withoutLinks(problemText(problem)));
}
