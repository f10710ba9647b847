import { homedir } from 'node:os';
import type { McpServers } from '../../mcp/mcp-servers.ts';
import type { PolicyRule } from '../../policy/policy-types.ts';
import type { Problem } from '../../protocol/agent/problem.ts';
import type { SessionJournal } from '../../sessions/session-journal.ts';
import { policyProblem } from '../problems/file-problems.ts';
import type { SessionOptions, SharedParts } from '../session-parts.ts';
import { SessionMode } from './session-mode.ts';
import { SessionPolicy } from './session-policy.ts';
import { SessionSandbox } from './session-sandbox.ts';

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
  { geminiSettings, mcp, agents, extensions }: Pick<SharedParts, 'geminiSettings' | 'mcp' | 'agents' | 'extensions'>,
  servers?: McpServers,
): readonly PolicyRule[] {
  return [geminiSettings.restrictions, mcp, servers, agents, extensions].flatMap((of) => of?.rules ?? []);
}

/** Phase 2 of building a session. */
export function createRules(shared: SharedParts, base: RulesBase, options: SessionOptions = {}): SessionRules {
  const { host, policies: store, shellParser, rulesRead, extensions, memory, geminiSettings } = shared;
  const { journal, leader, servers, plansFolder, warn } = base;
  const mode = new SessionMode(
    { host, geminiSettings, journal, first: options.approvalMode, leader: () => leader?.()?.mode },
    plansFolder,
  );
  const sandbox = new SessionSandbox({
    host,
    sandbox: shared.sandbox,
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
    named: shared.sandbox.named,
    subagent: journal.header.agent,
    restrictions: () => geminiSettings.restrictions,
    settingRules: () => settingRules(shared, servers),
    memoryNames: () => memory.knownNames,
    extensions: () => extensions.enabled(),
    rulesRead: () => rulesRead.fire(),
    warn: (detail) => warn(policyProblem(detail)),
  });
  return { mode, sandbox, policy };
}
