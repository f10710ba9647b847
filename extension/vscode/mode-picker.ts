import * as vscode from 'vscode';
import type { ApprovalMode } from '../protocol/approval-mode.ts';
import type { PanelSession } from './panel-session.ts';
import { reportProblem } from './report.ts';

interface ModeItem extends vscode.QuickPickItem {
  readonly mode: ApprovalMode;
}

const MODES: readonly ModeItem[] = [
  {
    mode: 'default',
    label: 'Ask',
    description: 'default',
    detail: 'Reading and searching run. Changes, commands and web pages ask.',
  },
  {
    mode: 'autoEdit',
    label: 'Edit',
    description: 'autoEdit',
    detail: 'Files change and web pages are fetched without a question. Commands ask.',
  },
  {
    mode: 'plan',
    label: 'Plan',
    description: 'plan',
    detail: 'Nothing changes. Gantry reads, asks and writes a plan.',
  },
  {
    mode: 'yolo',
    label: 'Run everything',
    description: 'yolo',
    detail: 'No questions, except for protected files and commands that could destroy a lot.',
  },
];

/** Asks how much may run without a question in the session shown. */
export async function pickApprovalMode(session: PanelSession): Promise<void> {
  const items = MODES.map((item) => (item.mode === session.approvalMode ? { ...item, picked: true } : item));
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Gantry: Set Approval Mode',
    placeHolder: `Now ${session.approvalMode}. Holds for this session.`,
  });
  if (!picked || picked.mode === session.approvalMode) return;
  if (picked.mode === 'yolo' && !(await isSure())) return;
  await reportProblem(await session.setApprovalMode(picked.mode));
}

async function isSure(): Promise<boolean> {
  const yes = 'Run Everything';
  const answer = await vscode.window.showWarningMessage(
    'Run everything without a question in this session?',
    {
      modal: true,
      detail:
        'Commands run and files change as the model wants, and what it reads may steer it. ' +
        'Only protected files, such as editor and Git configuration, and commands that could destroy a disk, your home or the workspace still ask.',
    },
    yes,
  );
  return answer === yes;
}
