import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ApprovalMode } from '../../protocol/agent/approval-mode.ts';
import { aboutMode, modeTitle } from '../../protocol/words/mode-words.ts';
import { confirmYolo } from '../approvals/yolo.ts';
import { reportProblem } from '../base/report.ts';
import { BuiltIn } from '../names.ts';
import type { PanelSession } from '../session/panel-session.ts';

interface ModeItem extends vscode.QuickPickItem {
  readonly mode: ApprovalMode;
}

interface TrustItem extends vscode.QuickPickItem {
  readonly managesTrust: true;
}

/** The order in which people need them. */
const SHOWN: readonly ApprovalMode[] = ['default', 'autoEdit', 'plan', 'yolo'];

const modes = (): readonly ModeItem[] =>
  SHOWN.map((mode) => ({ mode, label: modeTitle(mode), description: mode, detail: aboutMode(mode) }));

/** Asks what may run without approval in the session shown. */
export async function pickApprovalMode(session: PanelSession): Promise<void> {
  const items = modes().map((item) => (item.mode === session.approvalMode ? { ...item, picked: true } : item));
  const { isTrusted } = vscode.workspace;
  const picked = await vscode.window.showQuickPick<ModeItem | TrustItem>(isTrusted ? items : readOnlyItems(items), {
    title: l10n.t('Gantry: Set Approval Mode'),
    placeHolder: isTrusted
      ? l10n.t('Current mode: {0}. A change applies to this session.', session.approvalMode)
      : l10n.t('This folder is not trusted: Gantry only reads, in every mode.'),
  });
  if (!picked) return;
  if ('managesTrust' in picked) {
    await vscode.commands.executeCommand(BuiltIn.manageTrust);
    return;
  }
  if (picked.mode === session.approvalMode) return;
  if (picked.mode === 'yolo' && !(await confirmYolo())) return;
  await reportProblem(await session.setApprovalMode(picked.mode));
}

/** In Restricted Mode, the modes that let more run have no effect, so they are not offered. */
function readOnlyItems(items: readonly ModeItem[]): (ModeItem | TrustItem)[] {
  const manage: TrustItem = {
    managesTrust: true,
    label: `$(workspace-untrusted) ${l10n.t('Manage Workspace Trust')}`,
    detail: l10n.t('In a trusted folder, Gantry can also edit files and run commands.'),
  };
  const detail = l10n.t('Gantry reads and searches. It changes nothing.');
  const [asking] = items.filter(({ mode }) => mode === 'default').map((item) => ({ ...item, detail }));
  return [...(asking ? [asking] : []), ...items.filter(({ mode }) => mode === 'plan'), manage];
}
