import type { Part } from '@google/genai';
import type { z } from 'zod';
import type { ToolDisplay } from '../protocol/agent-event.ts';
import type { FilePort, WorkspacePort } from '../runtime/host.ts';

/** read, search and fetch change nothing and may run side by side; everything else is ordered. */
export type ToolKind =
  | 'read'
  | 'edit'
  | 'delete'
  | 'move'
  | 'search'
  | 'execute'
  | 'think'
  | 'agent'
  | 'fetch'
  | 'communicate'
  | 'plan'
  | 'switch_mode'
  | 'other';

/** What went wrong, in the words Gemini CLI's tools use. */
export type ToolErrorType =
  | 'invalid_tool_params'
  | 'unhandled_exception'
  | 'tool_not_registered'
  | 'policy_violation'
  | 'cancelled'
  | 'rejected'
  | 'effect_unknown'
  | 'file_not_found'
  | 'file_too_large'
  | 'permission_denied'
  | 'read_content_failure'
  | 'target_is_directory'
  | 'path_not_in_workspace';

export interface ToolResult {
  /** What the model gets. Ignored when there is an error: then the model gets only the error's message. */
  readonly content: string | readonly Part[];
  readonly display?: ToolDisplay;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly type: ToolErrorType; readonly message: string };
}

export interface ToolContext {
  readonly callId: string;
  readonly signal: AbortSignal;
  readonly workspace: WorkspacePort;
  readonly files: FilePort;
  /** The one way to change a file: what was there before can be brought back. Undefined removes it. */
  writeFile(path: string, content: Uint8Array | undefined): Promise<void>;
  /** Live progress for surfaces; never reaches the model. */
  update(display: ToolDisplay): void;
}

/** One capability offered to the model. Arguments are parsed with `schema` before anything else sees them. */
export interface Tool<Schema extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly displayName: string;
  readonly kind: ToolKind;
  /** For the model. */
  readonly description: string;
  readonly schema: Schema;
  /** One line for the card, such as the file's path. Arguments may be partial or wrong: it must not throw. */
  describe(args: Readonly<Record<string, unknown>>, workspace: WorkspacePort): string;
  execute(args: z.infer<Schema>, context: ToolContext): Promise<ToolResult>;
}

const READ_ONLY_KINDS: ReadonlySet<ToolKind> = new Set(['read', 'search', 'fetch']);

export function isReadOnly(tool: Pick<Tool, 'kind'>): boolean {
  return READ_ONLY_KINDS.has(tool.kind);
}

export function toolError(type: ToolErrorType, message: string): ToolResult {
  return { content: '', error: { type, message } };
}
