import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { makeFolder } from '../../files/durable-files.ts';
import type { GeminiSetting } from '../../gemini-config/gemini-settings.ts';
import type { SettingsReader } from '../../gemini-config/settings-reader.ts';
import type { Host } from '../../ports/host.ts';
import type { SessionControls } from '../../ports/tool.ts';
import type { WorkspacePort } from '../../ports/workspace.ts';
import type { ApprovalMode } from '../../protocol/agent/approval-mode.ts';
import { ProblemError } from '../../protocol/agent/problem.ts';
import type { SessionJournal } from '../../sessions/session-journal.ts';
import { badInput } from '../problems/message-limits.ts';

/** The folder for plans of a session that is kept. */
export function plansIn(sessionFolder: string): string {
  return join(sessionFolder, 'plans');
}

export interface SessionModeParts {
  readonly host: Pick<Host, 'workspace' | 'settings' | 'sessions' | 'log'>;
  readonly geminiSettings: Pick<SettingsReader, 'restrictions'>;
  readonly journal: SessionJournal;
  /** Instead of the setting, as long as nobody chose another. */
  readonly first?: ApprovalMode | undefined;
  /** That of the session this one works for: an agent has its mode and its trust, at every moment. */
  readonly leader?: () => SessionMode | undefined;
}

/** How much runs without a question in one session, and what follows from it for its tools. */
export class SessionMode implements SessionControls {
  /** Whether the folder was trusted when the run of this moment began. */
  private trustedRun: boolean | undefined;

  constructor(
    private readonly parts: SessionModeParts,
    readonly plansFolder: string | undefined,
  ) {}

  private get leader(): SessionMode | undefined {
    return this.parts.leader?.();
  }

  /** An untrusted folder gets no mode in which anything could run, and settings may forbid one. */
  mode(): ApprovalMode {
    if (this.leader) return this.leader.mode();
    const { journal, first, host, geminiSettings } = this.parts;
    const wanted = journal.history.mode ?? first ?? host.settings.approvalMode();
    const chosen = forbids(geminiSettings, wanted) ? 'default' : wanted;
    return this.isTrusted() || chosen === 'plan' ? chosen : 'default';
  }

  /** Trust that comes while a run is on is for the next one: this one may have been steered by what it read. */
  beginRun(): void {
    this.trustedRun = this.parts.host.workspace.isTrusted();
    this.prepare();
  }

  endRun(): void {
    this.trustedRun = undefined;
  }

  /**
   * The session continues in another process. That everything runs was said for as long as somebody watched it; and a
   * command line says itself, each time, what it allows.
   */
  takeUp(): void {
    const { settings, sessions } = this.parts.host;
    const { mode: earlier } = this.parts.journal.history;
    const isKept = sessions.interactive && earlier !== 'yolo';
    if (earlier === undefined || isKept || earlier === settings.approvalMode()) return;
    this.parts.journal.append({ type: 'mode', mode: settings.approvalMode() });
    this.prepare();
  }

  setMode(mode: ApprovalMode): void {
    if (this.leader) throw badInput(l10n.t('An agent uses the mode of the session that it works for.'));
    requireMode(this.parts.geminiSettings, mode);
    this.parts.journal.append({ type: 'mode', mode });
    this.prepare();
  }

  /** What the user opened, with the trust that counts for the run. */
  get opened(): WorkspacePort {
    return { roots: () => this.parts.host.workspace.roots(), isTrusted: () => this.isTrusted() };
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
      this.parts.host.log.error('There is no folder for plans', error);
    }
  }

  private isTrusted(): boolean {
    return this.trustedRun !== false && this.parts.host.workspace.isTrusted() && (this.leader?.isTrusted() ?? true);
  }
}

type Restricting = SessionModeParts['geminiSettings'];

function forbids({ restrictions }: Restricting, mode: ApprovalMode): GeminiSetting | undefined {
  const { noYolo, noPlanMode } = restrictions;
  return { yolo: noYolo, plan: noPlanMode, default: undefined, autoEdit: undefined }[mode];
}

/** The same for what a flag or another extension asks for, which is not quietly replaced. */
export function requireWanted(
  { host, geminiSettings }: Pick<SessionModeParts, 'host' | 'geminiSettings'>,
  mode?: ApprovalMode,
): void {
  const wanted = host.sessions.interactive ? mode : host.settings.approvalMode();
  if (wanted !== undefined) requireMode(geminiSettings, wanted);
}

/** Throws a `ProblemError` for a mode that settings of Gemini CLI take away. */
function requireMode(settings: Restricting, mode: ApprovalMode): void {
  const by = forbids(settings, mode);
  if (!by) return;
  throw new ProblemError({
    kind: 'bad-configuration',
    title: l10n.t('The approval mode {0} is off', mode),
    detail: l10n.t('"{0}" in {1} forbids it. Choose another mode, or change that setting.', by.key, by.file),
    actions: [],
  });
}
