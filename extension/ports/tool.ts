import type { Part } from '@google/genai';
import type * as z from 'zod';
import type { AllowedPath } from '../files/path-guard.ts';
import type { ToolDisplay, ToolKind } from '../protocol/agent/agent-event.ts';
import type { ApprovalAnswer, ApprovalDetails, UserQuestion } from '../protocol/agent/approval.ts';
import type { ApprovalMode } from '../protocol/agent/approval-mode.ts';
import type { FilePort, WorkspacePort } from './workspace.ts';

/** The kinds of errors, named as in Gemini CLI's tools; the first three are Gantry's. */
export type ToolErrorType =
  | 'cancelled'
  | 'rejected'
  | 'effect_unknown'
  | 'invalid_tool_params'
  | 'unhandled_exception'
  | 'tool_not_registered'
  | 'policy_violation'
  /** The tool ran, but a hook withholds its result from the model. */
  | 'result_refused'
  | 'execution_failed'
  | 'stop_execution'
  | 'file_not_found'
  | 'file_too_large'
  | 'file_write_failure'
  | 'no_space_left'
  | 'permission_denied'
  | 'read_content_failure'
  | 'target_is_directory'
  | 'path_is_not_a_directory'
  | 'path_not_in_workspace'
  | 'attempt_to_create_existing_file'
  | 'edit_preparation_failure'
  | 'edit_no_occurrence_found'
  | 'edit_expected_occurrence_mismatch'
  | 'edit_no_change'
  | 'search_path_not_found'
  | 'search_path_not_a_directory'
  | 'glob_execution_error'
  | 'grep_execution_error'
  | 'ls_execution_error'
  | 'read_many_files_search_error'
  | 'shell_execute_error'
  | 'memory_tool_execution_error'
  | 'mcp_tool_error'
  | 'mcp_resource_not_found'
  | 'web_fetch_no_url_in_prompt'
  | 'web_fetch_processing_error'
  | 'web_fetch_fallback_failed'
  | 'web_search_failed';

export interface ToolResult {
  /** The result for the model. Ignored if there is an error: then the model gets only the error's message. */
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
  /** Folders outside the workspace that may be read: saved long outputs, active skills, plans. */
  readonly readableFolders: readonly string[];
  readonly session: SessionControls;
  /**
   * The proposal that the user saw, if any, and their answer with its changes; or the proposal that was checked before
   * the start.
   */
  readonly approved?: ApprovedCall;
  /**
   * The rewritten command line that the rules allowed, which runs in place of the argument. Absent if a person read the
   * argument.
   */
  readonly judged?: string;
  /** The command was allowed because the sandbox confines it, so it must not run without a sandbox. */
  readonly onlyConfined?: boolean;
  /** Set if a person approved the call; with `isGate`, they saw why no rule could. */
  readonly byPerson?: { readonly isGate: boolean };
  /** Whether the user named this file in the conversation, so that it may be read even if it is hidden. */
  isNamedByUser(relativePath: string): boolean;
  /** The only way to change a file; its earlier content can be restored. Undefined content deletes the file. */
  writeFile(path: string, content: Uint8Array | undefined, text?: TextChange): Promise<void>;
  /**
   * Notes which file a path of the arguments led to, so that nobody has to resolve it again after the call. Absent if
   * nobody wants to know.
   */
  reached?(path: string, file: AllowedPath): void;
  /** Asks the user a question during the call. Absent if nobody can be asked. */
  ask?(question: PersonQuestion, signal: AbortSignal): Promise<PersonAnswer>;
  /** Reports progress to surfaces; it never reaches the model. */
  update(display: ToolDisplay): void;
}

/** Questions from another party, such as an MCP server. */
export interface PersonQuestion {
  readonly title: string;
  readonly message: string;
  /** The party that asks, and its reason. */
  readonly why: string;
  readonly questions: readonly UserQuestion[];
}

/** The answers by the index of their question; `decline` for a rejection, `cancel` if there was no answer. */
export type PersonAnswer =
  | { readonly action: 'accept'; readonly answers: Readonly<Record<string, string>> }
  | { readonly action: 'decline' | 'cancel' };

/** A change that was computed from a text. It is made only while the file, or its open editor, still has that text. */
export interface TextChange {
  /** Null if there was no file. */
  readonly expected: string | null;
  readonly text: string;
}

/** The session's functions for its tools. */
export interface SessionControls {
  mode(): ApprovalMode;
  setMode(mode: ApprovalMode): void;
  /** The absolute path of the folder for plans. Undefined if sessions are not stored. */
  readonly plansFolder: string | undefined;
}

