import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ApprovalMode } from '../../protocol/agent/approval-mode.ts';
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

const modes = (): readonly ModeItem[] => [
  {
    mode: 'default',
    label: l10n.t('Ask'),
    description: 'default',
    detail: l10n.t('Gantry reads and searches. It asks before changes, commands and web pages.'),
  },
  {
    mode: 'autoEdit',
    label: l10n.t('Edit'),
    description: 'autoEdit',
    detail: l10n.t('Gantry edits files and fetches web pages. Commands require approval.'),
  },
  {
    mode: 'plan',
    label: l10n.t('Plan'),
    description: 'plan',
    detail: l10n.t('Gantry reads, asks and writes a plan. It changes nothing.'),
  },
  {
    mode: 'yolo',
    label: l10n.t('Run everything'),
    description: 'yolo',
    detail: l10n.t('Gantry asks only for protected files and for risky or unclear commands.'),
  },
];

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
