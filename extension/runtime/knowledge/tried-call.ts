import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import type { GeminiSetting } from '../../gemini-config/gemini-settings.ts';
import { SettingsReader } from '../../gemini-config/settings-reader.ts';
import { gateRefusal } from '../../policy/gates.ts';
import type { PolicyRule } from '../../policy/policy-types.ts';
import type { UnsavedFile } from '../../policy/rules/policy-store.ts';
import type { ApprovalMode } from '../../protocol/agent/approval-mode.ts';
import { withOwnQuestions } from '../../scheduler/call-review.ts';
import type { Ruling, ToolCall } from '../../scheduler/tool-call.ts';
import { NO_LOG, SessionJournal } from '../../sessions/session-journal.ts';
import { touchedPaths } from '../../tools/call-arguments.ts';
import { newHeader } from '../library/new-session.ts';
import { forbids } from '../policy/session-mode.ts';
import type { ExplainedRuling, RuleStore } from '../policy/session-policy.ts';
import { createRules, settingRules } from '../policy/session-rules.ts';
import { withInteractive } from '../service-parts.ts';
import type { SharedParts } from '../session-parts.ts';
import { toolsToShow } from './listed-tools.ts';

/** A call to decide about without running it. */
export interface CallToTry extends Pick<ToolCall, 'name' | 'args'> {
  readonly mode: ApprovalMode;
  /** Whether somebody could be asked. */
  readonly interactive: boolean;
  /** As if the folder were not trusted. The opposite can't be tried: it would run programs in the folder. */
  readonly asUntrusted?: boolean;
  /** A policy file to try, as it is in an editor. */
  readonly unsaved?: UnsavedFile;
}

export interface TriedCall extends ExplainedRuling {
  /** The mode that applies, which isn't always the chosen one. */
  readonly mode: ApprovalMode;
  /** The setting that forbids the chosen mode. */
  readonly forbiddenBy?: GeminiSetting;
  readonly isTrusted: boolean;
  /** The tool asks by itself, whatever the rules allow. */
  readonly asksItself: boolean;
}

/** All rules that a new session would have, in the order in which they are asked. */
export async function allRules(shared: SharedParts): Promise<readonly PolicyRule[]> {
  await readSettings(shared);
  const ofFiles = await shared.policies.rules();
  return [...ofFiles, ...settingRules(shared)].sort((a, b) => b.priority - a.priority);
}

/** The decision about a call of a new session. Undefined if there is no such tool. */
export async function tryCall(everyone: SharedParts, call: CallToTry): Promise<TriedCall | undefined> {
  const { name, args, interactive } = call;
  const asked = withInteractive(everyone, interactive);
  const shared: TrialParts = call.asUntrusted
    ? inUntrustedFolder(asked)
    : { ...asked, readSettings: () => readSettings(asked) };
  await shared.readSettings();
  const journal = new SessionJournal(newHeader(shared.host), NO_LOG, shared.host.clock);
  const sources = { ...shared, policies: storeFor(shared.policies, call) };
  const { mode, policy, sandbox } = createRules(sources, { journal, warn: () => undefined }, call.mode);
  const isTrusted = mode.workspace().isTrusted();
  // Looking for a sandbox starts processes, which an untrusted folder never does.
  if (isTrusted) await shared.sandbox.wanted();
  const tool = toolsToShow(shared, sandbox).find((one) => one.name === name);
  if (!tool) return undefined;
  const forbiddenBy = forbids(shared.geminiSettings, call.mode);
  const about = {
    mode: mode.mode(),
    isTrusted,
    asksItself: tool.alwaysAsks === true,
    ...(forbiddenBy && { forbiddenBy }),
  };
  const touched = touchedPaths(tool, args);
  const surroundings = { workspace: mode.workspace(), mode: mode.mode(), plansFolder: undefined };
  const { restrictions } = shared.geminiSettings;
  const refused = restrictions.refusal(tool) ?? (await gateRefusal(tool, touched, surroundings));
  if (refused) return { ...about, ruling: { decision: 'deny', ...refused }, explanation: undefined };
  const { ruling, explanation } = await policy.explain({ id: 'tried', name, args }, tool);
  const final = withOwnQuestions(ruling, tool, args, { interactive });
  return { ...about, ruling: final.decision === 'ask_user' && !interactive ? unanswerable(final) : final, explanation };
}

/** What the decision of a call comes from. */
interface TrialParts extends Omit<SharedParts, 'mcp' | 'agents'> {
  readonly mcp: Pick<SharedParts['mcp'], 'rules' | 'tools'>;
  readonly agents: Pick<SharedParts['agents'], 'rules' | 'agents'>;
  /** Reads what a session would read when it begins, as far as rules come from it. */
  readonly readSettings: () => Promise<unknown>;
}

/** In an untrusted folder, other settings and policy files count, and there are no servers and no other agents. */
function inUntrustedFolder(shared: SharedParts): TrialParts {
  const workspace = { roots: () => shared.host.workspace.roots(), isTrusted: () => false };
  const { environment } = shared.host;
  const geminiSettings = new SettingsReader({ workspace, environment, home: homedir() });
  return {
    ...shared,
    host: { ...shared.host, workspace },
    policies: shared.policies.asUntrusted(),
    geminiSettings,
    mcp: { rules: [], tools: () => [] },
    agents: { rules: [], agents: () => [] },
    readSettings: () => geminiSettings.refresh(),
  };
}

function storeFor(store: SharedParts['policies'], { unsaved, asUntrusted }: CallToTry): RuleStore {
  // The files of an untrusted folder don't count, saved or not.
  if (!unsaved || (asUntrusted && unsaved.tier === 'workspace')) return store;
  return { engine: () => store.trial(unsaved), remember: (...answer) => store.remember(...answer) };
}

/** A call that requires approval is refused where nobody can be asked. */
function unanswerable({ why, shown = why, ...ruling }: Ruling): Ruling {
  return {
    ...ruling,
    decision: 'deny',
    why: `Nobody can be asked. ${why}`.trim(),
    shown: `${l10n.t('Nobody can be asked.')} ${shown}`.trim(),
  };
}

async function readSettings({ geminiSettings, agents, mcp }: SharedParts): Promise<void> {
  await Promise.all([geminiSettings.refresh(), agents.refresh(), mcp.look()]);
}
