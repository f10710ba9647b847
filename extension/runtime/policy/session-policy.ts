import * as l10n from '@vscode/l10n';
import { foldPath } from '../../files/fold-path.ts';
import { guardPath } from '../../files/path-guard.ts';
import { contains, resolveRealPath } from '../../files/real-path.ts';
import type { Restrictions } from '../../gemini-config/restrictions.ts';
import type { PolicyRule, RuleDraft, Verdict } from '../../policy/policy-types.ts';
import { type FindNamed, type ProtectedPath, protectedPath } from '../../policy/protected-paths.ts';
import type { Explanation } from '../../policy/rules/explanation.ts';
import { isShellTool } from '../../policy/rules/known-tools.ts';
import type { PolicyEngine } from '../../policy/rules/policy-engine.ts';
import type { PolicyStore } from '../../policy/rules/policy-store.ts';
import { sessionRule } from '../../policy/rules/saved-rules.ts';
import type { ShellParser } from '../../policy/shell/shell-types.ts';
import { type ExtensionFolder, isRuleOfExtension } from '../../ports/extension-folder.ts';
import type { Host } from '../../ports/host.ts';
import type { Tool } from '../../ports/tool.ts';
import { modesFrom } from '../../protocol/agent/approval-mode.ts';
import { protectedWords } from '../../protocol/words/protected-words.ts';
import type { OfferedGrant, PolicyPort } from '../../scheduler/review-ports.ts';
import type { Ruling, ToolCall } from '../../scheduler/tool-call.ts';
import type { SessionJournal } from '../../sessions/session-journal.ts';
import { touchedPaths } from '../../tools/call-arguments.ts';
import { grantsFor, isFileRule } from './call-grants.ts';
import type { SessionMode } from './session-mode.ts';
import type { SessionSandbox } from './session-sandbox.ts';

/** The rules of all files, and where answers become rules. */
export type RuleStore = Pick<PolicyStore, 'engine' | 'remember'>;

export interface SessionPolicyParts {
  readonly host: Pick<Host, 'sessions'>;
  readonly home: string;
  readonly store: RuleStore;
  readonly shellParser: () => Promise<ShellParser>;
  readonly journal: SessionJournal;
  readonly mode: SessionMode;
  readonly sandbox: Pick<SessionSandbox, 'ruling' | 'confines'>;
  /** Finds places that the settings of repositories in the workspace refer to. */
  readonly named: FindNamed;
  /** The name of the agent whose session this is; undefined for the main agent. */
  readonly subagent?: string | undefined;
  /** Rules from the user's own settings, in addition to the policy files. */
  readonly settingRules?: () => readonly PolicyRule[];
  /** Restrictions in the settings of Gemini CLI. */
  readonly restrictions: () => Restrictions;
  /** Configured names of instruction files, in addition to the well-known names. */
  readonly memoryNames: () => readonly string[];
  /** Enabled extensions. */
  readonly extensions: () => readonly ExtensionFolder[];
  /** Called when the rules are up to date. There may be problems to report. */
  readonly rulesRead: () => void;
  /** Reports a problem to the user. */
  readonly warn: (detail: string) => void;
}

export interface ExplainedRuling {
  readonly ruling: Ruling;
  /** Undefined if a setting or a gate refused the call before. */
  readonly explanation: Explanation | undefined;
}

/** Applies the rules to one session, and the gate that no rule opens: protected files never change without asking. */
export class SessionPolicy implements PolicyPort {
  /** The session's grants as rules. They are made again when grants are added, or removed by a rewind. */
  private answers: { readonly of: readonly RuleDraft[]; readonly rules: readonly PolicyRule[] } | undefined;

  constructor(private readonly parts: SessionPolicyParts) {}

  decide(call: ToolCall, tool: Tool): Promise<Ruling> {
    return this.ruling(call, tool, (engine, ...asked) => engine.decide(...asked));
  }

  /** Decides in the same way, and says how the rules took part, if they were asked. */
  async explain(call: ToolCall, tool: Tool): Promise<ExplainedRuling> {
    let explanation: Explanation | undefined;
    const ruling = await this.ruling(call, tool, async (engine, ...asked) => {
      explanation = await engine.explain(...asked);
      return explanation.verdict;
    });
    return { ruling, explanation };
  }

  private async ruling(
    call: ToolCall,
    tool: Tool,
    byRules: (engine: PolicyEngine, ...asked: Parameters<PolicyEngine['decide']>) => Promise<Verdict>,
  ): Promise<Ruling> {
    const { store, host, mode, subagent, restrictions, shellParser } = this.parts;
    const refused = isShellTool(call.name)
      ? await restrictions().commandRefusal(call.args['command'], shellParser)
      : undefined;
    if (refused) return { decision: 'deny', ...refused };
    const engine = await store.engine();
    this.parts.rulesRead();
    const decide = async (isReadOnly = false): Promise<Verdict> =>
      byRules(
        engine,
        {
          name: call.name,
          args: call.args,
          annotations: annotationsOf(tool),
          ...(tool.server !== undefined && { server: tool.server }),
          ...(subagent !== undefined && { subagent }),
        },
        {
          mode: mode.mode(),
          interactive: host.sessions.interactive,
          trusted: mode.workspace().isTrusted(),
          // Commands don't run in the folder for plans.
          roots: (isShellTool(call.name) ? mode.opened : mode.workspace()).roots(),
          // Only the rules of this mode depend on it.
          isConfined:
            mode.mode() === 'yolo' && isShellTool(call.name) && (await this.parts.sandbox.confines(call.args)),
          isReadOnly,
          ...(restrictions().noAlwaysAllow && { ignoresAnswers: true }),
          sessionRules: [...this.sessionRules(), ...(this.parts.settingRules?.() ?? [])],
        },
      );
    const verdict = await decide();
    const ruling = isShellTool(call.name)
      ? await this.parts.sandbox.ruling(call.args, verdict, () => decide(true))
      : verdict;
    if (ruling.decision === 'deny') return ruling;
    return (await this.gateOn(writtenBy(call, tool))) ?? ruling;
  }

