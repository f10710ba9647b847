import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { makeFolder } from '../policy/durable-files.ts';
import type { ApprovalMode } from '../protocol/approval-mode.ts';
import type { SessionJournal } from '../sessions/session-journal.ts';
import type { SessionControls } from '../tools/tool.ts';
import type { Subagent } from './agents/subagent.ts';
import type { Host, WorkspacePort } from './host.ts';
import { badInput } from './message-limits.ts';

/** The folder for plans of a session that is kept. */
export function plansIn(sessionFolder: string): string {
  return join(sessionFolder, 'plans');
}

/** How much runs without a question in one session, and what follows from it for its tools. */
export class SessionMode implements SessionControls {
  /** Whether the folder was trusted when the run of this moment began. */
  private trustedRun: boolean | undefined;

  constructor(
    private readonly host: Pick<Host, 'workspace' | 'settings' | 'sessions' | 'log'>,
    private readonly journal: SessionJournal,
    readonly plansFolder: string | undefined,
    /** Instead of the setting, as long as nobody chose another. */
    private readonly first?: ApprovalMode,
    private readonly subagent?: Subagent,
  ) {}

  /** That of the session this one works for: an agent has its mode and its trust, at every moment. */
  private get leader(): SessionMode | undefined {
    return this.subagent?.leader?.mode;
  }

  /** An untrusted folder gets no mode in which anything could run. */
  mode(): ApprovalMode {
    if (this.leader) return this.leader.mode();
    const chosen = this.journal.history.mode ?? this.first ?? this.host.settings.approvalMode();
    return this.isTrusted() || chosen === 'plan' ? chosen : 'default';
  }

  /** Trust that comes while a run is on is for the next one: this one may have been steered by what it read. */
  beginRun(): void {
    this.trustedRun = this.host.workspace.isTrusted();
    this.prepare();
  }

  endRun(): void {
    this.trustedRun = undefined;
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
    if (this.leader) throw badInput(l10n.t('An agent works in the mode of the session that it works for.'));
    this.journal.append({ type: 'mode', mode });
    this.prepare();
  }

  /** What the user opened, with the trust that counts for the run. */
  get opened(): WorkspacePort {
    return { roots: () => this.host.workspace.roots(), isTrusted: () => this.isTrusted() };
  }

  /** The folder of the plans belongs to what tools work on as long as one is made. */
  workspace(): WorkspacePort {
    const { opened, plansFolder } = this;
    if (plansFolder === undefined || this.mode() !== 'plan') return opened;
    return { ...opened, roots: () => [plansFolder, ...opened.roots()] };
  }

  /** A plan is only taken for one in a folder that is there. */
  private prepare(): void {
    if (this.plansFolder === undefined || this.mode() !== 'plan') return;
    try {
      makeFolder(this.plansFolder, 0o700);
    } catch (error) {
      this.host.log.error('There is no folder for plans', error);
    }
  }

  private isTrusted(): boolean {
    return this.trustedRun !== false && this.host.workspace.isTrusted() && (this.leader?.isTrusted() ?? true);
  }
}
