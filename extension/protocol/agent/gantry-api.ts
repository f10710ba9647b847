import type { AgentSession } from './agent-session.ts';
import type { ApprovalMode } from './approval-mode.ts';

/** The API that `getExtension('gantry.gantry').activate()` returns to other extensions. */
export interface GantryApi {
  /** The version of Gantry. */
  readonly version: string;
  /** Creates a session with the tools, policies and trust of the panel. The user can open it in the panel. */
  createSession(options?: ApiSessionOptions): Promise<AgentSession>;
  /** Opens a stored session, or returns the open one. */
  resumeSession(id: string): Promise<AgentSession>;
}

export interface ApiSessionOptions {
  /** The model to use instead of the configured one. */
  readonly model?: string;
  /** The limit of turns, instead of `gantry.session.maxTurns`. */
  readonly maxTurns?: number;
  /** The approval mode, instead of `gantry.approvalMode`. Gantry asks the user before it turns on `yolo`. */
  readonly approvalMode?: ApprovalMode;
  /**
   * MCP servers for this session alone, by name, in the format of Gemini CLI's `mcpServers`. They require no approval,
   * and their values name no variables. Not stored with the session.
   */
  readonly mcpServers?: Readonly<Record<string, unknown>>;
}
