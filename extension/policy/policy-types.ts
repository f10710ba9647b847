import type { ApprovalMode } from '../protocol/agent/approval-mode.ts';

export type Decision = 'allow' | 'ask_user' | 'deny';

/** The origin of a rule. A later tier outranks every rule of an earlier tier. */
export const TIERS = ['default', 'extension', 'workspace', 'user', 'admin'] as const;
export type Tier = (typeof TIERS)[number];

/** The location of a rule, so that a person can open it. */
export interface RuleSource {
  readonly tier: Tier;
  /** For people, such as "User: my.toml". */
  readonly label: string;
  /** Absolute. Absent for rules that are not in a file, such as an answer for this session. */
  readonly file?: string;
  /** Counted from 1. */
  readonly line?: number;
  /** The name of the extension that contains the rule. */
  readonly extension?: string;
}

export interface PolicyRule {
  readonly toolName: string;
  readonly decision: Decision;
  /** Tier and priority in one number: 4.2 is priority 200 of the user tier. */
  readonly priority: number;
  readonly subagent?: string;
  readonly mcpName?: string;
  /** Tested against the canonical text of the arguments. */
  readonly argsPattern?: Pick<RegExp, 'source' | 'flags' | 'test'>;
  readonly modes?: readonly ApprovalMode[];
  readonly interactive?: boolean;
  readonly toolAnnotations?: Readonly<Record<string, unknown>>;
  readonly allowRedirection?: boolean;
  readonly denyMessage?: string;
  /**
   * Set on a rule that covers more than intended because part of it is invalid, and on a rule that the user hasn't
   * accepted yet. Such a rule can make the result of lower rules stricter, but never more permissive.
   */
  readonly onlyTightens?: boolean;
  readonly source: RuleSource;
}

/** A call as the rules see it. */
export interface PolicyCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The MCP server, for its tools. */
  readonly server?: string;
  readonly annotations?: Readonly<Record<string, unknown>>;
  /** The subagent that makes the call. Absent for the main agent. */
  readonly subagent?: string;
}

/** The state of the session at the moment of the call. */
export interface Circumstances {
  readonly mode: ApprovalMode;
  /** Whether a user can be asked. */
  readonly interactive: boolean;
  readonly trusted: boolean;
  readonly roots: readonly string[];
  /** Whether a command would run in the sandbox, so that it can't change protected files. */
  readonly isConfined?: boolean;
  /** In plan mode: whether the sandbox lets a command only read, so that the shipped rule for plans needn't refuse it. */
  readonly isReadOnly?: boolean;
  /** Whether saved "always allow" answers are ignored. */
  readonly ignoresAnswers?: boolean;
  /** Rules from answers "for this session". */
  readonly sessionRules: readonly PolicyRule[];
}

export interface Verdict {
  readonly decision: Decision;
  /** The rule that decided. Absent if no rule did. */
  readonly rule?: PolicyRule;
  /**
   * One sentence for people that says why the call asks, runs or is refused. In English for a refusal, because the
   * model gets it too.
   */
  readonly why: string;
  /** The reason of a refusal, in the user's language. */
  readonly shown?: string;
  /** Asks in every mode, whatever the rules say: only this single call can be allowed. */
  readonly isGate?: boolean;
  /** The command to run instead if no person reads it first, rewritten from its parsed words. */
  readonly runs?: string;
  /** Whether the question also offers to stop asking about commands that run in the sandbox. */
  readonly offersAutoAllow?: boolean;
  /** The call is allowed only because the sandbox confines it, so it must not run outside the sandbox. */
  readonly onlyConfined?: boolean;
}

/** The file for rules made from answers. */
export const AUTO_SAVED = 'auto-saved.toml';

/** A rule made from a user's answer. It becomes a `PolicyRule` and, if saved, a table of a TOML file. */
export interface RuleDraft {
  readonly toolName: string;
  readonly mcpName?: string;
  readonly commandPrefix?: string;
  /** Source of a regular expression for the canonical text of the arguments. */
  readonly argsPattern?: string;
  readonly allowRedirection?: boolean;
  readonly modes: readonly ApprovalMode[];
}
