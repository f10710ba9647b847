import type { RuleDraft } from '../policy/policy-types.ts';
import type { Tool } from '../ports/tool.ts';
import type { Grant } from '../protocol/agent/approval.ts';
import type { Ruling, ToolCall } from './tool-call.ts';

/** What may run, as the rules of this session say at this moment. */
export interface PolicyPort {
  decide(call: ToolCall, tool: Tool): Promise<Ruling>;
  /** That a person has to decide, when one of the files to be written is protected. No rule counts for those. */
  gateOn(paths: readonly string[]): Promise<Ruling | undefined>;
  /** What "for this session" and "always" could cover, the narrowest first. */
  grantsFor(call: ToolCall, tool: Tool): Promise<readonly OfferedGrant[]>;
  allowForSession(rules: readonly RuleDraft[]): void;
  /** Saves the rules where the user can see and delete them. */
  remember(rules: readonly RuleDraft[], scope: 'workspace' | 'user'): Promise<void>;
}

export interface OfferedGrant extends Grant {
  readonly rules: readonly RuleDraft[];
}
