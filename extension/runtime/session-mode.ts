import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApprovalMode } from '../protocol/approval-mode.ts';
import type { SessionJournal } from '../sessions/session-journal.ts';
import type { SessionControls } from '../tools/tool.ts';
import type { Host, WorkspacePort } from './host.ts';

/** Where a session keeps its plans; undefined where sessions are not kept. */
export function plansIn(folder: string | undefined): string | undefined {
  return folder === undefined ? undefined : join(folder, 'plans');
}

/** How much runs without a question in one session, and what follows from it for its tools. */
export class SessionMode implements SessionControls {
  constructor(
    private readonly host: Pick<Host, 'workspace' | 'settings'>,
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

  setMode(mode: ApprovalMode): void {
    this.journal.append({ type: 'mode', mode });
  }

  /** A session may begin in plan mode, and a folder that is not there is none that could be written to. */
  async makePlansFolder(): Promise<void> {
    if (this.plansFolder === undefined || this.mode() !== 'plan' || !this.host.workspace.isTrusted()) return;
    await mkdir(this.plansFolder, { recursive: true, mode: 0o700 });
  }

  /** The folder of the plans belongs to what tools work on as long as one is made. */
  workspace(): WorkspacePort {
    const { workspace } = this.host;
    const { plansFolder } = this;
    if (plansFolder === undefined || this.mode() !== 'plan') return workspace;
    return { roots: () => [plansFolder, ...workspace.roots()], isTrusted: () => workspace.isTrusted() };
  }
}
