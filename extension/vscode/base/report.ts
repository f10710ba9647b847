import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { namedFailure } from '../../files/file-failure.ts';
import type { Logger } from '../../ports/logger.ts';
import { type Problem, type ProblemAction, ProblemError, problemText } from '../../protocol/agent/problem.ts';
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

/** Reports to the user why an action was refused, and offers what settles it. */
export async function reportProblem(problem: Problem | undefined): Promise<void> {
  if (problem) await warnOfProblem(problemText(problem), problem.actions);
}

/** Shows a warning with those actions of a problem that work without the panel. */
export async function warnOfProblem(text: string, actions: readonly ProblemAction[]): Promise<void> {
  const choices = waysToConnect().filter(({ action }) => actions.includes(action));
  const label = await vscode.window.showWarningMessage(withoutLinks(text), ...choices.map((choice) => choice.label));
  const choice = choices.find((each) => each.label === label);
  if (choice) await vscode.commands.executeCommand(choice.command);
}

interface WayToConnect {
  readonly action: ProblemAction;
  readonly label: string;
  readonly command: string;
}

const waysToConnect = (): readonly WayToConnect[] => [
  { action: 'set-api-key', label: l10n.t('Set API Key…'), command: Commands.setApiKey },
  { action: 'sign-in', label: l10n.t('Sign In with Google…'), command: Commands.signIn },
  { action: 'open-settings', label: l10n.t('Open Settings'), command: Commands.openSettings },
];
