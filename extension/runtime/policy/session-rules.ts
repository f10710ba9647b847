import { homedir } from 'node:os';
import type { AgentCatalog } from '../../agents/agent-catalog.ts';
import type { Emitter } from '../../base/emitter.ts';
import type { MemoryFiles } from '../../context/memory/memory-files.ts';
import type { SettingsReader } from '../../gemini-config/settings-reader.ts';
import type { ExtensionCatalog } from '../../gemini-extensions/extension-catalog.ts';
import type { McpServers } from '../../mcp/mcp-servers.ts';
import type { PolicyRule } from '../../policy/policy-types.ts';
import type { ShellParser } from '../../policy/shell/shell-types.ts';
import type { Host } from '../../ports/host.ts';
import type { ApprovalMode } from '../../protocol/agent/approval-mode.ts';
import type { Problem } from '../../protocol/agent/problem.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { SessionJournal } from '../../sessions/session-journal.ts';
import { policyProblem } from '../problems/file-problems.ts';
import { SessionMode } from './session-mode.ts';
import { type RuleStore, SessionPolicy } from './session-policy.ts';
import { SessionSandbox } from './session-sandbox.ts';

/** What rules come from, and what decides with them. */
interface RuleSources {
  readonly host: Host;
  readonly policies: RuleStore;
  readonly geminiSettings: Pick<SettingsReader, 'restrictions'>;
  readonly mcp: Pick<McpServers, 'rules'>;
  readonly agents: Pick<AgentCatalog, 'rules'>;
  readonly extensions: ExtensionCatalog;
  readonly memory: Pick<MemoryFiles, 'knownNames'>;
  readonly sandbox: Sandbox;
  readonly shellParser: () => Promise<ShellParser>;
  readonly rulesRead: Pick<Emitter, 'fire'>;
}

/** What the rules of a session are about. */
interface RulesBase {
  readonly journal: SessionJournal;
  /** The rules of the leader, if this session works for one. */
  readonly leader?: () => Pick<SessionRules, 'mode' | 'sandbox'> | undefined;
  /** MCP servers that only this session uses. */
  readonly servers?: McpServers | undefined;
  readonly plansFolder?: string | undefined;
  readonly warn: (problem: Problem) => void;
}

/** What may run in a session without asking. */
export interface SessionRules {
  readonly mode: SessionMode;
  readonly sandbox: SessionSandbox;
  readonly policy: SessionPolicy;
}

/** Rules from settings, and from what the user said about servers, agents and extensions. */
export function settingRules(
  { geminiSettings, mcp, agents, extensions }: Pick<RuleSources, 'geminiSettings' | 'mcp' | 'agents' | 'extensions'>,
  servers?: McpServers,
): readonly PolicyRule[] {
  return [geminiSettings.restrictions, mcp, servers, agents, extensions].flatMap((of) => of?.rules ?? []);
}

/** Phase 2 of building a session. */
export function createRules(sources: RuleSources, base: RulesBase, first?: ApprovalMode): SessionRules {
  const { host, policies: store, shellParser, rulesRead, extensions, memory, geminiSettings } = sources;
  const { journal, leader, servers, plansFolder, warn } = base;
  const mode = new SessionMode({ host, geminiSettings, journal, first, leader: () => leader?.()?.mode }, plansFolder);
  const sandbox = new SessionSandbox({
    host,
    sandbox: sources.sandbox,
    mode: () => mode.mode(),
    journal,
    leader: () => leader?.()?.sandbox,
  });
  const policy = new SessionPolicy({
    host,
    home: homedir(),
    store,
    shellParser,
    journal,
    mode,
    sandbox,
    named: sources.sandbox.named,
    subagent: journal.header.agent,
    restrictions: () => geminiSettings.restrictions,
    settingRules: () => settingRules(sources, servers),
    memoryNames: () => memory.knownNames,
    extensions: () => extensions.enabled(),
    rulesRead: () => rulesRead.fire(),
    warn: (detail) => warn(policyProblem(detail)),
  });
  return { mode, sandbox, policy };
}
