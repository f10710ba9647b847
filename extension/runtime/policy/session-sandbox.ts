import * as l10n from '@vscode/l10n';
import { runsAnew } from '../../policy/rules/decision-text.ts';
import { isForPlans, isShipped } from '../../policy/rules/shell-judge.ts';
import type { Host } from '../../ports/host.ts';
import type { SandboxSettings } from '../../ports/settings.ts';
import type { Confinement } from '../../ports/shell.ts';
import type { ApprovalMode } from '../../protocol/agent/approval-mode.ts';
import { readHostRule } from '../../sandbox/host-rules.ts';
import { NO_SANDBOX, type Sandbox } from '../../sandbox/sandbox.ts';
import type { Ruling } from '../../scheduler/tool-call.ts';
import type { SessionJournal } from '../../sessions/session-journal.ts';
import type { RecordOf } from '../../sessions/session-record.ts';
import type { CommandSandbox } from '../../tools/shell/run-shell-command.ts';

/** A folder or host that the user opened to commands. */
export type SandboxAllowed = Omit<RecordOf<'sandbox_allowed'>, 'type' | 'at'>;

export interface SessionSandboxParts {
  readonly host: Pick<Host, 'settings' | 'workspace' | 'sessions'>;
  readonly sandbox: Sandbox;
  readonly mode: () => ApprovalMode;
  readonly journal: Pick<SessionJournal, 'append' | 'history'>;
  /** The sandbox of the leader, if this session works for one. */
  readonly leader?: () => SessionSandbox | undefined;
}

/** Confines the commands of one session, and decides which of them still ask. */
export class SessionSandbox implements CommandSandbox {
  /** The command whose question offers to stop asking about such commands. Only one command of a session offers it. */
  private offeredWith: unknown;

  constructor(private readonly parts: SessionSandboxParts) {
    // Check the support early, because the list of tools for the model depends on it.
    if (parts.host.workspace.isTrusted()) void parts.sandbox.wanted();
  }

  private get settings(): SandboxSettings {
    return this.parts.host.settings.sandbox?.() ?? NO_SANDBOX;
  }

  /** Whether the sandbox is enabled and, as far as known, works. */
  get isOn(): boolean {
    const { known } = this.parts.sandbox;
    return this.settings.mode !== 'off' && known !== undefined && 'tool' in known;
  }

  /** Checks whether a wanted sandbox works. Returns why commands can't run if it is required and does not work. */
  async refusal(): Promise<string | undefined> {
    const support = await this.parts.sandbox.wanted();
    return support && 'missing' in support && this.settings.mode === 'required' ? support.missing : undefined;
  }

  async confine(outside: boolean): Promise<Confinement | undefined> {
    const refused = await this.refusal();
    if (refused !== undefined) throw new Error(refused);
    if (!this.isOn) return undefined;
    const readOnly = this.parts.mode() === 'plan';
    if (outside && !readOnly) return undefined;
    return this.parts.sandbox.confine({
      roots: this.parts.host.workspace.roots(),
      folders: this.opened('folder'),
      hosts: this.opened('host'),
      readOnly,
    });
  }

  /** The folders (absolute paths) or hosts that the user opened to commands in this session. */
  opened(wanted: SandboxAllowed['kind']): readonly string[] {
    return this.allowed.flatMap(({ kind, what }) => (kind === wanted ? [what] : []));
  }

  private get allowed(): readonly SandboxAllowed[] {
    const { journal, leader } = this.parts;
    return [...journal.history.sandboxAllowed, ...(leader?.()?.allowed ?? [])];
  }

  /** Protected or secret places can't be opened. */
  async mayAllow({ kind, what }: Pick<SandboxAllowed, 'kind' | 'what'>): Promise<boolean> {
    return kind === 'host' ? readHostRule(what)?.isWildcard === false : this.parts.sandbox.mayOpen(what);
  }

  /** Allows it for the rest of the session. `always` says that it was also saved to the settings. */
  allow(allowed: SandboxAllowed): void {
    const { journal } = this.parts;
    if (!journal.history.sandboxAllowed.some((known) => isSame(known, allowed)))
      journal.append({ type: 'sandbox_allowed', ...allowed });
  }

  /** Whether a command would run in the sandbox, and the sandbox protects every file that must not change. */
  async confines(args: Readonly<Record<string, unknown>>): Promise<boolean> {
    await this.parts.sandbox.wanted();
    return this.isOn && args['outside_sandbox'] !== true && !(await this.hasGaps());
  }