export interface ApprovedCall {
  readonly proposal?: Proposal;
  readonly answer: ApprovalAnswer;
}

/** The effect of a call, computed without carrying it out. People approve this. */
export type Proposal =
  | { readonly kind: 'edit'; readonly edits: readonly ProposedEdit[] }
  | { readonly kind: 'details'; readonly details: ApprovalDetails };

export interface ProposedEdit {
  /** The real absolute path. */
  readonly path: string;
  /** The name of the file for people. */
  readonly label: string;
  /** Null for a new file. */
  readonly before: string | null;
  readonly after: string;
}

export type ProposeOutcome = { readonly proposal: Proposal } | { readonly failed: ToolResult };

/** A path in the arguments, as the model wrote it. */
export interface TouchedPath {
  readonly path: string;
  readonly access: 'read' | 'write';
}

/** A tool that the program runs which drives the session. */
export interface ClientTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** One capability offered to the model. Arguments are parsed with `schema` before anything else sees them. */
export interface Tool<Schema extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly displayName: string;
  readonly kind: ToolKind;
  /** The description for the model. */
  readonly description: string;
  readonly schema: Schema;
  /** The JSON Schema of the arguments for the model, if it is not derived from `schema`. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Properties besides the name that rules may match. */
  readonly annotations?: Readonly<Record<string, unknown>>;
  /** The MCP server that provides the tool. */
  readonly server?: string;
  /** Offered only in plan mode, or only outside of it. */
  readonly mode?: 'plan' | 'work';
  /** Whether the tool is useful now; otherwise it is not offered to the model. Absent means yes. */
  isUseful?(): boolean;
  /**
   * The user's consent to exactly this call, in addition to the rules. `needed` asks even if the rules allow the call,
   * as long as a user is present; `given` does not ask again if the rules would. The arguments may be invalid: it must
   * not throw.
   */
  consent?(args: Readonly<Record<string, unknown>>): 'needed' | 'given' | undefined;
  /** Whether it cannot change anything in plan mode, although its kind could. */
  mayPlan?(): boolean;
  /** The purpose of the tool is to ask: it asks even if the rules allow it, and is refused if nobody can be asked. */
  readonly alwaysAsks?: boolean;
  /** Another program runs the tool and answers the question with the result, which is all that can answer it. */
  readonly runsInClient?: boolean;
  /**
   * The tool changes files that its arguments do not name. Its proposal names all of them: it is computed and checked
   * before every run, even if the rules allow the call, and exactly this proposal is carried out.
   */
  readonly reachesFurther?: boolean;
  /**
   * The output may have any length: a long output is saved to a file, and the model gets its head and tail. Other tools
   * limit their outputs themselves, and only extreme outputs are cut.
   */
  readonly longOutput?: boolean;
  /** Whether a call changes nothing, although its tool could, so that it may run in parallel. It must not throw. */
  changesNothing?(args: Readonly<Record<string, unknown>>): boolean;
  /** Whether a call waits for something that is still running, so that repeating it does not count as a loop. */
  isWaiting?(args: Readonly<Record<string, unknown>>, result: ToolResult): boolean;
  /** One line for the card, such as the path of the file. Arguments may be partial or invalid: it must not throw. */
  describe(args: Readonly<Record<string, unknown>>, workspace: WorkspacePort): string;
  /** Every path in the arguments. The gates check them before anything else happens. */
  touches?(args: z.infer<Schema>): readonly TouchedPath[];
  /**
   * Called for a call that requires approval. A failure goes to the model: the user is not asked about a call that
   * cannot work.
   */
  propose?(args: z.infer<Schema>, context: ToolContext): Promise<ProposeOutcome>;
  execute(args: z.infer<Schema>, context: ToolContext): Promise<ToolResult>;
}

const READ_ONLY_KINDS: ReadonlySet<ToolKind> = new Set(['read', 'search', 'fetch']);

export function isReadOnly(tool: Pick<Tool, 'kind'>): boolean {
  return READ_ONLY_KINDS.has(tool.kind);
}

export function toolError(type: ToolErrorType, message: string): ToolResult {
  return { content: '', error: { type, message } };
}

/** The result of a refused call: in English for the model, and localized for people. */
export function refusedCall({ why, shown }: Refusal): ToolResult {
  return { ...toolError('policy_violation', why), display: { resultSummary: shown } };
}

export interface Refusal {
  readonly why: string;
  readonly shown: string;
}