  /** Asks if a path is protected. Checks the path as it is written and the path that it resolves to. */
  async gateOn(paths: readonly string[]): Promise<Ruling | undefined> {
    if (paths.length === 0) return undefined;
    const roots = this.parts.mode.workspace().roots();
    const named = (await Promise.all(roots.map(this.parts.named))).flat();
    const places = { home: this.parts.home, roots, named };
    const plans = await this.plansFolder();
    for (const path of paths) {
      const guarded = await guardPath(path, roots);
      // Plans are stored with the session, whose other files the agent must not change.
      if (plans !== undefined && guarded.allowed && isPlan(guarded.path, plans)) continue;
      const real = guarded.allowed ? guarded.path : path;
      const found =
        protectedPath(path, places) ??
        protectedPath(real, places) ??
        this.asInstructions(path, real) ??
        this.asExtension(real);
      if (!found) continue;
      const why = l10n.t(
        '{0} is protected ({1}). Changing it requires approval in every mode.',
        path,
        protectedWords(found.what),
      );
      return { decision: 'ask_user', why, isGate: true };
    }
    return undefined;
  }

  async grantsFor(call: ToolCall, tool: Tool): Promise<readonly OfferedGrant[]> {
    const { shellParser, mode, restrictions } = this.parts;
    if (restrictions().noAlwaysAllow) return [];
    return grantsFor(call, tool, modesFrom(mode.mode()), mode.workspace().roots(), shellParser);
  }

  allowForSession(rules: readonly RuleDraft[]): void {
    this.parts.journal.append({ type: 'grant', rules: [...rules] });
  }

  async remember(rules: readonly RuleDraft[], scope: 'workspace' | 'user'): Promise<void> {
    // Also for this session: the saved rule may not apply until the user has approved the rest of its file.
    this.allowForSession(rules);
    const isAboutFile = rules.some((rule) => isFileRule(rule));
    if (isAboutFile && scope === 'user')
      this.parts.warn(
        l10n.t('It was saved for this folder only, because the path means another file in other folders.'),
      );
    for (const rule of rules) {
      const saved = await this.parts.store.remember(rule, isAboutFile ? 'workspace' : scope);
      if ('problem' in saved) this.parts.warn(l10n.t('{0} It applies to this session.', saved.problem));
      else if (saved.notice !== undefined) this.parts.warn(saved.notice);
    }
  }

  /** The grants of the session. They apply only in interactive sessions, because a user who was watching gave them. */
  private sessionRules(): readonly PolicyRule[] {
    if (!this.parts.host.sessions.interactive || this.parts.restrictions().noAlwaysAllow) return [];
    const { grants } = this.parts.journal.history;
    if (this.answers?.of !== grants) {
      const rules = grants.flatMap((draft) => {
        const outcome = sessionRule(draft);
        return 'rule' in outcome ? [outcome.rule] : [];
      });
      this.answers = { of: grants, rules };
    }
    return this.answers.rules;
  }

  /** Later conversations would follow instructions that the agent writes to these files. */
  private asInstructions(...paths: readonly string[]): ProtectedPath | undefined {
    const names = this.parts.memoryNames().map((name) => name.toLowerCase());
    const isOne = paths.some((path) => names.includes(foldPath(path).at(-1) ?? ''));
    return isOne ? { what: 'instructions for agents' } : undefined;
  }

  private asExtension(real: string): ProtectedPath | undefined {
    const isOne = this.parts.extensions().some((extension) => isRuleOfExtension(extension, real));
    return isOne ? { what: 'part of an extension for agents' } : undefined;
  }

  /** The real path of the plans folder, in plan mode. */
  private async plansFolder(): Promise<string | undefined> {
    const { mode } = this.parts;
    if (mode.mode() !== 'plan' || mode.plansFolder === undefined) return undefined;
    return (await resolveRealPath(mode.plansFolder)).path;
  }
}

function isPlan(path: string, plans: string): boolean {
  return contains(plans, path) && path.toLowerCase().endsWith('.md');
}

function writtenBy(call: ToolCall, tool: Tool): readonly string[] {
  return touchedPaths(tool, call.args).flatMap(({ path, access }) => (access === 'write' ? [path] : []));
}

/** A server describes its own tools, so its `kind` is dropped: it must not make a tool run without asking. */
function annotationsOf({ annotations, kind, server }: Tool): Readonly<Record<string, unknown>> {
  if (server === undefined) return { ...annotations, kind };
  const { kind: _, ...told } = annotations ?? {};
  return told;
}
