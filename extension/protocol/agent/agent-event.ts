import type { ApprovalRequest, ModelChoice } from './approval.ts';
import type { CompactedData, CompactionStatus, CompactionTrigger } from './compaction.ts';
import type { ContentPart, Delivery } from './content-part.ts';
import type { LeftOutData } from './left-out.ts';
import type { ErrorStatus, Problem } from './problem.ts';
import type { SandboxKind } from './sandbox-block.ts';

/** Everything that happens in a session, as seen by panel, headless, subagent parents, other extensions and remote clients. */
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

export type AgentEventType = AgentEvent['type'];

/** An event before the session has given it an id, a stream and a time. */
export type AgentEventBody = WithoutStamp<AgentEvent>;

type WithoutStamp<Event> = Event extends AgentEvent ? Omit<Event, 'id' | 'streamId' | 'timestamp'> : never;

export interface EventStamp {
  /** `<streamId>-<n>`, n counting from 0 per stream. */
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
  /** `messageId` names a message of the user; `pending` says how it will be delivered. */
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

export interface ToolRequestEvent extends EventStamp {
  readonly type: 'tool_request';
  readonly requestId: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly display?: ToolDisplay;
}

/** Progress of a running call. Ephemeral: never reaches the model. */
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
    /** Set if it asks which model should answer, not about a call. */
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
  /** `beside`: of a request that isn't part of the conversation. */
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

/** What happened to the conversation itself. Messages are named by the `messageId` in the `_meta` of their event. */
export type CustomEvent = EventStamp & { readonly type: 'custom' } & CustomBody;

export type CustomBody =
  /** A pending message is now part of the conversation. */
  | { readonly kind: 'message_delivered'; readonly data: { readonly messageId: string } }
  /** A pending message was withdrawn: by the user, or because the run was stopped. */
  | { readonly kind: 'message_withdrawn'; readonly data: { readonly messageId: string; readonly by: 'user' | 'stop' } }
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
  /** Ephemeral: it has ended. If it had a result, another event reports it. */
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
  /** The agent's messages from this event on don't count: the answer was cut off and is requested again. */
  | { readonly kind: 'answer_retracted'; readonly data: { readonly from: string } }
  | { readonly kind: 'model_waiting'; readonly data: ModelWaitingData }
  | { readonly kind: 'model_switched'; readonly data: ModelSwitchedData }
  | { readonly kind: 'loop'; readonly data: LoopData };

/** A model did not answer and is asked again. */
export interface ModelWaitingData {
  readonly model: string;
  /** The number of the next attempt. */
  readonly attempt: number;
  readonly attempts: number;
  /** When it is made, in ms since the epoch. */
  readonly until: number;
  /** What went wrong, in words. */
  readonly why: string;
}

/** Another model answers than the chosen one. */
export interface ModelSwitchedData {
  readonly from: string;
  readonly to: string;
  readonly why: string;
}

/** The model repeated itself and is warned; `stops` if it had been warned before and the run ends. */
export interface LoopData {
  /** Found in its calls, in its text, or by another model. */
  readonly kind: 'calls' | 'words' | 'check';
  /** What was repeated, in one line. */
  readonly detail: string;
  readonly stops: boolean;
}

/** A command that ran in the background has ended. */
export interface EndedCommandData {
  /** The call that started it. */
  readonly callId: string;
  /** In one line, for people. */
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

/** The user opened a folder or host to commands that the sandbox had blocked. */
export interface SandboxAllowedData {
  /** The call whose card offered it. */
  readonly callId: string;
  /** The folder or host. */
  readonly what: string;
  /** Not only in this session. */
  readonly always: boolean;
}

/** Ended with its window, still running, or unknown. */
export type LostState = 'stopped' | 'running' | 'unknown';

/** While a command ran, protected files changed, and nobody had approved that. */
export interface ProtectedChangedData {
  readonly id: string;
  /** The call that started the command. */
  readonly callId: string;
  /** In one line, for people. */
  readonly command: string;
  readonly files: readonly ProtectedFileData[];
  /** How many are not listed. */
  readonly more?: number;
}

export interface ProtectedFileData {
  /** Absolute. */
  readonly path: string;
  /** As the reader sees it. */
  readonly name: string;
  /** What kind of file it is, in English. */
  readonly what: string;
  readonly kind: 'created' | 'deleted' | 'changed' | 'linked' | 'mode';
  /** The earlier content is stored and can be restored. */
  readonly restorable: boolean;
}

/** The result of restoring such files. `again`: somebody changed the file since, so it was kept. */
export interface PutBackData {
  /** Of the change. */
  readonly id: string;
  readonly files: readonly {
    readonly path: string;
    readonly outcome: 'back' | 'again' | 'failed';
    /** For the user. */
    readonly reason?: string;
  }[];
}

export interface RewindData {
  readonly rewindId: string;
  /** The conversation continues before this message, or the files are as they were then. */
  readonly messageId: string;
  readonly what: RewindScope;
}

export type RewindScope = 'conversation' | 'files' | 'both';

export interface ToolDisplay {
  /** Human name of the tool, e.g. "ReadFile". */
  readonly name?: string;
  /** One line that says what this call is about, e.g. "src/app.ts". */
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
  /** The same as a unified diff, shortened, for surfaces that only show it. */
  readonly patch?: string;
}

export interface TerminalContent {
  readonly type: 'terminal';
  readonly pid?: number;
  readonly exitCode?: number;
  /** While it runs: when it began, in ms since the epoch. */
  readonly startedAt?: number;
  /** It seems to wait for input. */
  readonly waiting?: boolean;
  /** The name of the sandbox that confines it. */
  readonly confinedBy?: SandboxKind;
  readonly ansi?: string;
}

export type DisplayContent =
  | { readonly type: 'text'; readonly text: string }
  | DiffContent
  | TerminalContent
  | { readonly type: 'agent'; readonly threadId: string };
