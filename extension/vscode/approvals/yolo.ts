import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Logger } from '../../ports/logger.ts';
import type { WorkspacePort } from '../../ports/workspace.ts';
import { Disposable } from '../base/disposable.ts';
import { reportProblem } from '../base/report.ts';
import type { PanelSession } from '../session/panel-session.ts';

/** Asks whether everything may run without approval. */
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
          "Gantry still asks before it changes protected files, such as editor and Git configuration, and before it runs a command that leaves the sandbox, that it can't check, or that could destroy a disk, your home folder or the workspace.",
        ),
      ].join('\n\n'),
    },
    yes,
  );
  return answer === yes;
}

interface WantedMode {
  /** Whether the user's setting is `yolo`. The setting by itself changes nothing. */
  readonly wantsYolo: boolean;
}

/**
 * Implements `gantry.approvalMode: yolo`. A setting alone must not turn yolo mode on, so each session asks once, when
 * its first run starts. Meanwhile the run continues in default mode.
 */
export class WantedYolo extends Disposable {
  private readonly asked = new Set<string>();

  constructor(
    private readonly session: PanelSession,
    private readonly settings: WantedMode,
    private readonly workspace: WorkspacePort,
    private readonly log: Logger,
  ) {
    super();
    this.register(
      session.onDidChangeState(() => {
        this.ask().catch((error: unknown) => this.log.error('The mode of the session was not set', error));
      }),
    );
  }

  private async ask(): Promise<void> {
    const { session } = this;
    const { id } = session;
    if (id === undefined || this.asked.has(id) || !session.isRunning || session.approvalMode !== 'default') return;
    if (!this.settings.wantsYolo || !this.workspace.isTrusted() || session.heldBy !== undefined) return;
    this.asked.add(id);
    if (!(await confirmYolo(l10n.t('Your setting gantry.approvalMode asks for this.')))) return;
    // The answer applies only to the session that it was asked for.
    if (session.id === id) await reportProblem(await session.setApprovalMode('yolo'));
  }
}
