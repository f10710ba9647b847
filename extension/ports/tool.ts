import type { Part } from '@google/genai';
import type { z } from 'zod';
import type { ToolDisplay } from '../protocol/agent/agent-event.ts';
import type { ApprovalAnswer, ApprovalDetails, UserQuestion } from '../protocol/agent/approval.ts';
import type { ApprovalMode } from '../protocol/agent/approval-mode.ts';
import type { FilePort, WorkspacePort } from './workspace.ts';

/** read, search and fetch change nothing and may run in parallel; everything else runs in order. */
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

/** What went wrong, in the words Gemini CLI's tools use; the first three are ours. */
export type ToolErrorType =
  | 'cancelled'
  | 'rejected'
  | 'effect_unknown'
  | 'invalid_tool_params'
  | 'unhandled_exception'
  | 'tool_not_registered'
  | 'policy_violation'
  /** It ran, and a hook withholds its result from the model. */
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
  /** Folders beyond the workspace that may be read: long outputs that were saved, skills that are active, plans. */
  readonly readableFolders: readonly string[];
  readonly session: SessionControls;
  /** What was shown before the approval, when something was, with the user's changes; or what was judged before the start. */
  readonly approved?: ApprovedCall;
  /** The command line that rules allowed, rewritten: it runs in place of the argument. Absent where a person has read that. */
  readonly judged?: string;
  /** The command was allowed because the sandbox confines it, so it must not run without one. */
  readonly onlyConfined?: boolean;
  /** A person approved the call; with `isGate`, they were shown why no rule could. */
  readonly byPerson?: { readonly isGate: boolean };
  /** Whether the user named this file in the conversation, so that it may be read even if it is hidden. */
  isNamedByUser(relativePath: string): boolean;
  /** The only way to change a file; its earlier content can be restored. Undefined deletes it. */
  writeFile(path: string, content: Uint8Array | undefined, text?: TextChange): Promise<void>;
  /** Asks the person something during the call. Absent where nobody can be asked. */
  ask?(question: PersonQuestion, signal: AbortSignal): Promise<PersonAnswer>;
  /** Live progress for surfaces; never reaches the model. */
  update(display: ToolDisplay): void;
}

/** Questions of somebody else, such as a server. */
export interface PersonQuestion {
  readonly title: string;
  readonly message: string;
  /** Who asks, and why. */
  readonly why: string;
  readonly questions: readonly UserQuestion[];
}

/** The answers by the index of their question; `decline` for a rejection, `cancel` when it was not answered at all. */
export type PersonAnswer =
  | { readonly action: 'accept'; readonly answers: Readonly<Record<string, string>> }
  | { readonly action: 'decline' | 'cancel' };

/** A change that was calculated from a text: it is only made while the file, or its open editor, has that text. */
export interface TextChange {
  /** Null when there was no file. */
  readonly expected: string | null;
  readonly text: string;
}

/** What tools may ask of their session. */
export interface SessionControls {
  mode(): ApprovalMode;
  setMode(mode: ApprovalMode): void;
  /** Absolute; where plan files are. Undefined where sessions are not kept. */
  readonly plansFolder: string | undefined;
}

export interface ApprovedCall {
  readonly proposal?: Proposal;
  readonly answer: ApprovalAnswer;
}

/** What a call would do, calculated without doing it. People approve this. */
export type Proposal =
  | { readonly kind: 'edit'; readonly edits: readonly ProposedEdit[] }
  | { readonly kind: 'details'; readonly details: ApprovalDetails };

export interface ProposedEdit {
  /** Real and absolute. */
  readonly path: string;
  /** For people. */
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

/** One capability offered to the model. Arguments are parsed with `schema` before anything else sees them. */
export interface Tool<Schema extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly displayName: string;
  readonly kind: ToolKind;
  /** For the model. */
  readonly description: string;
  readonly schema: Schema;
  /** What the model is told about the arguments as JSON Schema, where that is not made from `schema`. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** What rules may match on besides the name. */
  readonly annotations?: Readonly<Record<string, unknown>>;
  /** The MCP server it belongs to. */
  readonly server?: string;
  /** Offered only in plan mode, or only outside of it. */
  readonly mode?: 'plan' | 'work';
  /** Whether it is useful now; otherwise it isn't offered to the model. Absent means yes. */
  isUseful?(): boolean;
  /**
   * What a person has said to exactly this, beyond the rules: `needed` asks even where they allow it, as long as somebody is
   * there; `given` does not ask again where they would. Arguments may be wrong: it must not throw.
   */
  consent?(args: Readonly<Record<string, unknown>>): 'needed' | 'given' | undefined;
  /** Whether it can't change anything in plan mode, although its kind could. */
  mayPlan?(): boolean;
  /** Asking is its purpose: it asks even if the rules allow it, and is refused if nobody can be asked. */
  readonly alwaysAsks?: boolean;
  /**
   * It changes files that its arguments do not name. Its proposal names them all: it is calculated and judged before
   * every run, also where the rules allow the call, and exactly that is carried out.
   */
  readonly reachesFurther?: boolean;
  /**
   * Its output can be of any length: what is too long is saved to a file, and the model gets its head and tail. Others bound
   * their outputs themselves and are cut only where that is far too much.
   */
  readonly longOutput?: boolean;
  /** Whether a call changes nothing, although its tool could, so that it may run in parallel. Must not throw. */
  changesNothing?(args: Readonly<Record<string, unknown>>): boolean;
  /** Whether a call waits for something that is still running, so that repeating it is not a loop. */
  isWaiting?(args: Readonly<Record<string, unknown>>, result: ToolResult): boolean;
  /** One line for the card, such as the file's path. Arguments may be partial or wrong: it must not throw. */
  describe(args: Readonly<Record<string, unknown>>, workspace: WorkspacePort): string;
  /** Every path in the arguments. The gates judge them before anything else happens. */
  touches?(args: z.infer<Schema>): readonly TouchedPath[];
  /** For a call that requires approval. A failure goes to the model: nobody is asked about a call that can't work. */
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

/** A refusal: in English for the model, and localized for people. */
export function refusedCall({ why, shown }: Refusal): ToolResult {
  return { ...toolError('policy_violation', why), display: { resultSummary: shown } };
}

export interface Refusal {
  readonly why: string;
  readonly shown: string;
}
