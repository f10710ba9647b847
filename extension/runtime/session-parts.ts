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
import type { AuditLog } from '../policy/audit/audit-log.ts';
import type { PolicyStore } from '../policy/rules/policy-store.ts';
import type { ShellParser } from '../policy/shell/shell-types.ts';
import type { Host } from '../ports/host.ts';
import type { ShellPort } from '../ports/shell.ts';
import type { ClientTool } from '../ports/tool.ts';
import type { FilePort } from '../ports/workspace.ts';
import type { ProgramVersions } from '../processes/program-version.ts';
import type { ApiSessionOptions } from '../protocol/agent/gantry-api.ts';
import type { RemoteAgents } from '../remote-agents/remote-agents.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { FileSessionService } from '../sessions/file-session-service.ts';
import type { SkillLibrary } from '../skills/skill-library.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { ToolsOf } from '../tools/product-tools.ts';
import type { Subagent } from './agents/subagent.ts';
import type { ChangedFiles } from './changes/session-rewind.ts';
import type { RoutingParts } from './model/create-routing.ts';
import type { ProtectedWatch } from './protected/protected-watch.ts';

export interface SessionOptions extends ApiSessionOptions {
  /** Whether somebody can answer the questions of this session. Overrides `SessionsPort.interactive`. */
  readonly interactive?: boolean;
  /** The open files of the editor that shows this session. They override the host's. */
  readonly editor?: FilePort;
  /** The tools that the program runs which drives the session. Stored with the session, in place of earlier ones. */
  readonly tools?: readonly ClientTool[];
  /** The leader's call that this session works for. */
  readonly parent?: { readonly sessionId: string; readonly callId: string };
}

/** The parts that a session is built from, besides its log. */
export interface SessionPlan {
  readonly options?: SessionOptions;
  readonly subagent?: Subagent | undefined;
  /** Undefined if the session has its own files. */
  readonly files?: ChangedFiles;
}

/** The parts that all sessions of a service share. */
export interface SharedParts {
  readonly host: Host;
  readonly tools: ToolsOf;
  readonly audit: AuditLog;
  readonly policies: PolicyStore;
  /** The settings of Gemini CLI and their restrictions. */
  readonly geminiSettings: SettingsReader;
  /** Fires whenever the rules were consulted. */
  readonly rulesRead: Emitter;
  readonly shellParser: () => Promise<ShellParser>;
  readonly shell: ShellPort;
  /** Confines commands. */
  readonly sandbox: Sandbox;
  /** Detects protected files that commands changed. */
  readonly protectedWatch: ProtectedWatch;
  readonly models: ModelSource;
  readonly routing: RoutingParts;
  /** Tracks which models are available. */
  readonly health: ModelAvailability;
  /** Makes all requests to models. */
  readonly modelCalls: ModelCalls;
  readonly adkSessions: FileSessionService;
  readonly hooks: HookCatalog;
  readonly agents: AgentCatalog;
  readonly remoteAgents: RemoteAgents;
  readonly mcp: McpServers;
  /** Extensions of Gemini CLI. */
  readonly extensions: ExtensionCatalog;
  /** The instruction files. */
  readonly memory: MemoryFiles;
  readonly skills: SkillLibrary;
  /** The custom commands. */
  readonly commands: CommandLibrary;
  readonly telemetry: Telemetry;
  /** Of the programs on the PATH. */
  readonly versions: ProgramVersions;
  /** The key that names of secrets are derived from. */
  readonly namingKey: () => Promise<Uint8Array>;
}
