import type { ApprovalRequest, ModelChoice } from './approval.ts';
import type { CompactedData, CompactionStatus, CompactionTrigger } from './compaction.ts';
import type { ContentPart, Delivery } from './content-part.ts';
import type { LeftOutData } from './left-out.ts';
import type { ErrorStatus, Problem } from './problem.ts';
import type { SandboxKind } from './sandbox-block.ts';

/**
 * Everything that happens in a session, for the panel, the command line, leaders, other extensions and remote clients.
 */
export type AgentEvent =
  | InitializeEvent
  | SessionUpdateEvent
  | MessageEvent
  | AgentStartEvent
  | AgentEndEvent
  | ToolRequestEvent
  | ToolUpdateEvent
  | ToolResponseEvent
  | ElicitationRequestEvent
  | ElicitationResponseEvent
  | UsageEvent
  | ErrorEvent
  | CustomEvent;

export const EVENT_VERSION = 1;

export type AgentEventType = AgentEvent['type'];

/** An event before the session has given it an id, a stream and a time. */
export type AgentEventBody = WithoutStamp<AgentEvent>;

type WithoutStamp<Event> = Event extends AgentEvent ? Omit<Event, 'id' | 'streamId' | 'timestamp'> : never;

export interface EventStamp {
  /** `<streamId>-<n>`, where n counts from 0 in each stream. */
  readonly id: string;
  readonly streamId: string;
  /** ISO 8601. */
  readonly timestamp: string;
  /** The subagent's thread; absent for the main agent. */
  readonly threadId?: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface InitializeEvent extends EventStamp {
  readonly type: 'initialize';
  /** Increases if an event is removed or changes its meaning, and not if events or fields are added. */
  readonly version: typeof EVENT_VERSION;
  readonly sessionId: string;
  readonly workspace: string;
  readonly agentId: string;
}

export interface SessionUpdateEvent extends EventStamp {
  readonly type: 'session_update';
  readonly title?: string;
  readonly model?: string;
  readonly config?: Readonly<Record<string, unknown>>;
}

export interface MessageEvent extends EventStamp {
  readonly type: 'message';
  readonly role: 'user' | 'agent' | 'developer';
  readonly content: readonly ContentPart[];
  /** `messageId` is the id of a user message; `pending` is how it will be delivered. */
  readonly _meta?: { readonly messageId?: string; readonly pending?: Delivery; readonly [key: string]: unknown };
}

export interface AgentStartEvent extends EventStamp {
  readonly type: 'agent_start';
}

export type AgentEndReason =
  | 'completed'
  | 'failed'
  | 'aborted'
  | 'max_turns'
  | 'max_budget'
  | 'max_time'
  | 'refusal'
  | 'elicitation';

export interface AgentEndEvent extends EventStamp {
  readonly type: 'agent_end';
  readonly reason: AgentEndReason;
  readonly elicitationIds?: readonly string[];
  readonly data?: Readonly<Record<string, unknown>>;
}

export interface ToolRequestEvent extends EventStamp, CallTarget {
  readonly type: 'tool_request';
  readonly requestId: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly display?: ToolDisplay;
}

/** What a call does, and to which files. Sessions of earlier versions don't say it. */
export interface CallTarget {
  readonly kind?: ToolKind;
  /** The absolute paths of the files and folders that the arguments name. Links are not resolved. */
  readonly paths?: readonly string[];
}

/** `read`, `search` and `fetch` change nothing and may run in parallel; all others run in order. */
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

/** The progress of a running call. Ephemeral: it never reaches the model. */
export interface ToolUpdateEvent extends EventStamp {
  readonly type: 'tool_update';
  readonly requestId: string;
  readonly display?: ToolDisplay;
  readonly content?: readonly ContentPart[];
  readonly data?: Readonly<Record<string, unknown>>;
}

export interface ToolResponseEvent extends EventStamp {
  readonly type: 'tool_response';
  readonly requestId: string;
  readonly name: string;
  readonly display?: ToolDisplay;
  readonly content?: readonly ContentPart[];
  readonly data?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

export interface ElicitationRequestEvent extends EventStamp {
  readonly type: 'elicitation_request';
  readonly requestId: string;
  readonly message: string;
  readonly requestedSchema: Readonly<Record<string, unknown>>;
  readonly display: 'inline' | 'modal';
  readonly title?: string;
  /** `callId` is the tool call that requires the answer. */
  readonly _meta?: {
    readonly callId?: string;
    readonly approval?: ApprovalRequest;
    /** Set if the question is which model should answer, and not whether a call may run. */
    readonly modelChoice?: ModelChoice;
    readonly [key: string]: unknown;
  };
}

export interface ElicitationResponseEvent extends EventStamp {
  readonly type: 'elicitation_response';
  readonly requestId: string;
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content: Readonly<Record<string, unknown>>;
}

export interface UsageEvent extends EventStamp {
  readonly type: 'usage';
  readonly model: string;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedTokens?: number;
  readonly cost?: { readonly amount: number; readonly currency?: string };
  /** `beside` is true for the usage of a request that isn't part of the conversation. */
  readonly _meta?: { readonly beside?: boolean; readonly [key: string]: unknown };
}

export interface ErrorEvent extends EventStamp {
  readonly type: 'error';
  readonly status: ErrorStatus;
  readonly message: string;
  readonly fatal: boolean;
  /** `_meta.problem` is what surfaces show: kind, title, detail, actions. */
  readonly _meta?: { readonly problem?: Problem; readonly [key: string]: unknown };
}

/** A change to the conversation itself. Messages are identified by the `messageId` in the `_meta` of their event. */
export type CustomEvent = EventStamp & { readonly type: 'custom' } & CustomBody;

export type CustomBody =
  /** A pending message is now part of the conversation. */
  | { readonly kind: 'message_delivered'; readonly data: { readonly messageId: string } }
  /** A pending message was withdrawn: by the user, or because the run was stopped. */
  | { readonly kind: 'message_withdrawn'; readonly data: { readonly messageId: string; readonly by: 'user' | 'stop' } }
  /** A client over A2A ended a task that waited for its next message, by the first stream of the task. */
  | { readonly kind: 'task_ended'; readonly data: { readonly streamId: string } }
  | { readonly kind: 'rewind'; readonly data: RewindData }
  | { readonly kind: 'rewind_undone'; readonly data: { readonly rewindId: string } }
  | { readonly kind: 'left_out'; readonly data: LeftOutData }
  | { readonly kind: 'command_ended'; readonly data: EndedCommandData }
  | { readonly kind: 'command_lost'; readonly data: LostCommandData }
  | { readonly kind: 'sandbox_allowed'; readonly data: SandboxAllowedData }
  | { readonly kind: 'protected_changed'; readonly data: ProtectedChangedData }
  | { readonly kind: 'protected_put_back'; readonly data: PutBackData }
  /** Ephemeral: a snapshot is being made. */
  | { readonly kind: 'compacting'; readonly data: { readonly trigger: CompactionTrigger } }
  /** Ephemeral: the snapshot attempt has ended. If it had a result, another event reports it. */
  | {
      readonly kind: 'compaction_ended';
      readonly data: { readonly trigger: CompactionTrigger; readonly status: CompactionStatus; readonly why?: string };
    }
  | { readonly kind: 'compacted'; readonly data: CompactedData }
  /** Long outputs are shortened in requests. */
  | {
      readonly kind: 'outputs_cut';
      readonly data: { readonly count: number; readonly tokensBefore: number; readonly tokensAfter: number };
    }
  /** The agent's messages from this event on are void: the answer was cut off and is requested again. */
  | { readonly kind: 'answer_retracted'; readonly data: { readonly from: string } }
  | { readonly kind: 'model_waiting'; readonly data: ModelWaitingData }
  | { readonly kind: 'model_switched'; readonly data: ModelSwitchedData }
  | { readonly kind: 'loop'; readonly data: LoopData };

/** A model did not answer, and the request will be repeated. */
export interface ModelWaitingData {
  readonly model: string;
  /** The number of the next attempt. */
  readonly attempt: number;
  readonly attempts: number;
  /** The time of the next attempt, in ms since the epoch. */
  readonly until: number;
  /** What went wrong, for the user. */
  readonly why: string;
}

/** A model other than the chosen one answers. */
export interface ModelSwitchedData {
  readonly from: string;
  readonly to: string;
  readonly why: string;
}

/** The model repeated itself and gets a warning. `stops` is true if it had been warned before, so the run ends. */
export interface LoopData {
  /** How the loop was found: in the calls, in the text, or by another model. */
  readonly kind: 'calls' | 'words' | 'check';
  /** What was repeated, in one line. */
  readonly detail: string;
  readonly stops: boolean;
}

/** A command that ran in the background has ended. */
export interface EndedCommandData {
  /** The call that started the command. */
  readonly callId: string;
  /** The command in one line, for display. */
  readonly command: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stoppedBy?: 'agent' | 'button' | 'closing';
  readonly durationMs?: number;
}

/** The state of a background command after its window was closed. */
export interface LostCommandData {
  readonly callId: string;
  readonly command: string;
  readonly state: LostState;
  readonly pid?: number;
}

/** The user allowed commands to use a folder or host that the sandbox had blocked. */
export interface SandboxAllowedData {
  /** The call whose card offered to allow it. */
  readonly callId: string;
  /** The folder or host. */
  readonly what: string;
  /** True if the permission applies to all sessions, not only this one. */
  readonly always: boolean;
}

/** Whether a lost command ended with its window, still runs, or can't be found out. */
export type LostState = 'stopped' | 'running' | 'unknown';

/** Protected files changed without approval while a command ran. */
export interface ProtectedChangedData {
  readonly id: string;
  /** The call that started the command. */
  readonly callId: string;
  /** The command in one line, for display. */
  readonly command: string;
  readonly files: readonly ProtectedFileData[];
  /** The number of changed files that `files` omits. */
  readonly more?: number;
}

export interface ProtectedFileData {
  /** The absolute path. */
  readonly path: string;
  /** The path as it is displayed. */
  readonly name: string;
  /** The kind of file, in English. */
  readonly what: string;
  readonly kind: 'created' | 'deleted' | 'changed' | 'linked' | 'mode';
  /** True if the earlier content is stored and can be restored. */
  readonly restorable: boolean;
}

/** The result of restoring protected files. `again` means that the file was changed since and therefore kept. */
export interface PutBackData {
  /** The id of the change. */
  readonly id: string;
  readonly files: readonly {
    readonly path: string;
    readonly outcome: 'back' | 'again' | 'failed';
    /** The reason of a failure, for the user. */
    readonly reason?: string;
  }[];
}

export interface RewindData {
  readonly rewindId: string;
  /** The conversation continues before this message, or the files are restored to their state at this message. */
  readonly messageId: string;
  readonly what: RewindScope;
}

export type RewindScope = 'conversation' | 'files' | 'both';

export interface ToolDisplay {
  /** The display name of the tool, e.g. "ReadFile". */
  readonly name?: string;
  /** The subject of the call in one line, e.g. "src/app.ts". */
  readonly description?: string;
  readonly resultSummary?: string | null;
  readonly result?: DisplayContent | null;
  readonly format?: 'auto' | 'compact' | 'box' | 'hidden' | 'notice';
}

export interface DiffContent {
  readonly type: 'diff';
  readonly path?: string;
  readonly beforeText: string;
  readonly afterText: string;
  /** The same change as a unified diff, shortened, for surfaces that only display it. */
  readonly patch?: string;
}

export interface TerminalContent {
  readonly type: 'terminal';
  readonly pid?: number;
  readonly exitCode?: number;
  /** When the command started, in ms since the epoch; set while it runs. */
  readonly startedAt?: number;
  /** True if the command seems to wait for input. */
  readonly waiting?: boolean;
  /** The sandbox that confines the command. */
  readonly confinedBy?: SandboxKind;
  readonly ansi?: string;
}

export type DisplayContent =
  | { readonly type: 'text'; readonly text: string }
  | DiffContent
  | TerminalContent
  | { readonly type: 'agent'; readonly threadId: string };
