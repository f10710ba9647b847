import type { RuleDraft } from '../../policy/policy-types.ts';
import { exactCommandPattern } from '../../policy/rules/exact-patterns.ts';
import { type RuleSubject, ruleSubject } from '../../policy/rules/saved-rules.ts';
import type { ShellParser } from '../../policy/shell/shell-types.ts';
import type { ApprovalMode } from '../../protocol/agent/approval-mode.ts';
import type { OpenCall } from '../../scheduler/asked-calls.ts';
import type { CallToTry } from './tried-call.ts';

/** What a rule about a pending call begins with, and the call to try it with. */
export interface RuleForCall {
  readonly subject: RuleSubject;
  /** Whether a rule could allow the call. */
  readonly canAllow: boolean;
  readonly call: CallToTry;
}

/** Describes the call as a person would: a command by its words instead of a pattern for exactly this one. */
export async function ruleForCall(
  { call, tool, grants }: Pick<OpenCall, 'call' | 'tool' | 'grants'>,
  mode: ApprovalMode,
  shellParser: () => Promise<ShellParser>,
): Promise<RuleForCall> {
  const { name, args } = call;
  const { command } = args;
  const isCommand = tool.kind === 'execute' && typeof command === 'string';
  const ofGrant = grants.find(({ id }) => id === 'prefix') ?? (isCommand ? undefined : grants[0]);
  const drafts = ofGrant?.rules ?? (isCommand ? [await commandDraft(name, command, shellParser)] : []);
  const [first = { toolName: name, modes: [], ...(tool.server !== undefined && { mcpName: tool.server }) }] = drafts;
  return {
    subject: { ...ruleSubject(first), ...joined(drafts, 'toolName'), ...joined(drafts, 'commandPrefix') },
    canAllow: grants.length > 0,
    call: { name, args, mode, interactive: true },
  };
}

type Draft = Omit<RuleDraft, 'commandPrefix'> & { readonly commandPrefix?: string };

/** A prefix says nothing about a line that writes to files, or that has more than one command. */
async function commandDraft(
  toolName: string,
  command: string,
  shellParser: () => Promise<ShellParser>,
): Promise<Draft> {
  const parsed = (await shellParser()).parse(command);
  const isOne = parsed.parsed && parsed.isPlain && !parsed.hasRedirection && parsed.commands.length === 1;
  return {
    toolName,
    modes: [],
    ...(isOne ? { commandPrefix: command } : { argsPattern: exactCommandPattern(command) }),
  };
}

/** Rules that differ in one key can be one rule. */
function joined(drafts: readonly Draft[], key: 'toolName' | 'commandPrefix'): RuleSubject {
  const values = [...new Set(drafts.flatMap((draft) => draft[key] ?? []))];
  return values.length > 1 ? { [key]: values } : {};
}