  /**
   * Adjusts the decision of the rules to the sandbox. Commands that the sandbox can't contain still ask: those that
   * destroy the workspace, and those that the user's own rules ask about.
   */
  async ruling(
    args: Readonly<Record<string, unknown>>,
    byRules: Ruling,
    /** The decision of the other rules, if the shipped rule for plans refuses it. */
    exceptForPlans: () => Promise<Ruling>,
  ): Promise<Ruling> {
    const refused = await this.refusal();
    if (refused !== undefined) return { decision: 'deny', why: requiredWhy(refused), shown: requiredShown(refused) };
    const mode = this.parts.mode();
    if (!this.isOn) return byRules;
    if (byRules.decision === 'deny')
      return mode === 'plan' && isForPlans(byRules.rule) ? this.looking(args, exceptForPlans) : byRules;
    if (args['outside_sandbox'] === true) {
      if (mode === 'plan') return outsidePlan();
      return mode === 'yolo' && byRules.decision === 'allow' ? this.leaving() : byRules;
    }
    const { decision, rule, isGate } = byRules;
    const mayGiveWay = decision === 'ask_user' && !isGate && (rule === undefined || isShipped(rule));
    const { autoAllow } = this.settings;
    if (!mayGiveWay || !(autoAllow || this.isOfferedWith(args['command'])) || (await this.hasGaps())) return byRules;
    return autoAllow ? allowedInside(args, byRules) : { ...byRules, offersAutoAllow: true };
  }

  private isOfferedWith(command: unknown): boolean {
    if (!this.settings.offersAutoAllow || !this.parts.host.sessions.interactive) return false;
    this.offeredWith ??= command;
    return this.offeredWith === command;
  }

  /** In plan mode, the sandbox lets commands only read. */
  private async looking(
    args: Readonly<Record<string, unknown>>,
    exceptForPlans: () => Promise<Ruling>,
  ): Promise<Ruling> {
    if (args['outside_sandbox'] === true) return outsidePlan();
    // The rule for plans hides rules about a part of the line.
    const byRules = await exceptForPlans();
    if (byRules.decision !== 'allow' && byRules.rule && !isShipped(byRules.rule)) return byRules;
    if (this.settings.autoAllow) return allowedInside(args, byRules);
    if (byRules.decision === 'allow') return { ...byRules, onlyConfined: true };
    const why = l10n.t('In plan mode, the sandbox is read-only.');
    return { decision: this.parts.host.sessions.interactive ? 'ask_user' : 'deny', why };
  }

  /** Yolo is meant for actions that can be undone, which is not the case outside the sandbox. */
  private leaving(): Ruling {
    const why = l10n.t('It would run outside the sandbox, which requires approval in every mode.');
    return { decision: this.parts.host.sessions.interactive ? 'ask_user' : 'deny', why, isGate: true };
  }

  /** Whether there are links with a protected name, which a command could replace. */
  private async hasGaps(): Promise<boolean> {
    if (this.parts.mode() === 'plan') return false;
    const { host, sandbox } = this.parts;
    const found = await Promise.all(host.workspace.roots().map(sandbox.protectedFiles.find));
    return found.some(({ links }) => links.length > 0);
  }
}

function isSame(one: SandboxAllowed, other: SandboxAllowed): boolean {
  const { callId, kind, what, always } = other;
  return one.callId === callId && one.kind === kind && one.what === what && one.always === always;
}

function outsidePlan(): Ruling {
  return {
    decision: 'deny',
    why: "In plan mode, commands run only in the sandbox, where they can't change anything.",
    shown: l10n.t("In plan mode, commands run only in the sandbox, where they can't change anything."),
  };
}

/** It runs as it was judged, if it can be written again. */
function allowedInside({ command }: Readonly<Record<string, unknown>>, { runs }: Ruling): Ruling {
  const allowed: Ruling = {
    decision: 'allow',
    why: l10n.t('It runs in the sandbox, and you allowed that.'),
    // The setting may have changed by the time the command starts.
    onlyConfined: true,
  };
  return runs === undefined || typeof command !== 'string' ? allowed : runsAnew(allowed, runs, command);
}

function requiredWhy(missing: string): string {
  return `Commands are off: they must run in a sandbox, and there is none. ${missing}`;
}

function requiredShown(missing: string): string {
  return l10n.t('Commands are off: "gantry.sandbox.mode" is "required", and there is no sandbox. {0}', missing);
}
