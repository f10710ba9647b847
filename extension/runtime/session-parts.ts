import type { AgentCatalog } from '../agents/agent-catalog.ts';
import type { Emitter } from '../base/emitter.ts';
import type { CommandLibrary } from '../commands/command-library.ts';
import type { MemoryFiles } from '../context/memory/memory-files.ts';
import type { SettingsReader } from '../gemini-config/settings-reader.ts';
import type { ExtensionCatalog } from '../gemini-extensions/extension-catalog.ts';
import type { HookCatalog } from '../hooks/hook-catalog.ts';
import type { McpServers } from '../mcp/mcp-servers.ts';
import type { ModelAvailability } from '../model/calls/model-availability.ts';
import type { ModelCalls } from '../model/calls/model-calls.ts';
import type { ModelSource } from '../model/model-source.ts';
import type { PolicyStore } from '../policy/rules/policy-store.ts';
import type { ShellParser } from '../policy/shell/shell-types.ts';
import type { Host } from '../ports/host.ts';
import type { ShellPort } from '../ports/shell.ts';
import type { ApprovalMode } from '../protocol/agent/approval-mode.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { FileSessionService } from '../sessions/file-session-service.ts';
import type { SkillLibrary } from '../skills/skill-library.ts';
import type { ToolsOf } from '../tools/product-tools.ts';
import type { Subagent } from './agents/subagent.ts';
import type { ChangedFiles } from './changes/session-rewind.ts';
import type { RoutingParts } from './model/create-routing.ts';
import type { AuditLog } from './policy/audit-log.ts';
import type { ProtectedWatch } from './protected/protected-watch.ts';

export interface SessionOptions {
  /** Instead of the configured model. */
  readonly model?: string;
  /** Instead of `gantry.session.maxTurns`. */
  readonly maxTurns?: number;
  /** Instead of `gantry.approvalMode`. */
  readonly approvalMode?: ApprovalMode;
  /** The call of another session that this one works for. */
  readonly parent?: { readonly sessionId: string; readonly callId: string };
}

/** What a session is built with besides its log. */
export interface SessionPlan {
  readonly options?: SessionOptions;
  readonly subagent?: Subagent | undefined;
  /** Absent for those of its own. */
  readonly files?: ChangedFiles;
}

/** What all sessions of a service have in common. */
export interface SharedParts {
  readonly host: Host;
  readonly tools: ToolsOf;
  readonly audit: AuditLog;
  readonly policies: PolicyStore;
  /** The settings of Gemini CLI, and what they forbid. */
  readonly geminiSettings: SettingsReader;
  /** Fired whenever the rules were asked. */
  readonly rulesRead: Emitter;
  readonly shellParser: () => Promise<ShellParser>;
  readonly shell: ShellPort;
  /** What holds commands back. */
  readonly sandbox: Sandbox;
  /** What sees what they have changed. */
  readonly protectedWatch: ProtectedWatch;
  readonly models: ModelSource;
  readonly routing: RoutingParts;
  /** Which models answer. */
  readonly health: ModelAvailability;
  /** The one way to ask them. */
  readonly modelCalls: ModelCalls;
  readonly adkSessions: FileSessionService;
  readonly hooks: HookCatalog;
  readonly agents: AgentCatalog;
  readonly mcp: McpServers;
  /** Gemini CLI's. */
  readonly extensions: ExtensionCatalog;
  /** The files with instructions. */
  readonly memory: MemoryFiles;
  readonly skills: SkillLibrary;
  /** The commands that people wrote down. */
  readonly commands: CommandLibrary;
  /** What the names of secrets are made with. */
  readonly namingKey: () => Promise<Uint8Array>;
}
