import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CustomCommand } from '../../../commands/custom-command.ts';
import type { WantedCommand } from '../../../commands/prepare-command.ts';
import type { Problem } from '../../../protocol/agent/problem.ts';
import { visible } from '../../base/escape-ui-text.ts';

/** What a dialog shows whole on every system. */
const MOST_SHOWN = 3000;
const MOST_LINES = 30;

type Answer = { readonly agreed: readonly string[] } | { readonly refused: Problem };

/** Whether what a command wants to run may run: one question for all of it, in which each stands as it would run. */
export async function askToRun(
  { name, extension }: Pick<CustomCommand, 'name' | 'extension'>,
  wanted: readonly WantedCommand[],
): Promise<Answer> {
  const denied = wanted.find(({ decision }) => decision === 'deny');
  if (denied) {
    const { command, why } = denied;
    return no(name, l10n.t('It wants to run "{0}", which is not allowed. {1} Nothing was run.', visible(command), why));
  }
  const asked = wanted.flatMap(({ command, decision }) => (decision === 'ask_user' ? [command] : []));
  if (asked.length === 0) return { agreed: [] };
  const detail = asked.map(visible).join('\n\n');
  if (detail.length > MOST_SHOWN || detail.split('\n').length > MOST_LINES)
    return no(name, l10n.t('The command that it wants to run is too long to show for approval. Nothing was run.'));
  const run = asked.length === 1 ? l10n.t('Run Command') : l10n.t('Run Commands');
  const who = extension === undefined ? name : `${name} (${l10n.t('extension {0}', extension)})`;
  const question =
    asked.length === 1
      ? l10n.t('/{0} wants to run this command and send its output. Run it?', who)
      : l10n.t('/{0} wants to run these {1} commands and send their output. Run them?', who, asked.length);
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, run);
  return answer === run ? { agreed: asked } : no(name, l10n.t('You did not approve the command. Nothing was run.'));
}

function no(name: string, detail: string): Answer {
  return { refused: { kind: 'bad-input', title: l10n.t('/{0} was not sent', name), detail, actions: [] } };
}
