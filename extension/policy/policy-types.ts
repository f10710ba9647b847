import type { ApprovalMode } from '../protocol/agent/approval-mode.ts';

export type Decision = 'allow' | 'ask_user' | 'deny';

/** Who made a rule. A later tier outranks every rule of an earlier one. */
export const TIERS = ['default', 'extension', 'workspace', 'user', 'admin'] as const;
export type Tier = (typeof TIERS)[number];

/** Where a rule stands, so that a person can look at it. */
export interface RuleSource {
  readonly tier: Tier;
  /** For people, such as "User: my.toml". */
  readonly label: string;
  /** Absolute; absent for rules that are in no file, such as an answer for this session. */
  readonly file?: string;
  /** Counted from 1. */
  readonly line?: number;
  /** The name of the extension that brings it along. */
  readonly extension?: string;
}

export interface PolicyRule {
  readonly toolName: string;
  readonly decision: Decision;
  /** Tier and priority in one number: 4.2 is priority 200 of the user tier. */
  readonly priority: number;
  readonly subagent?: string;
  readonly mcpName?: string;
  /** Tested on the canonical text of the arguments. */
  readonly argsPattern?: Pick<RegExp, 'source' | 'flags' | 'test'>;
  readonly modes?: readonly ApprovalMode[];
  readonly interactive?: boolean;
  readonly toolAnnotations?: Readonly<Record<string, unknown>>;
  readonly allowRedirection?: boolean;
  readonly denyMessage?: string;
  /**
   * Set on a rule that covers more than was meant, because part of it could not be read, and on one nobody has accepted
   * yet: it makes what lower rules say stricter and never opens what they close.
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
  /** The agent that makes the call, when it is not the main one. */
  readonly subagent?: string;
}

/** What holds for the session at the moment of the call. */
export interface Circumstances {
  readonly mode: ApprovalMode;
  /** Whether there is somebody to ask. */
  readonly interactive: boolean;
  readonly trusted: boolean;
  readonly roots: readonly string[];
  /** Nobody's "always allow" counts. */
  readonly ignoresAnswers?: boolean;
  /** Allowed "for this session". */
  readonly sessionRules: readonly PolicyRule[];
}

export interface Verdict {
  readonly decision: Decision;
  /** The rule held responsible; none when the call's own nature decided. */
  readonly rule?: PolicyRule;
  /** One sentence for people: why it asks, runs or does not. The model is told why not, so that is in English. */
  readonly why: string;
  /** Why not, for people. */
  readonly shown?: string;
  /** It asks in every mode and whatever the rules say: only this one call can be allowed. */
  readonly isGate?: boolean;
  /** Of a command that may run without a person reading it: what was judged, rewritten. That is what runs. */
  readonly runs?: string;
  /** The question about it offers to ask no more about what runs in the sandbox. */
  readonly offersAutoAllow?: boolean;
  /** It is allowed because the sandbox holds it, and must not run without. */
  readonly onlyConfined?: boolean;
}

/** What a rule made from a person's answer says; it becomes a `PolicyRule` and, when saved, a table of a TOML file. */
export interface RuleDraft {
  readonly toolName: string;
  readonly mcpName?: string;
  readonly commandPrefix?: string;
  /** Source of a regular expression for the canonical text of the arguments. */
  readonly argsPattern?: string;
  readonly allowRedirection?: boolean;
  readonly modes: readonly ApprovalMode[];
}
