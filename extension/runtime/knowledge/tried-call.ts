import { gateRefusal } from '../../policy/gates.ts';
import type { PolicyRule } from '../../policy/policy-types.ts';
import type { ApprovalMode } from '../../protocol/agent/approval-mode.ts';
import type { ToolCall } from '../../scheduler/tool-call.ts';
import { NO_LOG, SessionJournal } from '../../sessions/session-journal.ts';
import { touchedPaths } from '../../tools/call-arguments.ts';
import { newHeader } from '../library/new-session.ts';
import type { ExplainedRuling } from '../policy/session-policy.ts';
import { createRules, settingRules } from '../policy/session-rules.ts';
import { withInteractive } from '../service-parts.ts';
import type { SharedParts } from '../session-parts.ts';
import { toolsToShow } from './listed-tools.ts';

/** A call to decide about without running it. */
export interface CallToTry extends Pick<ToolCall, 'name' | 'args'> {
  readonly mode: ApprovalMode;
  /** Whether somebody could be asked. */
  readonly interactive: boolean;
}

/** All rules that a new session would have, in the order in which they are asked. */
export async function allRules(shared: SharedParts): Promise<readonly PolicyRule[]> {
  await readSettings(shared);
  const ofFiles = await shared.policies.rules();
  return [...ofFiles, ...settingRules(shared)].sort((a, b) => b.priority - a.priority);
}

/** The decision about a call of a new session. Undefined if there is no such tool. */
export async function tryCall(
  everyone: SharedParts,
  { name, args, mode: approvalMode, interactive }: CallToTry,
): Promise<ExplainedRuling | undefined> {
  const shared = withInteractive(everyone, interactive);
  await readSettings(shared);
  const journal = new SessionJournal(newHeader(shared.host), NO_LOG, shared.host.clock);
  const { mode, policy, sandbox } = createRules(shared, { journal, warn: () => undefined }, approvalMode);
  // Looking for a sandbox starts processes, which an untrusted folder never does.
  if (mode.workspace().isTrusted()) await shared.sandbox.wanted();
  const tool = toolsToShow(shared, sandbox).find((one) => one.name === name);
  if (!tool) return undefined;
  const touched = touchedPaths(tool, args);
  const surroundings = { workspace: mode.workspace(), mode: mode.mode(), plansFolder: undefined };
  const { restrictions } = shared.geminiSettings;
  const refused = restrictions.refusal(tool) ?? (await gateRefusal(tool, touched, surroundings));
  if (refused) return { ruling: { decision: 'deny', ...refused }, explanation: undefined };
  return policy.explain({ id: 'tried', name, args }, tool);
}

/** Reads what a session would read when it begins, as far as rules come from it. */
async function readSettings({ geminiSettings, agents, mcp }: SharedParts): Promise<void> {
  await Promise.all([geminiSettings.refresh(), agents.refresh(), mcp.look()]);
}
