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

/** The folder for plans of a stored session. */
export function plansIn(sessionFolder: string): string {
  return join(sessionFolder, 'plans');
}

export interface SessionModeParts {
  readonly host: Pick<Host, 'workspace' | 'settings' | 'sessions' | 'log'>;
  readonly geminiSettings: Pick<SettingsReader, 'restrictions'>;
  readonly journal: SessionJournal;
  /** The mode that applies instead of the setting until the user chooses another. */
  readonly first?: ApprovalMode | undefined;
  /**
   * The mode of the leader, if this session works for one. An agent always has the mode and the trust of its leader.
   */
  readonly leader?: () => SessionMode | undefined;
}

/** The approval mode of one session, and its effects on tools. */
export class SessionMode implements SessionControls {
  /** Whether the folder was trusted when the current run began. */
  private trustedRun: boolean | undefined;

  constructor(
    private readonly parts: SessionModeParts,
    readonly plansFolder: string | undefined,
  ) {}

  private get leader(): SessionMode | undefined {
    return this.parts.leader?.();
  }

  /**
   * The effective mode. Untrusted folders allow only modes in which nothing can run, and settings may forbid a mode.
   */
  mode(): ApprovalMode {
    if (this.leader) return this.leader.mode();
    const { journal, first, host, geminiSettings } = this.parts;
    const wanted = journal.history.mode ?? first ?? host.settings.approvalMode();
    const chosen = forbids(geminiSettings, wanted) ? 'default' : wanted;
    return this.isTrusted() || chosen === 'plan' ? chosen : 'default';
  }

  /** Trust that is granted during a run applies to the next run: content that this run has read may have steered it. */
  beginRun(): void {
    this.trustedRun = this.parts.host.workspace.isTrusted();
    this.prepare();
  }

  endRun(): void {
    this.trustedRun = undefined;
  }

  /**
   * Adjusts the mode when the session continues in another process. Yolo applied only while the user was watching, and
   * the command line sets its mode each time.
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

  /** The open folders, with the trust that applies to the current run. */
  get opened(): WorkspacePort {
    return { roots: () => this.parts.host.workspace.roots(), isTrusted: () => this.isTrusted() };
  }

  /** The folders that tools work on, which include the plans folder in plan mode. */
  workspace(): WorkspacePort {
    const { opened, plansFolder } = this;
    if (plansFolder === undefined || this.mode() !== 'plan') return opened;
    return { ...opened, roots: () => [plansFolder, ...opened.roots()] };
  }

  /** Creates the plans folder, because a plan is only recognized in an existing folder. */
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

/** The setting that forbids a mode. Undefined if none does. */
export function forbids({ restrictions }: Restricting, mode: ApprovalMode): GeminiSetting | undefined {
  const { noYolo, noPlanMode } = restrictions;
  return { yolo: noYolo, plan: noPlanMode, default: undefined, autoEdit: undefined }[mode];
}

/** Checks a mode that a flag or another extension requests, because such a mode must not be replaced silently. */
export function requireWanted(
  { host, geminiSettings }: Pick<SessionModeParts, 'host' | 'geminiSettings'>,
  mode?: ApprovalMode,
): void {
  const wanted = host.sessions.interactive ? mode : host.settings.approvalMode();
  if (wanted !== undefined) requireMode(geminiSettings, wanted);
}

/** Throws a `ProblemError` if settings of Gemini CLI forbid the mode. */
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
