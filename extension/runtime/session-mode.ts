import { join } from 'node:path';
import type { ApprovalMode } from '../protocol/approval-mode.ts';
import type { SessionJournal } from '../sessions/session-journal.ts';
import type { SessionControls } from '../tools/tool.ts';
import type { Host, WorkspacePort } from './host.ts';

/** The folder for plans of a session that is kept. */
export function plansIn(sessionFolder: string): string {
  return join(sessionFolder, 'plans');
}

/** How much runs without a question in one session, and what follows from it for its tools. */
export class SessionMode implements SessionControls {
  constructor(
    private readonly host: Pick<Host, 'workspace' | 'settings' | 'sessions'>,
    private readonly journal: SessionJournal,
    readonly plansFolder: string | undefined,
    /** Instead of the setting, as long as nobody chose another. */
    private readonly first?: ApprovalMode,
  ) {}

  /** An untrusted folder gets no mode in which anything could run. */
  mode(): ApprovalMode {
    const chosen = this.journal.history.mode ?? this.first ?? this.host.settings.approvalMode();
    return this.host.workspace.isTrusted() || chosen === 'plan' ? chosen : 'default';
  }

  /**
   * The session goes on in another process. That everything runs was said for as long as somebody watched it; and a
   * command line says itself, each time, what it allows.
   */
  takeUp(): void {
    const { settings, sessions } = this.host;
    const { mode: earlier } = this.journal.history;
    const isKept = sessions.interactive && earlier !== 'yolo';
    if (earlier === undefined || isKept || earlier === settings.approvalMode()) return;
    this.setMode(settings.approvalMode());
  }

  setMode(mode: ApprovalMode): void {
    this.journal.append({ type: 'mode', mode });
  }

  /** The folder of the plans belongs to what tools work on as long as one is made. */
  workspace(): WorkspacePort {
    const { workspace } = this.host;
    const { plansFolder } = this;
    if (plansFolder === undefined || this.mode() !== 'plan') return workspace;
    return { roots: () => [plansFolder, ...workspace.roots()], isTrusted: () => workspace.isTrusted() };
  }
}
