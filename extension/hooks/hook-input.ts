import type { HookPlace } from './hook-environment.ts';
import type { HookEvent, HookInput } from './hook-types.ts';
import type { HookLlmRequest } from './llm-exchange.ts';
import type { HookRun } from './run-hook.ts';

export interface HookSession extends HookPlace {
  /** An absolute path; empty if sessions are not stored. */
  readonly transcriptPath: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
  /** Undefined if nothing is confined. */
  readonly confine?: HookRun['confine'];
}

export interface HookedCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The MCP server that provides the tool, if any. */
  readonly server?: string;
  /** The model's original call, if a hook replaced it with this one. */
  readonly originalName?: string;
}

export interface ToolResponse {
  readonly llmContent: unknown;
  readonly returnDisplay: unknown;
  readonly error?: unknown;
}

export interface AgentTurn {
  readonly prompt: string;
  /** The whole text of the answer. */
  readonly response: string;
  /** Whether a hook has already made the agent continue. */
  readonly again: boolean;
}

export interface ModelExchange {
  readonly request: HookLlmRequest;
  readonly response: Readonly<Record<string, unknown>>;
}

type Fields = Readonly<Record<string, unknown>>;

/** The input of a hook on stdin. */
export function hookInput(
  { sessionId, transcriptPath, folder, now }: HookSession,
  event: HookEvent,
  fields: Fields,
): HookInput {
  return {
    session_id: sessionId,
    transcript_path: transcriptPath,
    cwd: folder,
    hook_event_name: event,
    timestamp: new Date(now()).toISOString(),
    ...fields,
  };
}

export function toolFields({ name, args, server, originalName }: HookedCall): Fields {
  return {
    tool_name: name,
    tool_input: args,
    ...(server !== undefined && { mcp_context: { server_name: server, tool_name: name } }),
    ...(originalName !== undefined && { original_request_name: originalName }),
  };
}

export function turnFields({ prompt, response, again }: AgentTurn): Fields {
  return { prompt, prompt_response: response || '[The model said nothing.]', stop_hook_active: again };
}
