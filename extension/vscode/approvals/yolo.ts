import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/** Asks whether everything may run without a question. */
export async function confirmYolo(why?: string): Promise<boolean> {
  const yes = l10n.t('Run Everything');
  const answer = await vscode.window.showWarningMessage(
    l10n.t('Run everything without asking in this session?'),
    {
      modal: true,
      detail: [
        ...(why === undefined ? [] : [why]),
        l10n.t(
          'Gantry runs commands and changes files without asking. Files and pages that it reads can influence it.',
        ),
        l10n.t(
          'Only changes to protected files, such as editor and Git configuration, and commands that could destroy a disk, your home folder or the workspace still ask.',
        ),
      ].join(' '),
    },
    yes,
  );
  return answer === yes;
}
