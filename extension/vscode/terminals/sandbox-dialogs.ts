import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Logger } from '../../ports/logger.ts';
import type { BlockedCommand } from '../../runtime/commands/blocked-commands.ts';
import { reportFailure, reportProblem } from '../base/report.ts';
import { Settings } from '../names.ts';
import { addToSetting, saveSetting } from '../settings.ts';
import type { SandboxDialogs } from './sandbox-handlers.ts';

export function sandboxDialogs(log: Logger): SandboxDialogs {
  return {
    confirmOutside,
    say: async (text) => void (await vscode.window.showInformationMessage(text)),
    saveAutoAllow: (allowed) => saveSetting(Settings.sandboxAutoAllow, allowed),
    saveOpened: (kind, what) => addToSetting(kind === 'host' ? Settings.sandboxNetwork : Settings.sandboxFolders, what),
    reportProblem,
    reportFailure: (what, error) => reportFailure(what, error, log),
  };
}

/** Shows the full command, because the card shows only one line of it. */
async function confirmOutside({ command, folder }: BlockedCommand): Promise<boolean> {
  const yes = l10n.t('Run Outside the Sandbox');
  const answer = await vscode.window.showWarningMessage(
    l10n.t('Run this command outside the sandbox?'),
    {
      modal: true,
      detail: [
        command,
        l10n.t('In {0}', folder),
        l10n.t('Outside the sandbox, the command can do everything that you can.'),
      ].join('\n\n'),
    },
    yes,
  );
  return answer === yes;
}
